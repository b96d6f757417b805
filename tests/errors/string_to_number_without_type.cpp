// SPDX-License-Identifier: MIT
// error: name_the_dtype_in_angle_brackets
// error: {"strings::to_number<float>(x)"}
#include <etch/etch.hpp>
#include <etch/strings.hpp>

using namespace etch;
constexpr placeholder<"x", std::string> x;

constexpr auto y = strings::to_number(x);  // wrong

int main() {}
