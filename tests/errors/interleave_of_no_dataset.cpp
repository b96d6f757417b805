// SPDX-License-Identifier: MIT
// error: this_function_returns_no_dataset
// error: in_function<
// error: {"interleave"}
#include <etch/data.hpp>

int main() {
  auto d = etch::data::range(9).flat_map([](std::int64_t i) { return 2 * i; });  // wrong
  for (auto v : d.batch(2)) (void)v;
}
