// SPDX-License-Identifier: MIT
// error: an_optimizers_rule_gives_what_s_changes_gives
// error: return s.changes(w - s(rate) * g)
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<3>{}));
constexpr placeholder<"x", float, 3> x;

constexpr auto descent =
    optimizers::rule<"descent">(0.1_c, [](auto s, auto v, auto g, auto rate) { return assign(v, v - s(rate) * g); });

int main() {
  constexpr auto train = descent.minimize(sum(w * x), w);  // wrong
}
