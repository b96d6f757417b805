// SPDX-License-Identifier: MIT
// One extent may follow from the others, also from a named one.
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"images", float, any<"batch">, 784> images;

int main() {
  constexpr auto y = reshape(images, shape<inferred, 28, 28>{});
  constexpr auto z = reshape(y, shape<any<"batch">, 784>{});
  (void)z;
}
