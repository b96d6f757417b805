// SPDX-License-Identifier: MIT
// TAPE-01.
// error: only_floats_have_gradients_cast_first
// error: {"tape::gradient"}
#include <etch/etch.hpp>
#include <etch/tape.hpp>

int main() {
  const etch::tensor<int, 1> counts = {1, 2};
  etch::tape tape;
  const auto loss = counts * counts;
  const auto slope = tape.gradient(loss, counts);  // wrong
}
