// SPDX-License-Identifier: MIT
// error: braces_are_nested_once_for_each_axis
// error: {"x"}
#include <etch/etch.hpp>
#include <etch/strings.hpp>

using namespace etch;
constexpr placeholder<"x", std::string> x;

int main() {
  session s(x);
  s.run(x, x = {"a", "b"});  // wrong
}
