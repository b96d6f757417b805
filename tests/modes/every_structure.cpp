// SPDX-License-Identifier: MIT
#include "modes/every_call.hpp"

namespace etch::modes {

TEST_CASE("EAG-02, EAG-11, TAPE-03, FUN-18: every op, structure: one function, equal in every mode") {
#include "every_call/structure.inc"
}

}  // namespace etch::modes
