// SPDX-License-Identifier: MIT
// error: axis_out_of_range
// error: {"strings::concat"}
// error: {"names"}
#include <etch/etch.hpp>
#include <etch/strings.hpp>

using namespace etch;
constexpr placeholder<"names", std::string, any<"n">> names;

constexpr auto y = strings::concat(axis<1>, names, names);  // wrong

int main() {}
