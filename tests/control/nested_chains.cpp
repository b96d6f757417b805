// SPDX-License-Identifier: MIT
#include "control/nested.hpp"

/// Two regions in one, of which one reads what the other gives.
TEST_CASE("AG-03: a region of what another gives, both in one, to the second derivative") {
  using namespace nested;
  check_chain<counted, counted, branch>();
  check_chain<counted, branch, counted>();
  check_chain<branch, branch, counted>();
  check_chain<scanned, again, branch>();
  check_chain<bounded, scanned, branch>();
  check_chain<repeated, again, branch>();
  check_chain<again, branch, repeated>();
}
