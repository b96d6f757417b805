// SPDX-License-Identifier: MIT
// error: a_repeated_block_takes_an_expression_or_a_tuple_of_some
// error: {"repeat"}
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"x", float, 2, 3> x;

int main() {
  const auto y = repeat<3, "block">([](auto, auto h) { return h; }, 3.f);  // wrong
}
