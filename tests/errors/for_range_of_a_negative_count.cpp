// SPDX-License-Identifier: MIT
// error: this_count_is_negative
// error: {"for_range"}
// error: literal_value<-1>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float> x;

int main() {
  const auto y = for_range<-1>([](auto, auto s) { return s; }, x);  // wrong
  session s(y);
}
