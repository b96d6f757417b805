// SPDX-License-Identifier: MIT
// error: a_step_takes_a_pointer_for_each_feed
// error(gcc): expected<const float*>
// error(clang): expected<const float *>
// error: got<
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 4> x;
constexpr placeholder<"n", std::int32_t> n;
constexpr auto y = x * 2_c;
constexpr auto z = sum(y) * astype<float>(n);
const xt::xtensor<float, 1> data = {1, 2, 3, 4};

int main() {
  session s(y, z);
  step<void(const float*)> run = s.bind(y, x = data);
  run(data);  // wrong
}
