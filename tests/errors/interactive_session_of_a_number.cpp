// SPDX-License-Identifier: MIT
// SES-11.
// error: a_session_is_made_of_expressions_name_at_least_one
// error: got<float>
#include <etch/etch.hpp>
#include <etch/default_session.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;
constexpr auto w = variable<"w">(zeros(shape<3>{}));
constexpr auto y = x * w;
constexpr auto train = group(assign(w, y));

int main() {
  interactive_session session(2.0f);  // wrong
}
