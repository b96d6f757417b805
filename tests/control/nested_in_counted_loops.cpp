// SPDX-License-Identifier: MIT
#include "control/nested.hpp"

/// for_range and scan with each kind of region in them.
TEST_CASE("AG-03: each kind of region in for_range, to the second derivative") { nested::check_nests_in<nested::counted>(); }
TEST_CASE("AG-03: each kind of region in scan, to the second derivative") { nested::check_nests_in<nested::scanned>(); }
