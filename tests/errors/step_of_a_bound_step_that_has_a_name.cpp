// SPDX-License-Identifier: MIT
// error: a_bound_step_cannot_be_copied_move_it
// error: {"std::move(bound)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 4> x;
constexpr placeholder<"n", std::int32_t> n;
constexpr auto y = x * 2_c;
constexpr auto z = sum(y) * astype<float>(n);
const xt::xtensor<float, 1> data = {1, 2, 3, 4};

int main() {
  session s(y, z);
  auto bound = s.bind(y, x = data);
  step<void()> run = bound;  // wrong
}
