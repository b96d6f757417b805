// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/team.hpp>
#include <etch/backend/cpu/threads/slices.hpp>

/// Stages: steps that need nothing of each other, which several threads run at the same time. What threads share in slices, or as products,
/// has all of them; stages are for the others: loops, draws, gathering, sorting, reductions to few numbers, tall products.
namespace etch::cpu {

/// The order in which threads run a plan's steps: stage by stage, the steps of a stage at the same time.
struct staging {
  vector<int> order;       ///< the steps, by stages; empty: that of the plan, each a stage of its own
  vector<int> first;       ///< of each stage, its place in the order; then the number of steps
  vector<int> stage;       ///< by steps
  vector<buffer> buffers;  ///< the plan's, their lifetimes counted in stages
};

/// A stage. Its place among a plan's calls refers to it.
struct staged_calls {
  const kernel_call* calls = nullptr;  ///< by steps
  const int* steps = nullptr;
  int count = 0;
};

namespace detail {

/// Which steps have to be over before which.
class step_order {
 public:
  step_order(const step_tables& t, const buffer* buffers, int buffer_count) : first_(1, 0) {
    find_memories(buffers, buffer_count);
    vector<int> writer(buffer_count, -1), readers(buffer_count, -1), next_reader;
    for (int i = 0; i < t.step_count; ++i) {
      const plan_step& s = t.steps[i];
      for (int k = 0; k < s.access_count; ++k) {
        const access& a = t.accesses[s.first_access + k];
        if (a.buffer < 0) continue;
        const int m = memory_[a.buffer];
        if (writer[m] >= 0) earlier_.push_back(writer[m]);
        for (int r = a.stores ? readers[m] : -1; r >= 0; r = next_reader[2 * r + 1])
          if (next_reader[2 * r] != i) earlier_.push_back(next_reader[2 * r]);
      }
      for (int k = 0; k < s.access_count; ++k) {
        const access& a = t.accesses[s.first_access + k];
        if (a.buffer < 0) continue;
        const int m = memory_[a.buffer];
        if (a.stores) {
          writer[m] = i;
          readers[m] = -1;
        } else {
          next_reader.push_back(i);
          next_reader.push_back(readers[m]);
          readers[m] = next_reader.size() / 2 - 1;
        }
      }
      first_.push_back(earlier_.size());
    }
  }

  /// Whether every step before which step i cannot run `is_over`.
  template <class F>
  bool is_free(int i, const F& is_over) const {
    for (int e = first_[i]; e < first_[i + 1]; ++e)
      if (!is_over(earlier_[e])) return false;
    return true;
  }

  /// Whether it reads or writes what step `other` does.
  bool waits_for(int i, int other) const {
    for (int e = first_[i]; e < first_[i + 1]; ++e)
      if (earlier_[e] == other) return true;
    return false;
  }

 private:
  /// Buffers of which one takes over another's memory are one memory; feeds, variables and fetches have one buffer each.
  void find_memories(const buffer* buffers, int count) {
    memory_.resize(count);
    for (int b = 0; b < count; ++b) memory_[b] = memory_of(buffers, b);
  }

  vector<int> memory_, earlier_, first_;
};

/// Goes through a plan, and where several of the next steps are free puts those that are worth a task each into one stage.
class stage_finder {
 public:
  stage_finder(const thread_needs* steps, int count, const step_order& order, const executor& threads)
      : steps_(steps), count_(count), order_(order), least_(threads.least_work()), workers_(threads.workers()), is_over_(count, 0) {
  }

  staging find() {
    for (int next = 0; next < count_; ++next) {
      if (is_over_[next]) continue;
      // What is small runs before the steps that wait for it: less than what it costs to hand a task out, or else than a task.
      if (is_worth_a_stage(next, least_ / 16, false) || is_worth_a_stage(next, least_, true)) {
        for (int i = 0; i < before_.size(); ++i) add(before_[i], true);
        for (int i = 0; i < members_.size(); ++i) add(members_[i], i == 0);
        --next;
      } else {
        add(next, true);
      }
    }
    found_.first.push_back(count_);
    if (found_.first.size() == count_ + 1) return {};
    return std::move(found_);
  }

 private:
  /// How far to look for steps that could run at the same time: those far behind would have to keep their results for long.
  static constexpr int window = 64;

  /// Looks among the next steps for those that are free, once such have run before them as are small, or shared in other ways.
  bool is_worth_a_stage(int next, std::int64_t small, bool shared_before) {
    before_.clear();
    members_.clear();
    if (steps_[next].use != step_use::any_thread) return false;
    std::int64_t total = 0, largest = 0;
    const auto is_over = [&](int i) { return is_over_[i] != 0; };
    for (int i = next, end = next + window; i < end && i < count_ && steps_[i].use < step_use::in_order; ++i) {
      if (is_over_[i] || !order_.is_free(i, is_over)) continue;
      const auto [use, work] = steps_[i];
      if (use == step_use::all_threads ? shared_before : work < small) {
        before_.push_back(i);
        is_over_[i] = 1;
      } else if (use == step_use::any_thread) {
        insert_by_work(i);
        total += work;
        if (work > largest) largest = work;
      }
    }
    for (int i = 0; i < before_.size(); ++i) is_over_[before_[i]] = 0;
    const std::int64_t shared = largest > total / workers_ ? largest : total / workers_;
    if (members_.size() < 2 || total - shared < least_) return false;
    leave_out_what_none_waits_for();
    return true;
  }
  void leave_out_what_none_waits_for() {
    vector<int> needed;
    const auto is_waited_for = [&](int i) {
      for (int k = 0; k < members_.size(); ++k)
        if (order_.waits_for(members_[k], i)) return true;
      for (int k = 0; k < needed.size(); ++k)
        if (order_.waits_for(needed[k], i)) return true;
      return false;
    };
    for (int k = before_.size() - 1; k >= 0; --k)
      if (is_waited_for(before_[k])) needed.push_back(before_[k]);
    before_.clear();
    for (int k = needed.size() - 1; k >= 0; --k) before_.push_back(needed[k]);
  }
  /// The longest first.
  void insert_by_work(int i) {
    members_.push_back(i);
    for (int at = members_.size() - 1; at > 0 && steps_[members_[at - 1]].work < steps_[i].work; --at) {
      members_[at] = members_[at - 1];
      members_[at - 1] = i;
    }
  }
  void add(int step, bool begins_stage) {
    if (begins_stage) found_.first.push_back(found_.order.size());
    found_.order.push_back(step);
    is_over_[step] = 1;
  }

  const thread_needs* steps_;
  int count_;
  const step_order& order_;
  std::int64_t least_;
  int workers_;
  vector<char> is_over_;  ///< by steps: it stands before what is looked for
  vector<int> before_, members_;
  staging found_;
};

/// What lies in the arena lives from the stage of the first step that touches it to that of the last.
inline void count_in_stages(const step_tables& t, const buffer* buffers, int count, staging& s) {
  s.stage.resize(t.step_count);
  for (int k = 0; k + 1 < s.first.size(); ++k)
    for (int i = s.first[k]; i < s.first[k + 1]; ++i) s.stage[s.order[i]] = k;
  s.buffers.append(buffers, count);
  for (int b = 0; b < count; ++b) s.buffers[b].first = t.step_count, s.buffers[b].last = -1;
  for (int i = 0; i < t.step_count; ++i)
    for (int k = 0; k < t.steps[i].access_count; ++k) {
      const int b = t.accesses[t.steps[i].first_access + k].buffer;
      if (b < 0) continue;
      if (s.stage[i] < s.buffers[b].first) s.buffers[b].first = s.stage[i];
      if (s.stage[i] > s.buffers[b].last) s.buffers[b].last = s.stage[i];
    }
}

}  // namespace detail

/// Whether threads share a product's blocks.
inline bool is_shared_product(const step_tables& t, const plan_step& s, const run_values& run, const executor& threads) {
  if (s.kind != cluster_kind::contraction) return false;
  const product_size size(s, t.accesses[s.first_access], t.extents_pool, [&](extent_value e) { return run.value(e); });
  return matmul_detail::is_shared(&threads, size.rows * size.columns * size.inner, size.is_columnwise);
}

/// The stages of a plan's steps.
inline staging stages_of(const step_tables& t, const buffer* buffers, int buffer_count, const thread_needs* steps,
                         const executor& threads) {
  const detail::step_order order(t, buffers, buffer_count);
  staging s = detail::stage_finder(steps, t.step_count, order, threads).find();
  if (!s.order.empty()) detail::count_in_stages(t, buffers, buffer_count, s);
  return s;
}

/// Runs the steps of the `staged_calls` that f refers to.
inline void run_stage(frame f, const run_values& run) {
  const staged_calls& stage = *reinterpret_cast<const staged_calls*>(f.at);
  if (stage.count == 1) {
    const kernel_call& c = stage.calls[*stage.steps];
    return c.function(c.with, run);
  }
  run_tasks(*run.threads, stage.count, [&](int task, int worker) {
    const kernel_call& c = stage.calls[stage.steps[task]];
    c.function(c.with, values_of_worker(run, worker));
  });
}

}  // namespace etch::cpu
