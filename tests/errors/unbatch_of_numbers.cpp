// SPDX-License-Identifier: MIT
// error: elements_are_unbatched_along_a_first_axis_which_a_number_lacks
// error: in_function<
// error: {"unbatch"}
#include <etch/data.hpp>

void numbers() {
  auto d = etch::data::range(3).unbatch();  // wrong
}
