// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/host_memory.hpp>
#include <etch/session/interface.hpp>

/// The steps of a plan, ready to run: addresses of buffers, the arena's layout, the counts of named extents, and what each step is
/// called with.
namespace etch {

/// Runs the sub-graphs of one call: see session/regions.hpp. A plan without loops and branches has none.
class region_runner {
 public:
  virtual ~region_runner() = default;
  /// Takes the counts of the named extents; gives the bytes of workspace that it needs.
  virtual std::int64_t lay_out(const std::int64_t* values) = 0;
  /// What it needs of threads, after that; a loop: for one turn.
  virtual thread_needs needs() const = 0;
  /// Where that workspace is.
  virtual void place(char* workspace) = 0;
  /// The call's operands, then its results.
  virtual void run(const tensor_view* views, const run_values& run) = 0;
};

namespace detail {
struct frame_access;

/// An address in a frame: where the array in that buffer lies, and so many bytes more.
struct noted_place {
  char* at = nullptr;
  int buffer = 0;
  std::int64_t offset = 0;
};
}  // namespace detail

inline void detail::run_region(frame f, const run_values& run) {
  region_runner* runner;
  std::memcpy(&runner, f.at, sizeof runner);
  runner->run(f.views(), run);
}

template <class Memory>
class plan_frames {
 public:
  plan_frames(const plan_interface& plan, const step_services& services)
      : plan_(plan), services_(services), flushes_denormals_(plan.denormals == denormal_mode::flushed),
        buffers_(plan.buffer_count + 1) {
    const step_tables& t = plan.tables;
    for (int i = 0; i < plan.call_count; ++i) regions_.push_back({plan.make_region(plan.calls[i], services), 0, i});
    for (int i = 0; i < t.step_count && !regions_.empty(); ++i)
      if (t.steps[i].kind == cluster_kind::call) regions_[call_number(t, t.steps[i])].step = i;
    if (plan.make_blocks != nullptr) blocker_ = plan.make_blocks(t, plan.buffers, plan.buffer_count);
    if (services.sharing.make != nullptr)
      sharer_ = services.sharing.make(t, plan.buffers, plan.buffer_count, *services.sharing.threads);
  }
  plan_frames(const plan_frames&) = delete;
  plan_frames& operator=(const plan_frames&) = delete;
  ~plan_frames() {
    for (int i = 0; i < regions_.size(); ++i) delete regions_[i].runner;
    delete blocker_;
    delete sharer_;
  }

  const plan_interface& plan() const { return plan_; }
  char* const* buffers() const { return buffers_.data(); }
  const step_sharing& sharing() const { return services_.sharing; }
  char*& address(int buffer) { return buffers_[buffer]; }
  /// What an extent is in this run.
  std::int64_t value(extent_value e) const { return run_.value(e); }
  /// Whether runs with these counts would count subnormal numbers as 0.
  bool flushes_denormals() const { return flushes_denormals_; }
  std::int64_t bytes_of(const port& p) const {
    std::int64_t bytes = size_of_dtype(p.type.type);
    for (int i = 0; i < p.type.rank; ++i) bytes *= run_.value(p.type.extents[i]);
    return bytes;
  }

  /// Takes the counts of the named extents; gives the bytes of workspace: arena, scratch memory, extents that kernels read, and what the
  /// calls need, of which only those of one stage run at a time.
  [[gnu::cold]] std::int64_t lay_out(const std::int64_t* values) {
    const extent_table& extents = *plan_.extents;
    for (int k = 0; k < extents.polynomial_count(); ++k) run_.extent[k] = extents.evaluate(polynomial_reference(k), values);
    if (plan_.denormals == denormal_mode::by_count)
      flushes_denormals_ = !services_.has_few_elements(plan_.tables, plan_.buffers, run_);
    for (int i = 0; i < regions_.size(); ++i) regions_[i].bytes = (regions_[i].runner->lay_out(values) + 63) / 64 * 64;
    layout_ = etch::lay_out(share_steps(), plan_.buffer_count, extents, values);
    const bool is_known = plan_.scratch_bytes >= 0;
    run_.scratch_bytes = ((is_known ? plan_.scratch_bytes : services_.scratch_for(plan_.tables, extents, values)) + 63) / 64 * 64;
    extents_at_ = layout_.bytes + services_.workers() * run_.scratch_bytes;
    calls_at_ = (extents_at_ + 8 * plan_.buffer_count + 63) / 64 * 64;
    return calls_at_ + lay_out_calls() + 64;
  }
  void place(char* workspace) {
    for (int b = 0; b < plan_.buffer_count; ++b) {
      if (plan_.buffers[b].kind == storage::arena) buffers_[b] = workspace + layout_.offset[b];
      if (plan_.buffers[b].kind == storage::extent) buffers_[b] = workspace + extents_at_ + 8 * b;
    }
    run_.scratch = workspace + layout_.bytes;
    run_.threads = services_.sharing.threads;
    for (int i = 0; i < regions_.size(); ++i) regions_[i].runner->place(workspace + calls_at_ + regions_[i].offset);
    write_extents();
  }
  /// What kernels read of extents; again where something else has used the workspace.
  void write_extents() {
    for (int b = 0; b < plan_.buffer_count; ++b)
      if (plan_.buffers[b].kind == storage::extent) write_extent(plan_.buffers[b], buffers_[b]);
  }

  /// Makes the steps ready, once all buffers have addresses.
  void make_ready() {
    if (plan_.kernels == nullptr) return;
    const step_tables& t = plan_.tables;
    if (calls_.size() != t.step_count) {
      std::int64_t bytes = 0;
      for (int i = 0; i < t.step_count; ++i) bytes += frame_bytes(t.steps[i]);
      frames_.reserve(bytes);
      calls_.resize(t.step_count);
    }
    char* frame = frames_.data();
    for (int i = 0; i < t.step_count; ++i) {
      const plan_step& s = t.steps[i];
      calls_[i] = {plan_.kernels[s.kernel], {frame}};
      fill_frame(t, s, run_, buffers_.data(), frame);
      if (s.kind == cluster_kind::call) detail::put(frame, regions_[call_number(t, s)].runner);
      frame += frame_bytes(s);
    }
    if (blocker_ != nullptr) blocker_->make_ready(calls_);
    if (sharer_ != nullptr) turns_ = &sharer_->make_ready(calls_);
  }

  /// Appends where the steps' frames have addresses in a buffer.
  void note_places(int buffer, vector<detail::noted_place>& to) const {
    if (plan_.kernels == nullptr) return;
    const step_tables& t = plan_.tables;
    char* frame = frames_.data();
    for (int i = 0; i < t.step_count; frame += frame_bytes(t.steps[i]), ++i)
      for (int k = 0; k < t.steps[i].access_count; ++k) {
        const access& a = t.accesses[t.steps[i].first_access + k];
        if (a.buffer == buffer)
          to.push_back({frame + place_of_address(t.steps[i], k), buffer, run_.value(a.offset) * size_of_dtype(a.type)});
      }
  }
  /// Writes there the address that the buffer has now.
  void point(const detail::noted_place& p) { detail::put(p.at, buffers_[p.buffer] + p.offset); }

  void set_seed(std::uint64_t seed) { run_.seed = seed; }
  /// Runs every step, in order. `run`: its number, which random draws depend on.
  void execute(std::uint64_t run) {
    run_.run = run;
    if (plan_.run_in_place != nullptr)
      plan_.run_in_place(buffers_.data());
    else
      for (int i = 0, count = turns_->size(); i < count; ++i) (*turns_)[i].function((*turns_)[i].with, run_);
  }
  /// The first of the steps that run block by block with this one; -1 where it runs alone.
  int first_of_blocks(int step) const { return blocker_ != nullptr ? blocker_->first_of(step) : -1; }
  /// What they need of threads, once they are laid out.
  thread_needs needs() const {
    if (plan_.on_host) return {step_use::the_caller, 0};
    const thread_needs needs = sharer_ != nullptr ? sharer_->needs() : thread_needs{};
    return plan_.run_in_place != nullptr ? thread_needs{step_use::any_thread, needs.work} : needs;
  }

 private:
  static int call_number(const step_tables& t, const plan_step& s) { return static_cast<int>(t.attributes[s.first_attribute + 1]); }

  void write_extent(const buffer& b, char* to) const {
    const std::int64_t n = run_.value(b.elements);
    const auto write = [&](auto x) { Memory::write(to, &x, sizeof x); };
    switch (b.type) {
      case dtype::float32: write(static_cast<float>(n)); break;
      case dtype::float64: write(static_cast<double>(n)); break;
      case dtype::bfloat16: write(bfloat16(n)); break;
      case dtype::int32:
      case dtype::uint32: write(static_cast<std::uint32_t>(n)); break;
      case dtype::int16:
      case dtype::uint16: write(static_cast<std::uint16_t>(n)); break;
      case dtype::int8:
      case dtype::uint8: write(static_cast<std::uint8_t>(n)); break;
      case dtype::boolean: write(n != 0); break;
      default: write(n); break;
    }
  }

  /// Finds how threads share the steps, and which are run block by block; gives the buffers as they then live.
  const buffer* share_steps() {
    if (blocker_ != nullptr) blocker_->find(run_, services_.workers());
    const buffer* const buffers = sharer_ != nullptr ? share_among_threads() : plan_.buffers;
    return blocker_ != nullptr ? blocker_->lay_out(buffers, sharer_) : buffers;
  }
  const buffer* share_among_threads() {
    const int steps = plan_.tables.step_count;
    vector<thread_needs> calls(steps);
    for (int i = 0; i < steps; ++i)
      if (first_of_blocks(i) >= 0) calls[i].use = step_use::in_order;
    for (int i = 0; i < regions_.size(); ++i) calls[regions_[i].step] = regions_[i].runner->needs();
    const buffer* const buffers = sharer_->lay_out(run_, calls.data());
    for (int i = 0; i < regions_.size(); ++i) regions_[i].stage = sharer_->stage_of(regions_[i].step);
    return plan_.run_in_place != nullptr ? plan_.buffers : buffers;
  }
  /// Where the calls have their workspaces, each behind those of its stage; gives the bytes of all.
  std::int64_t lay_out_calls() {
    std::int64_t most = 0;
    for (int i = 0; i < regions_.size(); ++i) {
      regions_[i].offset = 0;
      for (int o = 0; o < i; ++o)
        if (regions_[o].stage == regions_[i].stage) regions_[i].offset += regions_[o].bytes;
      if (const std::int64_t end = regions_[i].offset + regions_[i].bytes; end > most) most = end;
    }
    return most;
  }

  friend struct detail::frame_access;
  struct region {
    region_runner* runner = nullptr;
    int step = 0, stage = 0;
    std::int64_t bytes = 0, offset = 0;  ///< of its workspace, from `calls_at_` on
  };

  const plan_interface& plan_;
  step_services services_;
  bool flushes_denormals_;
  run_values run_;
  vector<char*> buffers_;
  vector<kernel_call> calls_;                   ///< by steps
  const vector<kernel_call>* turns_ = &calls_;  ///< those that a run makes
  vector<region> regions_;
  step_sharer* sharer_ = nullptr;    ///< null: one thread runs all
  step_blocker* blocker_ = nullptr;  ///< null: none are run block by block
  typename host_memory::block frames_;
  arena_layout layout_;
  std::int64_t extents_at_ = 0, calls_at_ = 0;  ///< bytes from the workspace's begin
};

}  // namespace etch
