// SPDX-License-Identifier: MIT
#include "every_op.hpp"

namespace etch::every_op {

TEST_CASE("EAG-02, EAG-11: every op, structure: eager = reference") {
#include "every_call/structure.inc"
}

}  // namespace etch::every_op
