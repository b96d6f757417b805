// SPDX-License-Identifier: MIT
// SCO-05.
// error: this_layer_does_not_exist_where_its_scope_always_reuses_names
// error: {"model/hidden"}
// error: {"model"}
// error: {"model/hidden/bias"}, float, etch::shape<4>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  const auto model = [](auto in, auto a) { return nn::dense<in / "hidden", 4>(a); };
  session s(scope<"model", reuse::always>(model, x));  // wrong
}
