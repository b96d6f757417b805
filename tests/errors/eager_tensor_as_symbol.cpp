// SPDX-License-Identifier: MIT
// EAG-02.
// error: this_call_has_the_wrong_arguments
// error: {"gradient"}
#include <etch/eager.hpp>
#include <etch/etch.hpp>

int main() {
  const etch::tensor<float, 1> w = {1, 2};
  const auto slope = etch::gradient(w * w, w);  // wrong
}
