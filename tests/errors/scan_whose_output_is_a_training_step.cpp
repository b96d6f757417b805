// SPDX-License-Identifier: MIT
// error: a_training_step_has_no_value
// error: {"scan"}
// error: operand<void, etch::shape<>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
using namespace etch::literals;
constexpr placeholder<"xs", float, any<"n">> xs;
constexpr auto count = variable<"count">(literal<0>);

int main() {
  const auto y = scan([](auto s, auto e) { return std::pair{s + e, group(assign_add(count, 1_c))}; }, 0_c, xs);  // wrong
  session s(std::get<0>(y), std::get<1>(y));
}
