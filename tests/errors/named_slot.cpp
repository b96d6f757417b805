// SPDX-License-Identifier: MIT
// error: a_slot_has_its_own_name
// error: {"named"}
// error: {"x"}, float, etch::shape<2, 3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  constexpr auto y = relu(named<"input">(x));  // wrong
}
