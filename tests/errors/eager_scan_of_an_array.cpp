// SPDX-License-Identifier: MIT
// error: an_array_cannot_stand_in_an_expression_feed_a_placeholder
// error: {"scan"}
#include <etch/control.hpp>
#include <etch/eager.hpp>

using namespace etch;
using namespace etch::literals;

int main() {
  const xt::xtensor<float, 1> x = {1, 2, 3};
  const auto y = scan([](auto s, auto v) { return s + v; }, tensor(0.f), x);  // wrong
}
