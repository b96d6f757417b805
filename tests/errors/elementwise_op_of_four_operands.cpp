// SPDX-License-Identifier: MIT
// error: elementwise: an op has one, two or three operands
#include <etch/etch.hpp>

struct four : etch::elementwise<four, 4> {  // wrong
  static constexpr const char* name = "four";
  template <class V>
  ETCH_HOST_DEVICE static constexpr V kernel(const V& a, const V& b, const V& c, const V& d) {
    return V(a + b + c + d);
  }
};

int main() {}
