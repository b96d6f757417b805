// SPDX-License-Identifier: MIT
// error: a_reductions_shape_rule_is_its_familys_say_result_for_another_dtype
// error: in_op<total>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;

inline constexpr struct total : reduction<struct total> {
  static constexpr const char* name = "total";
  static constexpr bool differentiable = false;
  static constexpr tensor_type infer(inference&, const tensor_type* in, int, const words&) { return in[0].with(dtype::float64); }
  template <class V>
  static constexpr V identity() {
    return V(0);
  }
  template <class V>
  static constexpr V combine(const V& a, const V& b) {
    return V(a + b);
  }
} total;

int main() {
  constexpr auto y = total(x);  // wrong
}
