// SPDX-License-Identifier: MIT
// An op is one struct, wherever it stands. This one folds, fuses, differentiates and prints like etch's own.
#include <cstdio>

#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/print.hpp>

using namespace etch::literals;

/// x * x * x.
inline constexpr struct cube : etch::elementwise<struct cube, 1> {
  static constexpr const char* name = "cube";  // its identity, too
  static constexpr int cost = 2;
  template <class V>
  ETCH_HOST_DEVICE static constexpr V kernel(const V& x) {
    return V(x * x * x);
  }
  template <class V>
  static constexpr void vjp(const etch::gradient_rule<V>& r) {
    r.dx[0] = r.dy * 3_c * r.x[0] * r.x[0];
  }
} cube;

int main() {
  constexpr etch::placeholder<"x", float, 4> x;
  constexpr auto y = etch::sum(cube(x) + 1_c);
  constexpr auto slope = etch::gradient(y, x);
  static_assert(etch::plan_of(y, x).kernel_count == 1);

  etch::session session(y, slope);
  const auto [value, gradient] = session.run(y, slope, x = {1, 2, 3, 4});
  std::printf("%s%g, gradient at 4: %g\n", etch::to_text(y).c_str(), static_cast<double>(value), static_cast<double>(gradient(3)));
  const auto now = cube(etch::tensor<float, 1>{1, 2, 3, 4});
  return value == 104 && gradient(3) == 48 && now(2) == 27 ? 0 : 1;
}
