// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <etch/backend/memory_plan.hpp>
#include <etch/base/executor.hpp>

namespace etch {

/// What a run of a plan works on beside its buffers: the counts that named extents have, scratch memory, random numbers.
struct run_values {
  std::int64_t extent[extent_table::max_polynomials]{};  ///< value of each polynomial in named extents
  char* scratch = nullptr;                               ///< for kernels that pack their operands, for each worker as much
  std::int64_t scratch_bytes = 0;                        ///< of one worker
  executor* threads = nullptr;                           ///< null: the thread that runs does all
  std::uint64_t seed = 0;
  std::uint64_t run = 0;

  constexpr std::int64_t value(extent_value e) const { return is_static(e) ? e : extent[polynomial_index(e)]; }
};

}  // namespace etch
