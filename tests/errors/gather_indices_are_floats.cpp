// SPDX-License-Identifier: MIT
// error: indices_are_not_integers
// error: in_op<etch::gather>
// error: {"table"}, float, etch::shape<10, 4>
// error: {"rows"}, float, etch::shape<3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"table", float, 10, 4> table;
constexpr placeholder<"rows", float, 3> rows;

int main() {
  constexpr auto y = gather(table, rows);  // wrong
}
