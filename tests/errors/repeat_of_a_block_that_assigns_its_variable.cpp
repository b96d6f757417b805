// SPDX-License-Identifier: MIT
// error: only_a_variable_can_be_assigned
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  const auto y = repeat<3, "block">(
      [](auto in, auto h) {
        const auto w = variable<in / "w">(ones(shape<3>{}));
        return after(h, assign(w, w * 2_c));  // wrong
      },
      x);
}
