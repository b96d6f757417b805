// SPDX-License-Identifier: MIT
// error: this_call_has_the_wrong_arguments
// error: {"named"}
// error: etch::got<float>
// error: {"named<\"y\">(x * x)"}
#include <etch/etch.hpp>

using namespace etch;

int main() {
  constexpr auto y = named<"rate">(0.5f);  // wrong
}
