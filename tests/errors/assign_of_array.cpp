// SPDX-License-Identifier: MIT
// error: an_array_cannot_stand_in_an_expression_feed_a_placeholder
// error: in_op<etch::assign>
// error: {"w"}, float, etch::shape<2, 2>
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<2, 2>{}));
constexpr placeholder<"x", float, 2> x;
constexpr auto y = matmul(w, x);
constexpr auto update = assign(w, w * 2_c);
xt::xtensor<float, 2> data = {{1, 2}, {3, 4}};

int main() {
  const auto z = assign(w, data);  // wrong
}
