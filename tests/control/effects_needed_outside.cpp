// SPDX-License-Identifier: MIT
#include "control/effects_needed_outside.hpp"

/// Calls and prints that are needed whatever is chosen, captured in regions: they happen once, before.

TEST_CASE("AG-06: a call whose value is needed outside of a region and in it happens once, also for the gradient") {
  effects::check_needed_outside_of_all<effects::calls>();
}

TEST_CASE("AG-06: neither is printed again what a region reads of what is needed outside") {
  using namespace effects;
  check_needed_outside<prints, nested::branch>();
  check_needed_outside<prints, nested::counted>();
}

TEST_CASE("AG-06: a call that regions in one another read, and that is needed outside of both, happens once") {
  effects::check_needed_outside_of_pairs<effects::calls>();
}
