// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/simd/bytes.hpp>
#include <etch/backend/cpu/simd/functions.hpp>
#include <etch/backend/cpu/simd/halves.hpp>
#include <etch/backend/cpu/simd/lanes.hpp>
#include <etch/backend/cpu/simd/mask.hpp>
#include <etch/backend/cpu/simd/memory.hpp>

/// Everything the kernels of this backend know of vector registers: `batch`, `lanes`, loads and stores of whole and partial
/// batches, masks, lanes, and `math::` for batches. The result for an element depends on that element alone, never on where
/// in a batch it lies: a remainder at the end of a row is computed by the same code as the rest.
