// SPDX-License-Identifier: MIT
// error: an_optimizers_rule_assigns_at_most_12_times_for_each_variable
// error: number_of_operands<13>
#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<3>{}));
constexpr placeholder<"x", float, 3> x;

/// A rule that keeps as many values for each variable as there are numbers.
template <int... Number>
constexpr auto keeping = optimizers::rule<"keeping">(0.1_c, [](auto s, auto v, auto g, auto rate) {
  return s.changes(v - s(rate) * g, s.store(optimizers::state<("kept " + digits<Number>)>(s), g)...);
});

int main() {
  constexpr auto most = keeping<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10>.minimize(sum(w * x), w);
  constexpr auto more = keeping<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11>.minimize(sum(w * x), w);  // wrong
}
