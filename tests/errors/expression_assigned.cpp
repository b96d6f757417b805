// SPDX-License-Identifier: MIT
// error: an_expression_cannot_be_fed_feed_its_value
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, 2, 3> x;
auto y = x * 2_c;

int main() {
  y = x * 3_c;  // wrong
}
