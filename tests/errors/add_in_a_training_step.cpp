// SPDX-License-Identifier: MIT
// One mistake in a whole program: a session, a training step and feeds of what it is made of are no further errors.
// error: shapes_do_not_broadcast
// error: in_op<etch::add>
// error: slot_named
// error: {"x"}
// error: {"bias"}
#include <etch/etch.hpp>

using namespace etch::literals;
constexpr etch::placeholder<"x", float, 8, 3> x;
constexpr etch::placeholder<"y", float, 8> y;
constexpr auto kernel = etch::variable<"kernel">(etch::zeros(etch::shape<3, 4>{}));
constexpr auto bias = etch::variable<"bias">(etch::zeros(etch::shape<4>{}));

int main() {
  constexpr auto shifted = x + bias;  // wrong
  constexpr auto loss = etch::mean(etch::sum(etch::matmul(shifted, kernel), etch::axis<1>) - y);
  constexpr auto train = etch::optimizers::adam(1e-3_c).minimize(loss);
  etch::session session(loss, train);
  xt::xtensor<float, 2> a;
  xt::xtensor<float, 1> b;
  session.initialize(1);
  session.run(loss, train, x = a, y = b);
}
