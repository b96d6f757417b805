// SPDX-License-Identifier: MIT
// SES-10.
// error: a_training_step_has_no_value
// error: {"eval"}
// error: {"run(train)"}
#include <etch/etch.hpp>
#include <etch/default_session.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;
constexpr auto w = variable<"w">(zeros(shape<3>{}));
constexpr auto y = x * w;
constexpr auto train = group(assign(w, y));

int main() {
  eval(train, x = {1, 2, 3});  // wrong
}
