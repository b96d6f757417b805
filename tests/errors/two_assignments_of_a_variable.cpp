// SPDX-License-Identifier: MIT
// VAR-03.
// error: two_assignments_of_a_variable_in_one_run_order_them_by_after
// error: {"w"}, float, etch::shape<2>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;

int main() {
  const auto w = variable<"w">(ones(shape<2>{}));
  const auto step = group(assign(w, w * 2_c), assign(w, w + 1_c));
  session s(step);
  s.run(step);  // wrong
}
