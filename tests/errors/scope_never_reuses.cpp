// SPDX-License-Identifier: MIT
// SCO-05.
// error: this_layer_is_made_twice_where_its_scope_never_reuses_names
// error: layer_named<
// error: {"model/hidden"}
// error: in_scope_named<
// error: {"model"}
// error: {"model/hidden/bias"}, float, etch::shape<4>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr placeholder<"y", float, 2, 3> y;

int main() {
  const auto model = [](auto in, auto a) { return nn::dense<in / "hidden", 4>(a); };
  const auto first = scope<"model", reuse::never>(model, x);
  const auto second = scope<"model", reuse::never>(model, y);
  session s(first, second);  // wrong
}
