// SPDX-License-Identifier: MIT
// error: this_feed_has_the_wrong_dtype
// error: {"n"}, int, etch::shape<>
// error: expected<int>
// error: got<long
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 4> x;
constexpr placeholder<"n", std::int32_t> n;
constexpr auto y = x * 2_c;
constexpr auto z = sum(y) * astype<float>(n);
const xt::xtensor<float, 1> data = {1, 2, 3, 4};

int main() {
  session s(y, z);
  auto bound = s.bind(z, x = data, n = 2);
  const std::int64_t two = 2;
  bound(data.data(), &two);  // wrong
}
