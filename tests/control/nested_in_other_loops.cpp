// SPDX-License-Identifier: MIT
#include "control/nested.hpp"

/// while_loop and repeat with each kind of region in them.
TEST_CASE("AG-03: each kind of region in while_loop, to the second derivative") { nested::check_nests_in<nested::bounded>(); }
TEST_CASE("AG-03: each kind of region in repeat, to the second derivative") { nested::check_nests_in<nested::repeated>(); }
