// SPDX-License-Identifier: MIT
// GRA-19.
// error: shapes_do_not_broadcast
// error: in_op<etch::add>
// error: {"images"}, float, etch::shape<etch::extent_named
// error: {"batch"}>
// error: 784>
// error: {"scale"}, float, etch::shape<100>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"images", float, any<"batch">, 784> images;
constexpr placeholder<"scale", float, 100> scale;

int main() {
  constexpr auto y = images + scale;  // wrong
}
