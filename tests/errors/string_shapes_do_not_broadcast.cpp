// SPDX-License-Identifier: MIT
// error: shapes_do_not_broadcast
// error: {"strings::join"}
// error: {"pair"}
#include <etch/etch.hpp>
#include <etch/strings.hpp>

using namespace etch;
constexpr placeholder<"pair", std::string, 2> pair;
constexpr placeholder<"three", std::string, 3> three;

constexpr auto y = strings::join(pair, three);  // wrong

int main() {}
