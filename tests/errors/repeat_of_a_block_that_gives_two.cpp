// SPDX-License-Identifier: MIT
// error: a_loops_body_gives_as_many_states_as_it_has_and_perhaps_outputs
// error: {"repeat"}
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  const auto y = repeat<3, "block">([](auto, auto h) { return std::tuple{h, h, h}; }, x);  // wrong
}
