// SPDX-License-Identifier: MIT
// error: an_index_map_reads_outside_its_operand
// error: in_op<next>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;

inline constexpr struct next : movement<struct next> {
  static constexpr const char* name = "next";
  static constexpr bool differentiable = false;
  static constexpr tensor_type infer(inference&, const tensor_type* in, int, const words&) { return in[0]; }
  static constexpr void map(extent_table&, const tensor_type&, const tensor_type&, const words&, index_map& m) {
    m.begin[0] = 1;
    m.add(0, 0);
  }
} next;

int main() {
  constexpr auto y = next(x);  // wrong
}
