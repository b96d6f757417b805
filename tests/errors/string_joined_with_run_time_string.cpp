// SPDX-License-Identifier: MIT
// error: a_run_time_string_cannot_stand_in_an_expression_write_text_c_or_feed_a_placeholder
// error: {"strings::join"}
#include <etch/etch.hpp>
#include <etch/strings.hpp>

using namespace etch;
constexpr placeholder<"x", std::string> x;

int main() {
  const std::string name = "world";
  const auto y = strings::join<" ">(x, name);  // wrong
}
