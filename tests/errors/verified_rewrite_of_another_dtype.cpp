// SPDX-License-Identifier: MIT
// error: a_pass_broke_this_invariant
// error: types_are_what_the_op_infers
// error: after_pass<
// error: tidy
// error: at_node<
#define ETCH_VERIFY
#include <etch/etch.hpp>

inline constexpr struct twice : etch::elementwise<struct twice, 1> {
  static constexpr const char* name = "twice";
  static constexpr bool differentiable = false;
  static constexpr bool has_simpler_forms = true;
  template <class V>
  ETCH_HOST_DEVICE static constexpr V kernel(const V& x) {
    return V(x + x);
  }
  template <class V>
  static constexpr V simpler(const etch::rewriting<V>& r) {
    const V wide = etch::emit<etch::cast>(etch::words(static_cast<int>(etch::dtype::float64)), r.x[0]);
    return wide + wide;
  }
} twice;

using namespace etch;
constexpr placeholder<"x", float, 3> x;

int main() {
  session s(etch::sin(twice(x)));
  s.run(etch::sin(twice(x)), x = {1.f, 2.f, 3.f});  // wrong
}
