// SPDX-License-Identifier: MIT
// error: dtypes_differ
// error: in_op<etch::add>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"sizes", std::uint64_t, 3> sizes;
constexpr placeholder<"steps", std::int32_t, 3> steps;

int main() {
  constexpr auto y = sizes + steps;  // wrong
}
