// SPDX-License-Identifier: MIT
// error: a_step_is_made_of_what_bind_gives
// error: {"session.bind(y, x = values)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 4> x;
constexpr placeholder<"n", std::int32_t> n;
constexpr auto y = x * 2_c;
constexpr auto z = sum(y) * astype<float>(n);
const xt::xtensor<float, 1> data = {1, 2, 3, 4};

int main() {
  session s(y, z);
  step<float(const float*, const int*)> run = z;  // wrong
}
