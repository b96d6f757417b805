// SPDX-License-Identifier: MIT
// error: name_the_axis_in_angle_brackets
// error: {"strings::concat"}
// error: {"strings::concat(axis<0>, x, y)"}
#include <etch/etch.hpp>
#include <etch/strings.hpp>

using namespace etch;
constexpr placeholder<"names", std::string, any<"n">> names;

constexpr auto y = strings::concat(names, names);  // wrong

int main() {}
