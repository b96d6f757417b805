// SPDX-License-Identifier: MIT
// error: this_feed_has_the_wrong_number_of_axes
// error: {"x"}
#include <etch/etch.hpp>
#include <etch/strings.hpp>

using namespace etch;
constexpr placeholder<"x", std::string> x;

int main() {
  const std::vector<std::string> many = {"a", "b"};
  session s(x);
  s.run(x, x = many);  // wrong
}
