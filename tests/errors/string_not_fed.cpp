// SPDX-License-Identifier: MIT
// error: you_must_feed_a_value_for_this_placeholder
// error: {"y"}
#include <etch/etch.hpp>
#include <etch/strings.hpp>

using namespace etch;
constexpr placeholder<"x", std::string> x;
constexpr placeholder<"y", std::string> y;

int main() {
  session s(x + y);
  s.run(x + y, x = "hello");  // wrong
}
