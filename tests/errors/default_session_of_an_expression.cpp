// SPDX-License-Identifier: MIT
// SES-05.
// error: a_default_session_is_made_of_a_session_on_the_cpu
// error: {"default_session guard(session)"}
#include <etch/etch.hpp>
#include <etch/default_session.hpp>

using namespace etch;
constexpr placeholder<"x", float, 3> x;
constexpr auto w = variable<"w">(zeros(shape<3>{}));
constexpr auto y = x * w;
constexpr auto train = group(assign(w, y));

int main() {
  default_session guard(y);  // wrong
}
