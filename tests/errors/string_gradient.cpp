// SPDX-License-Identifier: MIT
// error: there_is_no_gradient_through_this_op
#include <etch/etch.hpp>
#include <etch/strings.hpp>

using namespace etch;
constexpr placeholder<"x", std::string> x;
constexpr placeholder<"number", float> number;
constexpr auto y = strings::to_number<float>(strings::as_string(number));
constexpr auto slope = gradient(y, number);

int main() {
  session s(slope);
  s.run(slope, number = 1);  // wrong
}
