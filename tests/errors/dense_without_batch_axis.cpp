// SPDX-License-Identifier: MIT
// error: rank_too_small
// error: in_function<
// error: {"nn::dense"}
// error: {"x"}, float, etch::shape<784>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 784> x;

int main() {
  constexpr auto y = nn::dense<"hidden", 100>(x);  // wrong
}
