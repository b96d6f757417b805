// SPDX-License-Identifier: MIT
// error: this_feed_has_the_wrong_dtype
// error: {"x"}
// error: got<int>
#include <etch/etch.hpp>
#include <etch/strings.hpp>

using namespace etch;
constexpr placeholder<"x", std::string> x;

int main() {
  session s(x);
  s.run(x, x = 3);  // wrong
}
