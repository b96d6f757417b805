// SPDX-License-Identifier: MIT
// error: too_many_named_extents
// error: extents_made_of_them_at_most<48>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, any<"length">> x;

template <int times>
constexpr auto longer(auto y) {
  if constexpr (times > 0)
    return longer<times - 1>(concat(axis<0>, y, x));
  else
    return y;
}

int main() {
  constexpr auto y = sum(etch::exp(longer<60>(x)));
  session s(y);
  s.run(y, x = {1.f, 2.f});  // wrong
}
