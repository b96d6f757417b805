// SPDX-License-Identifier: MIT
// error: a_run_cannot_feed_a_variable_that_it_assigns
// error: {"w"}, float, etch::shape<2>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;

int main() {
  const auto w = variable<"w">(ones(shape<2>{}));
  const auto step = assign(w, w * 2_c);
  session s(step);
  const xt::xtensor<float, 1> start = {1, 2};
  s.run(step, w = start);  // wrong
}
