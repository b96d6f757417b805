// SPDX-License-Identifier: MIT
// RND-01.
// error: name_the_draw_in_angle_brackets
// error: {"random_uniform"}
// error: {"random_uniform<\"noise\">(shape<3>{})"}
#include <etch/etch.hpp>

using namespace etch;

int main() {
  constexpr auto y = random_uniform(shape<3>{});  // wrong
}
