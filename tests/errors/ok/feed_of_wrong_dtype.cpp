// SPDX-License-Identifier: MIT
// Numbers and braces take the dtype of the slot; arrays need it, but may have any layout and rank known at run time.
#include <span>
#include <vector>

#include <xtensor/xarray.hpp>

#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr placeholder<"rate", float> rate;
constexpr auto y = x * rate;

int main() {
  session s(y);
  xt::xarray<float> any_rank = xt::ones<float>({2, 3});
  xt::xtensor<float, 2, xt::layout_type::column_major> columns = xt::ones<float>({2, 3});
  const std::vector<float> flat(6);
  s.run(y, x = {{1, 2, 3}, {4, 5, 6}}, rate = 1);
  s.run(y, x = any_rank, rate = 0.5);
  s.run(y, x = columns, rate = 0.5f);
  s.run(y, x = std::span<const float>(flat), rate = 0.5f);
}
