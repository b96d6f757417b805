// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/hash.hpp>
#include <etch/core/dtype.hpp>
#include <etch/passes/cluster.hpp>

/// What makes two steps one kernel, and all that a kernel is compiled from.
namespace etch {

/// How many rows a product can have, as far as kernels differ by that: several are so few that there is other code for them than for many.
enum class product_rows : std::int16_t { any, one, several, many };

/// What is known of a step's extents and strides, as far as its backend has other code for it.
struct kernel_cases {
  /// Products with straight-line code: their extents. Rows are -1 where they are not known.
  std::int16_t small_rows = -1, small_columns = -1, small_inner = -1;
  constexpr bool is_small() const { return small_columns >= 0; }
  /// Other products: what can happen.
  product_rows rows = product_rows::any;
  bool few_columns = true, contiguous_rows = true, other_rows = true;
  bool has_one_element = false;  ///< maps: so there is nothing to put into vectors
  bool may_stream = false;       ///< maps: they may touch so much memory that results had better be non-temporal stores
  bool is_tiled = false;         ///< maps: they read or write along another axis than they walk, and enough for tiles of that
  bool packs_rows = false;       ///< maps: their rows fill no registers, and lie beside columns
  bool has_blocks = false;       ///< sweeps: threads share the blocks of each row

  constexpr bool operator==(const kernel_cases&) const = default;
};

/// A kernel is compiled from its key, its program and the types of its first `typed_accesses` accesses, and from nothing else; steps in
/// which all of these are equal share it. A target makes the key of a step (`target_description::key_of`), and says there no more of
/// extents and strides than its backend has code for: else equal kernels would be compiled twice. What does not concern a kernel of that
/// kind stays as it is here.
struct kernel_key {
  std::uint64_t op = 0;  ///< of a kernel of its own
  std::int32_t word_count = 0, access_count = 0, typed_accesses = 0;
  std::int32_t lag = 0;  ///< as `plan_step::lag`; so are the fields of these names below
  std::int16_t returned = 0, short_row = 0, rank = 0, kept = 0;
  kernel_cases cases = {};
  std::int8_t rows = 0, bounded = 0, packed = 0;
  cluster_kind kind = cluster_kind::map;
  dtype type = dtype::none;
  bool on_host = false, is_columnwise = false, lanes_along_rows = false;

  constexpr bool operator==(const kernel_key&) const = default;
  constexpr hash_t hash() const {
    struct bits {
      std::uint64_t at[7];
    };
    static_assert(__has_unique_object_representations(kernel_key) && sizeof(bits) == sizeof(kernel_key));
    const bits b = __builtin_bit_cast(bits, *this);
    constexpr hash_t m = 0x9e3779b97f4a7c15ull;
    // One expression, since each statement is a step of the compiler's.
    return ((((((b.at[0] * m ^ b.at[1]) * m ^ b.at[2]) * m ^ b.at[3]) * m ^ b.at[4]) * m ^ b.at[5]) * m ^ b.at[6]) * m;
  }
};

/// A kernel of a plan.
struct plan_kernel {
  kernel_key key;
  int first_step = 0;  ///< that runs it: where its program and its types are found
};

}  // namespace etch
