// SPDX-License-Identifier: MIT
// DATA-04.
// error: a_map_returns_nothing
// error: in_function<
// error: {"map"}
#include <etch/data.hpp>

int main() {
  std::int64_t sum = 0;
  for (auto v : etch::data::range(9).map([&](std::int64_t i) { sum += i; })) (void)v;  // wrong
}
