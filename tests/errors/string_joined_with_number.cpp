// SPDX-License-Identifier: MIT
// error: this_is_no_string_convert_it_by_strings_as_string
// error: {"strings::join"}
// error: {"number"}
#include <etch/etch.hpp>
#include <etch/strings.hpp>

using namespace etch;
constexpr placeholder<"x", std::string> x;
constexpr placeholder<"number", float> number;

constexpr auto y = x + number;  // wrong

int main() {}
