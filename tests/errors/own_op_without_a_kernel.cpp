// SPDX-License-Identifier: MIT
// error: this_op_needs_run_of_a_strided_result_strided_operands_and_attributes
// error: in_op<smooth>
// error: got<float, float>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;

inline constexpr struct smooth : opaque<struct smooth, 1> {
  static constexpr const char* name = "smooth";
  static constexpr bool differentiable = false;
  static constexpr tensor_type infer(inference&, const tensor_type* in, int, const words&) { return in[0]; }
} smooth;

int main() {
  session s(smooth(x));
  s.run(smooth(x), x = {1, 2, 3});  // wrong
}
