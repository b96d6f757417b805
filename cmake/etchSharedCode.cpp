// SPDX-License-Identifier: MIT
// What <etch/precompiled.hpp> leaves out of the files that include it.
#define ETCH_SHARED_CODE
#include <etch/precompiled.hpp>
