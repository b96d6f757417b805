// SPDX-License-Identifier: MIT
// error: indices_are_not_integers
// error: in_function<
// error: {"one_hot"}
// error: {"labels"}, float, etch::shape<3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"labels", float, 3> labels;

int main() {
  constexpr auto y = one_hot<10>(labels);  // wrong
}
