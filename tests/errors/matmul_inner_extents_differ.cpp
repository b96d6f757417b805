// SPDX-License-Identifier: MIT
// GRA-22.
// error: inner_extents_differ
// error: in_op<etch::matmul>
// error: {"images"}, float
// error: , 784>
// error: {"weights"}, float, etch::shape<100, 10>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"images", float, any<"batch">, 784> images;
constexpr auto weights = variable<"weights">(zeros(shape<100, 10>{}));

int main() {
  constexpr auto y = matmul(images, weights);  // wrong
}
