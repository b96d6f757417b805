// SPDX-License-Identifier: MIT
// error: an_op_of_ones_own_is_elementwise_or_a_reduction_or_a_movement_or_opaque
// error: in_op<outer>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;

inline constexpr struct outer : called_with_operands<struct outer, 1> {
  static constexpr const char* name = "outer";
  static constexpr op_kind kind = op_kind::contraction;
  static constexpr bool differentiable = false;
  static constexpr tensor_type infer(inference&, const tensor_type* in, int, const words&) { return in[0]; }
} outer;

int main() {
  constexpr auto y = outer(x);  // wrong
}
