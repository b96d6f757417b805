// SPDX-License-Identifier: MIT
// error: extents_differ
// error: {"nn::softmax_cross_entropy"}
// error: {"logits"}, float, etch::shape<8, 10>
// error: {"labels"}, float, etch::shape<10>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"logits", float, 8, 10> logits;
constexpr placeholder<"labels", float, 10> labels;

int main() {
  constexpr auto y = nn::softmax_cross_entropy(logits, labels);  // wrong
}
