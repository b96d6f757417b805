// SPDX-License-Identifier: MIT
// error: indices_are_not_integers
// error: in_function<
// error: {"nn::embedding"}
// error: {"ids"}, float, etch::shape<3>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"ids", float, 3> ids;

int main() {
  constexpr auto y = nn::embedding<"words", 10, 4>(ids);  // wrong
}
