// SPDX-License-Identifier: MIT
// error: extents_differ
// error: {"nn::sparse_softmax_cross_entropy"}
// error: {"x"}, float, etch::shape<2, 3>
// error: {"labels"}, int, etch::shape<3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
constexpr placeholder<"labels", int, 3> labels;

int main() {
  constexpr auto y = nn::sparse_softmax_cross_entropy(x, labels);  // wrong
}
