// SPDX-License-Identifier: MIT
// error: no_expression_is_another_one_choose_by_where
// error: {"where(condition, x, y)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2> x;

int main(int count, char**) {
  const auto y = count > 1 ? x + x : x * x;  // wrong
}
