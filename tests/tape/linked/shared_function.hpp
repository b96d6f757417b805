// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager.hpp>
#include <etch/function.hpp>

/// One traced function of files with <etch/tape.hpp> and without it.
inline etch::function shared_function([](auto x) { return etch::sinh(x); });
