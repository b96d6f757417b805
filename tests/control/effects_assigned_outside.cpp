// SPDX-License-Identifier: MIT
#include "control/effects_needed_outside.hpp"

/// Assignments that are needed whatever is chosen, captured in regions: they are one, and made before.

TEST_CASE("AG-06: an assignment whose value is needed outside of a region and in it is made once, also for the gradient") {
  effects::check_needed_outside_of_all<effects::assigns>();
}

TEST_CASE("AG-06: an assignment that regions in one another read, and that is needed outside of both, is made once") {
  effects::check_needed_outside_of_pairs<effects::assigns>();
}
