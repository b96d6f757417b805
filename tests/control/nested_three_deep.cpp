// SPDX-License-Identifier: MIT
#include "control/nested.hpp"

/// Regions in regions in regions.
TEST_CASE("AG-03: three regions in one another, to the second derivative") {
  using namespace nested;
  check_nest<counted, branch, scanned>();
  check_nest<branch, counted, branch>();
  check_nest<scanned, bounded, branch>();
  check_nest<again, repeated, branch>();
  check_nest<bounded, again, counted>();
}
