// SPDX-License-Identifier: MIT
// error: nested_containers_cannot_be_fed_feed_an_array_or_one_flat_range
// error: {"x"}, float, etch::shape<2, 3>
#include <vector>

#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr auto y = x * 2_c;
constexpr auto u = x + 1_c;
xt::xtensor<float, 2> data = {{1, 2, 3}, {4, 5, 6}};

int main() {
  session s(y, u);
  std::vector<std::vector<float>> rows = {{1, 2, 3}, {4, 5, 6}};
  s.run(y, x = rows);  // wrong
}
