// SPDX-License-Identifier: MIT
// error: the_result_of_this_step_has_another_type
// error: expected<float>
// error: got<double>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 4> x;
constexpr placeholder<"n", std::int32_t> n;
constexpr auto y = x * 2_c;
constexpr auto z = sum(y) * astype<float>(n);
const xt::xtensor<float, 1> data = {1, 2, 3, 4};

int main() {
  session s(y, z);
  step<double(const float*, const int*)> run = s.bind(z, x = data, n = 2);  // wrong
}
