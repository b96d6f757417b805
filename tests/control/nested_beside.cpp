// SPDX-License-Identifier: MIT
#include "control/nested.hpp"

/// Two regions in one, beside each other.
TEST_CASE("AG-03: two regions beside each other in one, to the second derivative") {
  using namespace nested;
  check_siblings<counted, branch, counted>();
  check_siblings<scanned, counted, branch>();
  check_siblings<branch, counted, branch>();
  check_siblings<bounded, branch, repeated>();
  check_siblings<again, scanned, branch>();
  check_siblings<repeated, branch, again>();
}
