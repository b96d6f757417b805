// SPDX-License-Identifier: MIT
// error: indices_are_not_integers
// error: in_function<
// error: {"nn::sparse_softmax_cross_entropy"}
// error: {"labels"}, float, etch::shape<5>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"logits", float, 5, 10> logits;
constexpr placeholder<"labels", float, 5> labels;

int main() {
  constexpr auto y = nn::sparse_softmax_cross_entropy(logits, labels);  // wrong
}
