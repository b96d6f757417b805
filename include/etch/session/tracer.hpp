// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <mutex>
#include <thread>

#include <etch/schedule/print.hpp>
#include <etch/session/plan_memory.hpp>
#include <etch/session/regions.hpp>
#include <etch/session/run_metadata.hpp>

/// Puts a clock around each step of a plan while it runs. Where the steps' functions stand others are put, and taken away afterwards, so that
/// a run that is not traced asks nothing.
namespace etch::detail {

struct frame_access {
  template <class Memory>
  static plan_frames<Memory>& frames(plan_memory<Memory>& m) {
    return m.frames_;
  }
  template <class Memory>
  static auto& calls(plan_frames<Memory>& f) {
    return f.calls_;
  }
  template <class Memory>
  static vector<part_runner<Memory>*>& parts(plan_frames<Memory>& f, int call) {
    return static_cast<parts_runner<Memory>*>(f.regions_[call].runner)->parts_;
  }
};

/// What is known of a step before it runs. Those of a call follow it.
struct described_step {
  std::string name, op, place;
  const char* kind = "";
  int parent = -1;
  /// Operations for each element of the loop nest, for each row of a sweep, for each that a product sums.
  int for_all = 0, for_rows = 0, for_products = 0;
};

/// The operations of step I, by what they are done for.
template <class Plan, int I, int W>
void add_cost(described_step& to) {
  constexpr int at = Plan::value.steps[I].first_word + 2 * W;
  constexpr instruction in = decode_instruction(Plan::value.program_words[at], Plan::value.program_words[at + 1]);
  if constexpr (in.code == opcode::apply || in.code == opcode::reduce)
    (in.section % 2 == 0 ? to.for_all : to.for_rows) += op_of<in.payload>::cost;
  if constexpr (in.code == opcode::accumulator) to.for_products += op_of<Plan::value.steps[I].op>::cost;
}
template <class Plan, int I>
void add_costs(described_step& to) {
  if constexpr (Plan::value.steps[I].kind == cluster_kind::opaque)
    to.for_all = op_of<Plan::value.steps[I].op>::cost;
  else if constexpr (Plan::value.steps[I].kind != cluster_kind::call)
    [&]<int... W>(std::integer_sequence<int, W...>) {
      (add_cost<Plan, I, W>(to), ...);
    }(std::make_integer_sequence<int, Plan::value.steps[I].word_count / 2>{});
}

template <class Plan>
void describe(const record* const* roots, int count, int parent, std::vector<described_step>& to);

template <class Plan, int I>
void describe_step(const named_graph& g, const record* const* roots, int count, int parent, std::vector<described_step>& to) {
  const auto& p = Plan::value;
  constexpr const plan_step& s = Plan::value.steps[I];
  described_step d;
  for (int k = 0; k < s.access_count; ++k) {
    const access& a = p.accesses[s.first_access + k];
    if (!a.stores || a.buffer < 0) continue;
    const int node = p.buffers[a.buffer].node;
    if (node >= 0 && d.place.empty()) d.place = g.places[static_cast<std::size_t>(node)];
    add_name(d.name, node >= 0 ? g.names[static_cast<std::size_t>(node)] : buffer_text<Plan>(a.buffer, g));
  }
  d.op = program_text<Plan, s.kernel>();
  if (d.op.empty()) d.op = s.op_name;
  if (d.name.empty()) d.name = d.op;
  d.kind = kind_name(s.kind);
  d.parent = parent;
  add_costs<Plan, I>(d);
  const int itself = static_cast<int>(to.size());
  to.push_back(d);
  if constexpr (s.kind == cluster_kind::call) {
    constexpr int number = static_cast<int>(Plan::value.attributes[s.first_attribute + 1]);
    [&]<int... Part>(std::integer_sequence<int, Part...>) {
      (describe<typename Plan::template part<number, Part>>(roots, count, itself, to), ...);
    }(std::make_integer_sequence<int, Plan::template parts<number>>{});
  }
}
template <class Plan>
void describe(const record* const* roots, int count, int parent, std::vector<described_step>& to) {
  const named_graph g = name_nodes(kept_graph<typename Plan::materialised>::value.thaw(), roots, count);
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (describe_step<Plan, I>(g, roots, count, parent, to), ...);
  }(std::make_integer_sequence<int, Plan::size.steps>{});
}
template <class Plan>
std::vector<described_step> describe_steps() {
  std::vector<described_step> steps;
  describe<Plan>(Plan::fetches::records, Plan::fetches::size, -1, steps);
  return steps;
}

/// While it lives, the steps of a plan and of all that it calls are timed.
class tracer {
 public:
  tracer(const std::vector<described_step>& steps, plan_frames<host_memory>& frames) : steps_(steps) {
    traced_.reserve(steps.size());
    instrument(frames);
  }
  tracer(const tracer&) = delete;
  tracer& operator=(const tracer&) = delete;
  ~tracer() {
    for (const traced_call& c : traced_) c.restore();
  }

  void run(plan_memory<host_memory>& memory, std::uint64_t number) {
    threads_.assign(1, std::this_thread::get_id());
    begin_ = clock::now();
    memory.execute(number);
    duration_ = since_begin();
  }
  void write(run_metadata& to) {
    to.steps.clear();
    to.calls = std::move(calls_);
    to.threads = threads_;
    to.begin = begin_;
    to.duration = duration_;
    std::vector<int> place(steps_.size(), -1);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const traced_call& c = traced_[i];
      if (c.count == 0) continue;
      place[i] = static_cast<int>(to.steps.size());
      const described_step& d = steps_[i];
      to.steps.push_back({d.name, d.op, d.kind, d.place, d.parent < 0 ? -1 : place[static_cast<std::size_t>(d.parent)], c.count,
                          c.start, c.duration, c.bytes * c.count, c.flops * c.count});
    }
    for (step_call& c : to.calls) c.step = place[static_cast<std::size_t>(c.step)];
  }

 private:
  using clock = std::chrono::steady_clock;
  struct traced_call {
    tracer* to;
    int step;
    kernel_function function;
    frame with;
    kernel_function* function_at;
    frame* with_at;
    std::int64_t bytes, flops, count, start, duration;

    void restore() const {
      *function_at = function;
      *with_at = with;
    }
  };
  static void timed(frame f, const run_values& run) {
    auto& c = *reinterpret_cast<traced_call*>(const_cast<char*>(f.at));
    const std::int64_t start = c.to->since_begin();
    c.function(c.with, run);
    const std::int64_t duration = c.to->since_begin() - start;
    const std::lock_guard lock(c.to->several_threads_);
    if (c.count++ == 0) c.start = start;
    c.duration += duration;
    c.to->calls_.push_back({c.step, start, duration, c.to->number_of(std::this_thread::get_id())});
  }
  int number_of(std::thread::id thread) {
    std::size_t i = 0;
    while (i < threads_.size() && threads_[i] != thread) ++i;
    if (i == threads_.size()) threads_.push_back(thread);
    return static_cast<int>(i);
  }
  std::int64_t since_begin() const { return std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - begin_).count(); }

  /// Walks the steps as `describe` does. Of those that run block by block the first has the time, so it counts for all.
  void instrument(plan_frames<host_memory>& frames) {
    const step_tables& t = frames.plan().tables;
    auto& calls = frame_access::calls(frames);
    std::vector<std::size_t> at;
    for (int i = 0; i < t.step_count; ++i) {
      const plan_step& s = t.steps[i];
      const int step = static_cast<int>(traced_.size());
      at.push_back(traced_.size());
      traced_.push_back({this, step, calls[i].function, calls[i].with, &calls[i].function, &calls[i].with, bytes_of(frames, s),
                         flops_of(frames, s, steps_[static_cast<std::size_t>(step)]), 0, 0, 0});
      if (const int first = frames.first_of_blocks(i); first >= 0 && first < i) {
        traced_[at[static_cast<std::size_t>(first)]].bytes += traced_.back().bytes;
        traced_[at[static_cast<std::size_t>(first)]].flops += traced_.back().flops;
        continue;
      }
      calls[i].function = &timed;
      calls[i].with = {reinterpret_cast<const char*>(&traced_.back())};
      if (s.kind != cluster_kind::call) continue;
      auto& parts = frame_access::parts(frames, static_cast<int>(t.attributes[s.first_attribute + 1]));
      for (int k = 0; k < parts.size(); ++k) instrument(parts[k]->frames());
    }
  }
  static std::int64_t bytes_of(const plan_frames<host_memory>& frames, const plan_step& s) {
    const step_tables& t = frames.plan().tables;
    std::int64_t total = 0;
    for (int k = 0; k < s.access_count; ++k) {
      const access& a = t.accesses[s.first_access + k];
      if (a.buffer < 0) continue;
      std::int64_t bytes = size_of_dtype(a.type);
      const int rank = s.walks_whole_operands() ? a.rank : s.rank;
      for (int d = 0; d < rank; ++d) {
        const int at = s.walks_whole_operands() ? a.first_stride + rank + d : s.first_extent + d;
        const std::int64_t extent = frames.value(t.extents_pool[at]);
        if (extent == 0 || frames.value(t.extents_pool[a.first_stride + d]) != 0) bytes *= extent;
      }
      total += bytes * ((a.loads ? 1 : 0) + (a.stores ? 1 : 0));
    }
    return total;
  }
  static std::int64_t flops_of(const plan_frames<host_memory>& frames, const plan_step& s, const described_step& d) {
    const step_tables& t = frames.plan().tables;
    std::int64_t all = 1, rows = 1;
    for (int i = 0; i < s.rank; ++i) {
      const std::int64_t extent = frames.value(t.extents_pool[s.first_extent + i]);
      all *= extent;
      if (i < s.kept) rows *= extent;
    }
    const std::int64_t elements = s.kind == cluster_kind::contraction ? rows : all;
    return elements * d.for_all + rows * d.for_rows + all * d.for_products;
  }

  const std::vector<described_step>& steps_;
  std::vector<traced_call> traced_;  ///< never moved: frames point at them
  std::vector<step_call> calls_;
  std::vector<std::thread::id> threads_;
  std::mutex several_threads_;  ///< steps of one stage end at the same time
  clock::time_point begin_;
  std::int64_t duration_ = 0;
};

}  // namespace etch::detail
