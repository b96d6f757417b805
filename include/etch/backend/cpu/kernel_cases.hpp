// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/cases.hpp>
#include <etch/backend/cpu/simd/memory.hpp>
#include <etch/schedule/plan.hpp>

/// What the CPU's kernels are compiled from. Kernels for some extents only are made where they are faster or smaller; all else is left to
/// the run, so that steps share kernels.
namespace etch::cpu {

/// Whether a sweep has few rows, which are so long that threads share the blocks of each: as far as its extents are numbers.
constexpr bool has_shared_blocks(const step_view& v) {
  const plan_step& s = v.step;
  if (s.kind != cluster_kind::sweep || s.lanes_along_rows || s.short_row > 0) return false;
  constexpr std::int64_t most_rows = 16, least_elements = 65536;
  const std::int64_t rows = static_count(v.extents_pool + s.first_extent, s.kept),
                     elements = static_count(v.extents_pool + s.first_extent + s.kept, s.rank - s.kept);
  return rows >= 0 && rows <= most_rows && (elements < 0 || elements >= least_elements);
}

namespace detail {

constexpr kernel_cases cases_of_map(const step_view& v) {
  const plan_step& s = v.step;
  kernel_cases c;
  if (s.returned > 0) return c;
  const std::int64_t count = v.count();
  c.has_one_element = count == 1;
  if (s.rank > 1 && (count < 0 || count >= 1024))
    for (int k = 0; k < s.access_count; ++k) {
      const extent_value step = v.stride(k, s.rank - 1);
      c.is_tiled = c.is_tiled || (v.accesses[k].buffer >= 0 && step != 0 && step != 1);
    }
  c.may_stream = (s.rank == 1 || c.is_tiled) && (count < 0 || count >= least_streamed_bytes / 8 / (1 + s.access_count));
  return c;
}

/// Whether a map has many rows of a few elements each beside operands that are one number for each row, and nothing but such, what is the same in each
/// row, and rows that lie behind one another.
constexpr bool has_columns_beside_short_rows(const step_view& v) {
  const plan_step& s = v.step;
  constexpr std::int64_t longest = 128, least_elements = 1024;
  if (s.rank < 2 || s.returned > 0) return false;
  const extent_value row = v.extent(s.rank - 1);
  const std::int64_t count = v.count();
  if (!is_static(row) || row < 2 || row >= longest || row % 16 == 0 || (count >= 0 && count < least_elements)) return false;
  bool has_columns = false;
  for (int k = 0; k < s.access_count; ++k) {
    if (v.accesses[k].buffer < 0) return false;
    const extent_value across = v.stride(k, s.rank - 2), along = v.stride(k, s.rank - 1);
    if (along == 1 && across == row) continue;
    if (v.accesses[k].stores || (along != 0 && (along != 1 || across != 0))) return false;
    has_columns = has_columns || (along == 0 && across != 0);
  }
  return has_columns;
}

/// The lanes of a register of sums; 0 where they are computed without vectors. Those of double by the size, since programs without doubles
/// need not compile what registers of them have.
constexpr index lanes_of_sums(dtype type) {
  switch (type) {
    case dtype::float32: return matmul_detail::is_vectorised<float> ? matmul_detail::lanes<float> : 0;
    case dtype::float64: return matmul_detail::is_vectorised<double> ? matmul_detail::lanes<float> / 2 : 0;
    default: return 0;
  }
}
constexpr kernel_cases cases_of_product(const step_view& v) {
  const plan_step& s = v.step;
  kernel_cases c;
  if (!s.is_plain_product() || s.bounded > 0 || s.reads_narrow(v.accesses[0])) return c;
  const auto number = [](extent_value e) { return is_static(e) ? e : -1; };
  const index rows = number(v.extent(s.kept - 2)), columns = number(v.extent(s.kept - 1)), inner = number(v.extent(s.kept));
  c.few_columns = columns < 5;
  const bool is_computed = (s.packed & 2) != 0;
  const extent_value right_step = is_computed ? 1 : v.stride(1, s.kept - 1);
  const index lanes = lanes_of_sums(s.type);
  // One row times what is computed for it takes other code: `packed_matmul`.
  const bool is_known = columns >= 0 && inner >= 0 && !(is_computed && rows == 1),
             is_small = is_known && rows >= 0 && is_small_product(lanes, rows, columns, inner, right_step == 1);
  if (is_small || (is_known && is_small_product(lanes, -1, columns, inner, right_step == 1))) {
    c.small_rows = static_cast<std::int16_t>(is_small ? rows : -1);
    c.small_columns = static_cast<std::int16_t>(columns);
    c.small_inner = static_cast<std::int16_t>(inner);
    return c;
  }
  if (s.packed != 0) return c;
  constexpr index large = std::int64_t{1} << 31;
  const bool is_several = has_several_rows(rows, columns < 0 ? large : columns, inner < 0 ? large : inner);
  c.rows = rows < 0 ? product_rows::any : rows == 1 ? product_rows::one : is_several ? product_rows::several : product_rows::many;
  c.contiguous_rows = !is_static(right_step) || right_step == 1;
  c.other_rows = right_step != 1;
  return c;
}

}  // namespace detail

constexpr kernel_key key_of(const step_view& v) {
  kernel_key key = key_of_step(v.step);
  switch (v.step.kind) {
    case cluster_kind::map:
    case cluster_kind::copy:
      key.cases = detail::cases_of_map(v);
      key.cases.packs_rows = !key.cases.is_tiled && detail::has_columns_beside_short_rows(v);
      break;
    case cluster_kind::sweep: key.cases.has_blocks = has_shared_blocks(v); break;
    case cluster_kind::contraction: key.cases = detail::cases_of_product(v); break;
    case cluster_kind::scan:
    case cluster_kind::opaque:
    case cluster_kind::call: break;
  }
  return key;
}

}  // namespace etch::cpu
