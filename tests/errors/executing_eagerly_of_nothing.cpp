// SPDX-License-Identifier: MIT
// EAG-01.
// error: this_call_has_the_wrong_arguments
// error: {"executing_eagerly"}
// error: {"executing_eagerly(x)"}
#include <etch/eager.hpp>

int main() {
  const bool now = etch::executing_eagerly();  // wrong
}
