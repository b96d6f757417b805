// SPDX-License-Identifier: MIT
// error: a_string_is_no_number_convert_it_by_strings_to_number
// error: variable_named
// error: {"w"}
#include <etch/etch.hpp>
#include <etch/strings.hpp>

using namespace etch;

constexpr auto w = variable<"w">("hello"_c);  // wrong

int main() {}
