// SPDX-License-Identifier: MIT
// error: a_string_is_no_number_convert_it_by_strings_to_number
// error: in_op<etch::exp>
// error: {"x"}
#include <etch/etch.hpp>
#include <etch/strings.hpp>

using namespace etch;
constexpr placeholder<"x", std::string> x;

constexpr auto y = etch::exp(x);  // wrong

int main() {}
