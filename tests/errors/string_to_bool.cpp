// SPDX-License-Identifier: MIT
// error: dtype_not_accepted
// error: {"strings::to_number"}
// error: got<bool>
#include <etch/etch.hpp>
#include <etch/strings.hpp>

using namespace etch;
constexpr placeholder<"title", std::string> title;

int main() {
  const auto y = strings::to_number<bool>(title);  // wrong
  session s(y);
  s.run(y, title = "1");
}
