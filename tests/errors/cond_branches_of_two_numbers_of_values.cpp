// SPDX-License-Identifier: MIT
// AG-02.
// error: the_branches_give_as_many_values
// error: {"cond"}
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float> x;

int main() {
  constexpr auto z = cond(x > 0_c, [] { return x * 2_c; }, [] { return std::tuple{x * 2_c, x * 3_c}; });  // wrong
}
