// SPDX-License-Identifier: MIT
#include "every_gradient.hpp"

namespace etch::every_gradient {

TEST_CASE("TAPE-03, TAPE-05: every differentiable op, structure: a tape gives the gradients of graphs") {
#include "every_call/structure.inc"
}

}  // namespace etch::every_gradient
