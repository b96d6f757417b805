// SPDX-License-Identifier: MIT
// error: an_array_cannot_stand_in_an_expression_feed_a_placeholder
// error: in_op<etch::sum>
#include <etch/etch.hpp>

using namespace etch;
xt::xtensor<float, 2> data = {{1, 2, 3}, {4, 5, 6}};

int main() {
  const auto y = sum(data);  // wrong
}
