// SPDX-License-Identifier: MIT
// error: a_step_reads_strings_where_they_were_bound
#include <etch/etch.hpp>
#include <etch/strings.hpp>

using namespace etch;
constexpr placeholder<"x", std::string> x;

int main() {
  const std::string text = "hello", other = "goodbye";
  session s(x);
  auto step = s.bind(x, x = text);
  step(&other);  // wrong
}
