// SPDX-License-Identifier: MIT
// error: dtype_not_accepted
// error: {"nn::dense"}
// error: {"i"}, int, etch::shape<2, 3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"i", int, 2, 3> i;
constexpr placeholder<"b", bool, 2, 3> b;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = nn::dense<"first", 4>(i);  // wrong
}
