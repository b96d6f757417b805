// SPDX-License-Identifier: MIT
// error: slice_out_of_range
// error: in_op<etch::slice>
// error: {"images"}, float
// error: attributes<0,
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"images", float, any<"batch">, 784> images;

int main() {
  constexpr auto y = slice(images, section<0, to_end, -1>);  // wrong
}
