// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>

#include <etch/backend/cpu/tasks.hpp>
#include <etch/backend/sliced_step.hpp>

/// Steps in slices, which several threads run: each is the step's own kernel on a part of its loop nest. Every element is computed by
/// the same operations in the same order wherever the nest is cut, so results do not depend on the number of threads.
namespace etch::cpu {

namespace detail {

/// Frames of more bytes than this are not cut: a slice has a copy on its stack.
inline constexpr std::int64_t most_frame_bytes = 16384;

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

/// The number of elements of which a slice along an axis has a multiple: along the axis of vectors, so many that they lie in it as they
/// lie in the whole.
inline std::int64_t unit_along(const plan_step& s, int axis) {
  const bool is_vector_axis = s.kind == cluster_kind::sweep ? axis == s.kept - 1 && (s.lanes_along_rows || s.short_row > 0)
                                                            : s.kind != cluster_kind::contraction && axis == s.rank - 1;
  return is_vector_axis ? 256 : 1;
}
/// The axes [0, n) along which a nest can be cut: all of a map, the rows of a sweep, the stack of products.
inline int sliceable_axes(const plan_step& s) {
  switch (s.kind) {
    case cluster_kind::map:
    case cluster_kind::copy: return s.returned > 0 ? 0 : s.rank;
    case cluster_kind::sweep: return s.kept;
    case cluster_kind::contraction: return s.kept - 1 - s.rows;
    default: return 0;
  }
}

/// How many slices so much work is: some for each worker, so that a slow one is no matter.
inline std::int64_t wanted_slices(std::int64_t work, const executor& threads) {
  const std::int64_t worth = work / threads.least_work(), most = 4 * threads.workers();
  return worth < most ? worth : most;
}

}  // namespace detail

/// How threads share a step: by slices of about equal size.
inline slicing slicing_of(const step_tables& t, const plan_step& s, frame f, const executor& threads) {
  const int axes = detail::sliceable_axes(s);
  if (axes == 0) return {};
  const detail::nest_words n(s.rank, s.access_count, f);
  std::int64_t work = s.work + s.access_count;
  for (int d = 0; d < s.rank; ++d) work *= n.extent(d);
  const std::int64_t wanted = detail::wanted_slices(work, threads);
  slicing best;
  for (int d = 0; d < axes; ++d) {
    bool is_stored_once = true;
    for (int k = 0; k < s.access_count; ++k)
      is_stored_once = is_stored_once && (!t.accesses[s.first_access + k].stores || n.stride(k, d) != 0);
    if (!is_stored_once) continue;
    const std::int64_t extent = n.extent(d), unit = detail::unit_along(s, d);
    const std::int64_t units = (extent + unit - 1) / unit, slices = wanted < units ? wanted : units;
    if (slices <= best.slices) continue;  // of equal ones the outer axis: its slices lie apart in memory
    const std::int64_t length = (units + slices - 1) / slices * unit;
    best = {d, length, (extent + length - 1) / length};
  }
  // Each of few large products is shared better than they are.
  return s.kind == cluster_kind::contraction && best.slices < threads.workers() ? slicing{} : best;
}

/// The same of a step with a kernel of its own, along the first axis of all its operands and results.
inline slicing batch_slicing_of(const plan_step& s, frame f, const executor& threads) {
  std::int64_t work = 0, batch = 0;
  for (int k = 0; k < s.access_count; ++k) {
    const tensor_view& v = f.views()[k];
    if (v.rank == 0 || (k > 0 && v.extents[0] != batch)) return {};
    batch = v.extents[0];
    work += 4 * v.count();
  }
  const std::int64_t wanted = detail::wanted_slices(work, threads), slices = wanted < batch ? wanted : batch;
  if (slices < 2) return {};
  const std::int64_t length = (batch + slices - 1) / slices;
  return {0, length, (batch + length - 1) / length};
}

namespace detail {
/// Makes a copy of a step's frame that of one of its slices.
inline void narrow_frame(const sliced_step& s, std::int64_t begin, char* copy) {
  using etch::detail::put;
  if (s.views_of != nullptr) {
    for (int k = 0; k < s.slots; ++k) {
      tensor_view v = s.whole.views()[k];
      const std::int64_t left = v.extents[0] - begin;
      v.data += begin * v.strides[0] * size_of_dtype(s.views_of[k].type);
      v.extents[0] = left < s.cut.length ? left : s.cut.length;
      put(copy + 8 + static_cast<std::int64_t>(sizeof v) * k, v);
    }
    return;
  }
  const nest_words n(s.rank, s.slots, s.whole);
  const std::int64_t left = n.extent(s.cut.axis) - begin;
  put(copy + 8 * s.cut.axis, left < s.cut.length ? left : s.cut.length);
  for (int k = 0; k < s.slots; ++k) put(copy + 8 * (s.rank + k), n.data(k) + begin * n.stride(k, s.cut.axis));
}
}  // namespace detail

/// Runs all slices of the `sliced_step` that f refers to.
inline void run_slices(frame f, const run_values& run) {
  const sliced_step& s = *reinterpret_cast<const sliced_step*>(f.at);
  run_tasks(*run.threads, static_cast<int>(s.cut.slices), [&](int task, int worker) {
    alignas(64) char copy[detail::most_frame_bytes];
    std::memcpy(copy, s.whole.at, static_cast<std::size_t>(s.frame_bytes));
    detail::narrow_frame(s, task * s.cut.length, copy);
    run_values own = run;
    own.scratch += worker * run.scratch_bytes;
    own.threads = nullptr;
    s.function({copy}, own);
  });
}

/// The backend's `cut_function`.
inline void cut_step(const step_tables& t, const plan_step& s, const executor& threads, sliced_step& to, kernel_function& function,
                     frame& with) {
  const std::int64_t bytes = frame_bytes(s);
  if (bytes > detail::most_frame_bytes) return;
  const bool has_views = s.kind == cluster_kind::opaque;
  if (has_views && !s.is_batch) return;
  const slicing cut = has_views ? batch_slicing_of(s, with, threads) : slicing_of(t, s, with, threads);
  if (cut.slices < 2) return;
  to = {function, with, bytes, s.rank, s.access_count, has_views ? t.accesses + s.first_access : nullptr, cut};
  function = &run_slices;
  with = {reinterpret_cast<const char*>(&to)};
}

}  // namespace etch::cpu
