// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <etch/backend/memory_plan.hpp>

/// What a run of a plan works on: addresses, and the counts that named extents have.
namespace etch {

/// The part that is the same for all plans.
struct run_values {
  std::int64_t extent[extent_table::max_polynomials]{};  ///< value of each polynomial in named extents
  char* scratch = nullptr;                               ///< for kernels that pack their operands
  std::uint64_t seed = 0;
  std::uint64_t run = 0;

  constexpr std::int64_t value(extent_value e) const { return is_static(e) ? e : extent[polynomial_index(e)]; }
};

template <int Buffers>
struct run_memory : run_values {
  char* buffer[Buffers + 1]{};  ///< address of each buffer
};

}  // namespace etch
