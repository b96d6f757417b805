// SPDX-License-Identifier: MIT
// error: an_extent_is_negative_name_one_that_is_not_known_by_any
// error: in_op<etch::broadcast_to>
// error: etch::shape<-1, 3>
#include <etch/etch.hpp>

using namespace etch;

int main() {
  const auto y = zeros<float>(shape<-1, 3>{});  // wrong
  session s(y);
  s.run(y);
}
