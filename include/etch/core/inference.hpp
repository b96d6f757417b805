// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/vector.hpp>
#include <etch/core/diagnostics.hpp>
#include <etch/core/shape.hpp>

/// What shape rules are given, and where they say what is wrong.
namespace etch {

/// Extents of one table that a shape rule takes for equal.
struct assumption {
  extent_value a, b;
};

/// Why an op does not take operands of that dtype.
constexpr reason why_not_accepted(dtype d) {
  return is_storage(d) ? reason::this_dtype_is_for_storage_write_astype_float_of_it_first : reason::dtype_not_accepted;
}

/// The context of a shape rule: the table of named extents, and where an error is written.
struct inference {
  extent_table& extents;
  reason failure = reason::none;
  vector<assumption>* assumed = nullptr;  ///< where what is taken for equal is noted
  bool exact = false;                     ///< nothing is

  /// Whether two extents are one, or are taken for one since an argument's may be any.
  constexpr bool agree(extent_value a, extent_value b) {
    if (a == b) return true;
    if (exact || !extents.may_agree(a, b)) return false;
    if (assumed != nullptr) assumed->push_back({a, b});
    return true;
  }
  constexpr bool agree(const tensor_type& a, const tensor_type& b) { return a.rank == b.rank && agree_in_first(a.rank, a, b); }
  /// Of the first axes.
  constexpr bool agree_in_first(int axes, const tensor_type& a, const tensor_type& b) {
    bool all = a.rank >= axes && b.rank >= axes;
    for (int i = 0; all && i < axes; ++i) all = agree(a.extents[i], b.extents[i]);
    return all;
  }

  constexpr tensor_type fail(reason r, const tensor_type& harmless) {
    if (failure == reason::none) failure = r;
    return harmless;
  }
};

}  // namespace etch
