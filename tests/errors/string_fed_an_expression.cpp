// SPDX-License-Identifier: MIT
// error: an_expression_cannot_be_fed_feed_its_value
// error: {"x"}
#include <etch/etch.hpp>
#include <etch/strings.hpp>

using namespace etch;
constexpr placeholder<"x", std::string> x;
constexpr placeholder<"y", std::string> y;

int main() {
  session s(x, y);
  s.run(x, x = y + y);  // wrong
}
