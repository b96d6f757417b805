// SPDX-License-Identifier: MIT
// error: there_is_not_one_place_for_each_operand
// error: {"print"}
#include <etch/etch.hpp>
#include <etch/strings.hpp>

using namespace etch;
constexpr placeholder<"x", std::string> x;

constexpr auto y = print<"{}">(x, x);  // wrong

int main() {}
