// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>

#include <etch/backend/cpu/kernel_cases.hpp>
#include <etch/backend/cpu/threads/tasks.hpp>
#include <etch/backend/step_sharing.hpp>

/// Steps in slices, which several threads run: each is the step's own kernel on a part of its loop nest. Every element is computed by
/// the same operations in the same order wherever the nest is cut, so results do not depend on the number of threads.
namespace etch::cpu {

/// Where a loop nest is cut: an axis, and how many of its elements a slice has.
struct slicing {
  int axis = -1;  ///< -1: nowhere
  std::int64_t length = 0, slices = 1;
};

/// A step that is run in slices. Its place among a plan's calls refers to it.
struct sliced_step {
  kernel_call whole;
  std::int64_t frame_bytes = 0;
  int rank = 0, slots = 0;
  const access* views_of = nullptr;  ///< its accesses, where the frame has views instead of a nest
  unsigned batch = 0;                ///< as `plan_step::batch`
  slicing cut;
};

namespace detail {

/// Frames of more bytes than this are not cut: a slice has a copy on its stack.
inline constexpr std::int64_t most_frame_bytes = 16384;

/// A step's loop nest in a run, without its addresses.
class sized_step {
 public:
  sized_step(const step_tables& t, const plan_step& s, const run_values& run) : t_(t), s_(s), run_(run) {}

  std::int64_t extent(int axis) const { return value(s_.first_extent + axis); }
  const access& operand(int k) const { return t_.accesses[s_.first_access + k]; }
  bool moves_along(int k, int axis) const { return value(operand(k).first_stride + axis) != 0; }
  /// Of an operand with axes of its own.
  std::int64_t extent_of(int k, int axis) const { return value(operand(k).first_stride + operand(k).rank + axis); }
  std::int64_t count_of(int k) const {
    std::int64_t n = 1;
    for (int d = 0; d < operand(k).rank; ++d) n *= extent_of(k, d);
    return n;
  }
  /// Flops and accesses to elements.
  std::int64_t work() const {
    std::int64_t total = 0;
    if (s_.walks_whole_operands()) {
      for (int k = 0; k < s_.access_count; ++k) total += 4 * count_of(k);
    } else {
      total = s_.work + s_.access_count;
      for (int d = 0; d < s_.rank; ++d) total *= extent(d);
    }
    return total;
  }

 private:
  std::int64_t value(int in_pool) const { return run_.value(t_.extents_pool[in_pool]); }

  const step_tables& t_;
  const plan_step& s_;
  const run_values& run_;
};

/// The number of elements of which a slice along an axis has a multiple: along the axis of vectors, so many that they lie in it as they
/// lie in the whole.
inline std::int64_t unit_along(const plan_step& s, int axis) {
  // Rows of scans that do not lie across memory are transposed by as many as a register has lanes.
  if (s.kind == cluster_kind::scan) return axis != s.kept - 1 ? 1 : s.lanes_along_rows ? 256 : 16;
  const bool is_vector_axis = s.kind == cluster_kind::sweep ? axis == s.kept - 1 && (s.lanes_along_rows || s.short_row > 0)
                                                            : s.kind != cluster_kind::contraction && axis == s.rank - 1;
  return is_vector_axis ? 256 : 1;
}
/// The axes [0, n) along which a nest can be cut: all of a map, the rows of a sweep, the stack of products.
inline int sliceable_axes(const plan_step& s) {
  switch (s.kind) {
    case cluster_kind::map:
    case cluster_kind::copy: return s.returned > 0 ? 0 : s.rank;
    case cluster_kind::sweep:
    case cluster_kind::scan: return s.kept;
    case cluster_kind::contraction: return s.kept - 1 - s.rows;
    default: return 0;
  }
}

/// How many slices so much work is: some for each worker, so that a slow one is no matter.
inline std::int64_t wanted_slices(std::int64_t work, const executor& threads) {
  const std::int64_t worth = work / threads.least_work(), most = 4 * threads.workers();
  return worth < most ? worth : most;
}

/// Slices of about equal size. has_blocks: whether the step's kernel can share each row.
inline slicing nest_slicing_of(const plan_step& s, const sized_step& sized, bool has_blocks, const executor& threads) {
  const int axes = sliceable_axes(s);
  if (axes == 0) return {};
  const std::int64_t wanted = wanted_slices(sized.work(), threads);
  slicing best;
  for (int d = 0; d < axes; ++d) {
    bool is_stored_once = true;
    for (int k = 0; k < s.access_count; ++k)
      is_stored_once = is_stored_once && (!sized.operand(k).stores || sized.moves_along(k, d));
    if (!is_stored_once) continue;
    const std::int64_t extent = sized.extent(d), unit = unit_along(s, d);
    const std::int64_t units = (extent + unit - 1) / unit, slices = wanted < units ? wanted : units;
    if (slices <= best.slices) continue;  // of equal ones the outer axis: its slices lie apart in memory
    const std::int64_t length = (units + slices - 1) / slices * unit;
    best = {d, length, (extent + length - 1) / length};
  }
  // Each of few large products, and of few long rows, is shared better than they are.
  const bool shares_itself = s.kind == cluster_kind::contraction || has_blocks;
  return shares_itself && best.slices < threads.workers() ? slicing{} : best;
}
/// Of a step with a kernel of its own: along the first axis of its result and of some operands.
inline slicing batch_slicing_of(const plan_step& s, const sized_step& sized, const executor& threads) {
  if (s.access_count > 32) return {};
  std::int64_t batch = 0;
  for (int k = 0; k < s.access_count; ++k) {
    if ((s.batch >> k & 1) == 0) continue;
    if (sized.operand(k).rank == 0 || (k > 0 && sized.extent_of(k, 0) != batch)) return {};
    batch = sized.extent_of(k, 0);
  }
  const std::int64_t wanted = wanted_slices(sized.work(), threads), slices = wanted < batch ? wanted : batch;
  if (slices < 2) return {};
  const std::int64_t length = (batch + slices - 1) / slices;
  return {0, length, (batch + length - 1) / length};
}

/// The nest in a step's frame, whose type only the kernel knows.
class nest_words {
 public:
  nest_words(int rank, int slots, frame f) : rank_(rank), slots_(slots), at_(f.at) {}
  std::int64_t extent(int axis) const { return word<std::int64_t>(axis); }
  char* data(int slot) const { return word<char*>(rank_ + slot); }
  std::int64_t stride(int slot, int axis) const { return word<std::int64_t>(rank_ + slots_ + 1 + slot * rank_ + axis); }

 private:
  template <class T>
  T word(int i) const {
    T value;
    std::memcpy(&value, at_ + 8 * i, sizeof value);
    return value;
  }
  int rank_, slots_;
  const char* at_;
};

/// Makes a copy of a step's frame that of one of its slices.
inline void narrow_frame(const sliced_step& s, std::int64_t begin, char* copy) {
  using etch::detail::put;
  if (s.views_of != nullptr) {
    for (int k = 0; k < s.slots; ++k) {
      if ((s.batch >> k & 1) == 0) continue;
      tensor_view v = s.whole.with.views()[k];
      const std::int64_t left = v.extents[0] - begin;
      v.data += begin * v.strides[0] * size_of_dtype(s.views_of[k].type);
      v.extents[0] = left < s.cut.length ? left : s.cut.length;
      v.first = begin;
      put(copy + 8 + static_cast<std::int64_t>(sizeof v) * k, v);
    }
    return;
  }
  const nest_words n(s.rank, s.slots, s.whole.with);
  const std::int64_t left = n.extent(s.cut.axis) - begin;
  put(copy + 8 * s.cut.axis, left < s.cut.length ? left : s.cut.length);
  for (int k = 0; k < s.slots; ++k) put(copy + 8 * (s.rank + k), n.data(k) + begin * n.stride(k, s.cut.axis));
}

}  // namespace detail

/// Where a step is cut: nowhere, if there are fewer than two slices.
inline slicing slicing_of(const step_tables& t, const plan_step& s, const run_values& run, const executor& threads) {
  if (frame_bytes(s) > detail::most_frame_bytes) return {};
  const detail::sized_step sized(t, s, run);
  if (s.kind == cluster_kind::opaque) return s.batch != 0 ? detail::batch_slicing_of(s, sized, threads) : slicing{};
  return detail::nest_slicing_of(s, sized, has_shared_blocks({s, t.accesses + s.first_access, t.extents_pool}), threads);
}

/// Runs all slices of the `sliced_step` that f refers to.
inline void run_slices(frame f, const run_values& run) {
  const sliced_step& s = *reinterpret_cast<const sliced_step*>(f.at);
  run_tasks(*run.threads, static_cast<int>(s.cut.slices), [&](int task, int worker) {
    alignas(64) char copy[detail::most_frame_bytes];
    std::memcpy(copy, s.whole.with.at, static_cast<std::size_t>(s.frame_bytes));
    detail::narrow_frame(s, task * s.cut.length, copy);
    s.whole.function({copy}, values_of_worker(run, worker));
  });
}

}  // namespace etch::cpu
