// SPDX-License-Identifier: MIT
// What a slice of a named extent leaves must have a name or a number.
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"images", float, any<"batch">, 784> images;

int main() {
  constexpr auto y = slice(images, section<1>);
  constexpr auto z = slice(images, section<0, 8>, section<-10>);
  constexpr auto reversed = slice(images, section<from_start, to_end, -1>);
  (void)y, (void)z, (void)reversed;
}
