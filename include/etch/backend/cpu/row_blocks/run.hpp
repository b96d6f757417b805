// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/row_blocks/find.hpp>

/// Runs row groups: all steps on the first block of rows, then all on the next. Each is the step's own kernel on a part of its loop nest, and
/// every element is computed by the same operations in the same order as in the whole, so blocks do not change results.
namespace etch::cpu {

/// A step of a group.
struct blocked_step {
  kernel_call whole;
  std::int64_t frame_bytes = 0;
  int rank = 0, slots = 0;
  row_axes axes;
  /// By accesses: from one worker's block to the next's; -1: the memory holds all rows.
  const std::int64_t* worker_bytes = nullptr;
};

/// Its place among a plan's calls refers to it.
struct blocked_steps {
  blocked_step steps[row_group::most_steps];
  int count = 0;
  row_blocking blocks;
};

namespace detail {

/// Makes a copy of a step's frame that of one block, for a worker.
inline void narrow_frame(const blocked_step& s, const row_range& block, std::int64_t rows, int worker, char* copy) {
  using etch::detail::put;
  const nest_words n(s.rank, s.slots, s.whole.with);
  // A part of several matrices is flat: see row_blocking.
  const int last = s.axes.count - 1;
  std::int64_t begin[max_nest_rank], stack = block.stack;
  begin[last] = (last == 0 ? stack * rows + block.row : block.row) * s.axes.unit;
  put(copy + 8 * last, block.stacks * block.rows * s.axes.unit);
  for (int d = last - 1; d >= 0; stack /= n.extent(d--)) {
    begin[d] = stack % n.extent(d);
    put(copy + 8 * d, std::int64_t{1});
  }
  for (int k = 0; k < s.slots; ++k) {
    std::int64_t bytes = s.worker_bytes[k] >= 0 ? worker * s.worker_bytes[k] : 0;
    for (int d = 0; d <= last && s.worker_bytes[k] < 0; ++d) bytes += begin[d] * n.stride(k, d);
    put(copy + 8 * (s.rank + k), n.data(k) + bytes);
  }
}

inline void run_nothing(frame, const run_values&) {}

}  // namespace detail

/// Runs the `blocked_steps` that f refers to.
inline void run_row_blocks(frame f, const run_values& run) {
  const blocked_steps& group = *reinterpret_cast<const blocked_steps*>(f.at);
  const auto run_block = [&](int block, int worker, const run_values& own) {
    alignas(64) char copy[detail::most_frame_bytes];
    const row_range rows = group.blocks.at(block);
    for (int i = 0; i < group.count; ++i) {
      const blocked_step& s = group.steps[i];
      std::memcpy(copy, s.whole.with.at, static_cast<std::size_t>(s.frame_bytes));
      detail::narrow_frame(s, rows, group.blocks.rows, worker, copy);
      s.whole.function({copy}, own);
    }
  };
  const int blocks = static_cast<int>(group.blocks.count());
  if (run.threads == nullptr)
    for (int block = 0; block < blocks; ++block) run_block(block, 0, run);
  else
    run_tasks(*run.threads, blocks, [&](int block, int worker) { run_block(block, worker, values_of_worker(run, worker)); });
}

/// Base: step_blocker; see `shared_steps` for why it is a parameter.
template <class Base>
class row_blocks final : public Base {
 public:
  row_blocks(const step_tables& t, const buffer* buffers, int buffer_count)
      : t_(t), buffers_(buffers), buffer_count_(buffer_count) {}

  [[gnu::cold]] void find(const run_values& run, int workers) override {
    workers_ = workers;
    found_ = find_row_groups(t_, buffers_, buffer_count_, run, workers);
  }
  int first_of(int step) const override {
    for (int k = 0; k < found_.groups.size(); ++k)
      if (step >= found_.groups[k].first && step < found_.groups[k].first + found_.groups[k].count) return found_.groups[k].first;
    return -1;
  }

  [[gnu::cold]] const buffer* lay_out(const buffer* buffers, const step_sharer* stages) override {
    if (found_.groups.empty()) return buffers;
    note_worker_bytes();
    blocked_ = buffers_of_row_groups(found_, t_, buffers, buffer_count_, workers_,
                                     [&](int step) { return stages != nullptr ? stages->stage_of(step) : step; });
    return blocked_.data();
  }

  void make_ready(vector<kernel_call>& calls) override {
    groups_.resize(found_.groups.size());
    for (int k = 0; k < groups_.size(); ++k) {
      const row_group& g = found_.groups[k];
      groups_[k].count = g.count;
      groups_[k].blocks = g.blocks;
      for (int i = 0; i < g.count; ++i) {
        const plan_step& s = t_.steps[g.first + i];
        groups_[k].steps[i] = {calls[g.first + i], frame_bytes(s), s.rank,
                               s.access_count,     g.axes[i],      worker_bytes_.data() + s.first_access};
        calls[g.first + i] = {&detail::run_nothing, {}};
      }
      calls[g.first] = {&run_row_blocks, {reinterpret_cast<const char*>(&groups_[k])}};
    }
  }

 private:
  void note_worker_bytes() {
    const plan_step& last = t_.steps[t_.step_count - 1];
    worker_bytes_.resize(last.first_access + last.access_count);
    for (int n = 0; n < found_.groups.size(); ++n) {
      const row_group& g = found_.groups[n];
      for (int i = g.first; i < g.first + g.count; ++i)
        for (int k = t_.steps[i].first_access; k < t_.steps[i].first_access + t_.steps[i].access_count; ++k) {
          const int b = t_.accesses[k].buffer;
          worker_bytes_[k] = b < 0 || found_.row_bytes[b] == 0 ? -1 : block_bytes_of(g, found_.row_bytes[b]);
        }
    }
  }

  const step_tables& t_;
  const buffer* buffers_;
  int buffer_count_, workers_ = 1;
  row_groups found_;
  vector<buffer> blocked_;
  vector<std::int64_t> worker_bytes_;  ///< by the plan's accesses, of those of groups
  vector<blocked_steps> groups_;
};

template <class Base>
Base* make_row_blocks(const step_tables& t, const buffer* buffers, int buffer_count) {
  return new row_blocks<Base>(t, buffers, buffer_count);
}
/// That where it is needed, else null.
template <bool IsNeeded, class Base>
constexpr auto row_blocks_maker() -> Base* (*)(const step_tables&, const buffer*, int) {
  if constexpr (IsNeeded)
    return &make_row_blocks<Base>;
  else
    return nullptr;
}

}  // namespace etch::cpu
