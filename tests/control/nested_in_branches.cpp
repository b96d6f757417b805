// SPDX-License-Identifier: MIT
#include "control/nested.hpp"

/// cond and recompute with each kind of region in them.
TEST_CASE("AG-03: each kind of region in cond, to the second derivative") { nested::check_nests_in<nested::branch>(); }
TEST_CASE("AG-03: each kind of region in recompute, to the second derivative") { nested::check_nests_in<nested::again>(); }
