// SPDX-License-Identifier: MIT
// error: a_pointer_has_no_size_feed_a_span
// error: {"x"}, float, etch::shape<2, 3>
// error: {"std::span(pointer, size)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr auto y = x * 2_c;
constexpr auto u = x + 1_c;
xt::xtensor<float, 2> data = {{1, 2, 3}, {4, 5, 6}};

int main() {
  session s(y, u);
  const float* p = data.data();
  s.run(y, x = p);  // wrong
}
