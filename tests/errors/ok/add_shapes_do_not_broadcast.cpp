// SPDX-License-Identifier: MIT
// A row, a column and a scalar stretch along axes of extent 1; a named extent meets itself.
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"images", float, any<"batch">, 784> images;
constexpr placeholder<"row", float, 784> row;
constexpr placeholder<"column", float, any<"batch">, 1> column;

int main() {
  constexpr auto y = images + row + column + 1_c;
  (void)y;
}
