// SPDX-License-Identifier: MIT
#include "every_op.hpp"

namespace etch::every_op {

TEST_CASE("EAG-02, EAG-11: every op, functions: eager = reference") {
#include "every_call/functions.inc"
}

}  // namespace etch::every_op
