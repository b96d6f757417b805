// SPDX-License-Identifier: MIT
// An op whose kernel is no function of the device: nvcc must refuse a session that runs it there.
#include <etch/gpu.hpp>
#include <xtensor/xtensor.hpp>

inline constexpr struct halve : etch::elementwise<struct halve, 1> {
  static constexpr const char* name = "halve";
  static constexpr bool differentiable = false;
  template <class V>
  static constexpr V kernel(const V& x) {
    return V(x / V(2));
  }
} halve;
constexpr etch::placeholder<"x", float, 4> x;

int main() {
  etch::gpu::session session(halve(x));
  return session.run(halve(x), x = {2, 4, 6, 8})(0) == 1 ? 0 : 1;
}
