// SPDX-License-Identifier: MIT
// error: an_expression_cannot_be_changed_make_another_or_assign_to_a_variable
// error: {"w"}, float, etch::shape<3>
// error: {"assign(w, w + step)"}
#include <etch/etch.hpp>

using namespace etch;
auto w = variable<"w">(zeros(shape<3>{}));

int main() {
  w -= 0.1_c * w;  // wrong
}
