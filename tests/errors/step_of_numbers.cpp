// SPDX-License-Identifier: MIT
// error: a_step_reads_elements_by_their_address
// error: {"n"}, int, etch::shape<>
// error(gcc): expected<const int*>
// error(clang): expected<const int *>
// error: got<int>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 4> x;
constexpr placeholder<"n", std::int32_t> n;
constexpr auto y = x * 2_c;
constexpr auto z = sum(y) * astype<float>(n);
const xt::xtensor<float, 1> data = {1, 2, 3, 4};

int main() {
  session s(y, z);
  step<float(const float*, int)> run = s.bind(z, x = data, n = 2);  // wrong
}
