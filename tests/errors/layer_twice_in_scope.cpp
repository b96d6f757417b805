// SPDX-License-Identifier: MIT
// SCO-05.
// error: this_layer_is_made_twice_where_its_scope_never_reuses_names
// error: {"model/hidden"}
// error: {"model"}
// error: {"model/hidden/bias"}, float, etch::shape<3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  const auto model = [](auto in, auto a) { return nn::dense<in / "hidden", 3>(nn::dense<in / "hidden", 3>(a)); };
  session s(scope<"model", reuse::never>(model, x));  // wrong
}
