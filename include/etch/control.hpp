// SPDX-License-Identifier: MIT
#pragma once
#include <etch/control/eager.hpp>
#include <etch/control/recompute.hpp>
#include <etch/passes/gradient_of_region.hpp>
#include <etch/session.hpp>
#include <etch/session/regions.hpp>
/// Loops and branches in graphs. Not in etch.hpp: who has none does not compile what plans and runs them.
