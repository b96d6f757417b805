// SPDX-License-Identifier: MIT
// error: an_array_cannot_stand_in_an_expression_feed_a_placeholder
// error: {"w"}
#include <etch/etch.hpp>

using namespace etch;
xt::xtensor<float, 1> data = {1, 2, 3};

int main() {
  auto w = variable<"w">(data);  // wrong
}
