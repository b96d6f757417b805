// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/threads/stages.hpp>
#include <etch/ops/regions.hpp>

/// A plan's steps as threads share them: in slices, as products, in stages.
namespace etch::cpu {

/// Base: step_sharer. A template as all that overrides a function which sessions call: g++ takes it for a possible target of the call and
/// compiles it, needed or not (this and `row_blocks` were 0.29 of the GIMPLE of a small program, before it is inlined).
template <class Base>
class shared_steps final : public Base {
 public:
  shared_steps(const step_tables& t, const buffer* buffers, int buffer_count, const executor& threads)
      : t_(t), buffers_(buffers), buffer_count_(buffer_count), threads_(threads), slices_(t.step_count), steps_(t.step_count) {}

  [[gnu::cold]] const buffer* lay_out(const run_values& run, const thread_needs* calls) override {
    all_ = {};
    for (int i = 0; i < t_.step_count; ++i) {
      slices_[i].cut = calls[i].use == step_use::in_order ? slicing{} : slicing_of(t_, t_.steps[i], run, threads_);
      steps_[i] = needs_of(i, calls[i], run);
      if (steps_[i].use > all_.use) all_.use = steps_[i].use;
      all_.work += steps_[i].work + work_of_a_call;
    }
    stages_ = stages_of(t_, buffers_, buffer_count_, steps_.data(), threads_);
    // Only within this plan.
    if (all_.use == step_use::in_order) all_.use = step_use::all_threads;
    if (stages_.order.empty()) return buffers_;
    if (all_.use == step_use::any_thread) all_.use = step_use::all_threads;
    return stages_.buffers.data();
  }
  int stage_of(int step) const override { return stages_.order.empty() ? step : stages_.stage[step]; }
  thread_needs needs() const override { return all_; }

  const vector<kernel_call>& make_ready(vector<kernel_call>& calls) override {
    for (int i = 0; i < t_.step_count; ++i) {
      if (slices_[i].cut.slices < 2) continue;
      const plan_step& s = t_.steps[i];
      slices_[i] = {
          calls[i], frame_bytes(s), s.rank, s.access_count, s.kind == cluster_kind::opaque ? t_.accesses + s.first_access : nullptr,
          s.batch,  slices_[i].cut};
      calls[i] = {&run_slices, {reinterpret_cast<const char*>(&slices_[i])}};
    }
    if (stages_.order.empty()) return calls;
    const int count = stages_.first.size() - 1;
    staged_.resize(count);
    turns_.resize(count);
    for (int k = 0; k < count; ++k) {
      const int first = stages_.first[k];
      staged_[k] = {calls.data(), stages_.order.data() + first, stages_.first[k + 1] - first};
      turns_[k] = {&run_stage, {reinterpret_cast<const char*>(&staged_[k])}};
    }
    return turns_;
  }

 private:
  /// To call a kernel takes some 5 ns.
  static constexpr std::int64_t work_of_a_call = 64;
  /// Where nothing says how often a loop turns.
  static constexpr std::int64_t turns_of_a_loop = 64;

  thread_needs needs_of(int i, const thread_needs& call, const run_values& run) const {
    const plan_step& s = t_.steps[i];
    const detail::sized_step sized(t_, s, run);
    if (s.on_host) return {step_use::the_caller, sized.work()};
    if (call.use == step_use::in_order) return {step_use::in_order, sized.work()};
    if (s.kind == cluster_kind::call) return {call.use, turns_of(s, sized) * call.work};
    const bool shares_blocks =
        has_shared_blocks({s, t_.accesses + s.first_access, t_.extents_pool}) && detail::wanted_slices(sized.work(), threads_) > 1;
    const bool is_shared = slices_[i].cut.slices > 1 || shares_blocks || is_shared_product(t_, s, run, threads_);
    // A tile's flops take a tenth of the time of others.
    const std::int64_t work = s.kind == cluster_kind::contraction ? sized.work() / 8 : sized.work();
    return {is_shared ? step_use::all_threads : step_use::any_thread, work};
  }
  /// By the first sequence of a loop, which lies behind the states.
  std::int64_t turns_of(const plan_step& s, const detail::sized_step& sized) const {
    const std::int64_t* const attributes = t_.attributes + s.first_attribute;
    const auto kind = etch::detail::call_kind{attributes[0]};
    if (kind == etch::detail::call_kind::branch || kind == etch::detail::call_kind::function) return 1;
    return attributes[3] > 0 ? sized.extent_of(static_cast<int>(attributes[2]), 0) : turns_of_a_loop;
  }

  const step_tables& t_;
  const buffer* buffers_;
  int buffer_count_;
  const executor& threads_;
  vector<sliced_step> slices_;  ///< by steps
  vector<thread_needs> steps_;
  thread_needs all_;
  staging stages_;
  vector<staged_calls> staged_;  ///< by stages
  vector<kernel_call> turns_;    ///< by stages
};

template <class Base>
Base* make_sharer(const step_tables& t, const buffer* buffers, int buffer_count, const executor& threads) {
  return new shared_steps<Base>(t, buffers, buffer_count, threads);
}

}  // namespace etch::cpu
