// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/regions.hpp>
#include <etch/session/interface.hpp>
#include <etch/session/plan_frames.hpp>

/// What loops, branches and calls have in common that run: the plans of their sub-graphs, and the addresses that change from call to call.
namespace etch::detail {

constexpr std::int64_t whole_lines(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }

/// The plan of a sub-graph, and where its steps have the addresses that change.
template <class Memory>
class part_runner {
 public:
  /// `operands`: how many its call has; a plan that reads only the first of them has no feeds for the others.
  part_runner(const plan_interface& plan, const step_services& services, int operands)
      : frames_(plan, services), feeds_(operands), fetches_(plan.fetch_count) {}

  plan_frames<Memory>& frames() { return frames_; }
  /// Bytes of workspace for these counts of named extents.
  std::int64_t lay_out(const std::int64_t* values) {
    const std::int64_t bytes = frames_.lay_out(values);
    const plan_interface& plan = frames_.plan();
    for (int k = 0; k < plan.feed_count && k < feeds_.size(); ++k)
      feeds_[k].bytes = plan.feeds[k].buffer >= 0 ? frames_.bytes_of(plan.feeds[k]) : 0;
    for (int k = 0; k < plan.fetch_count; ++k) fetches_[k].bytes = frames_.bytes_of(plan.fetches[k]);
    return whole_lines(bytes);
  }
  /// Bytes of what it gives as value `k`.
  std::int64_t bytes_of_fetch(int k) const { return fetches_[k].bytes; }
  dtype type_of_fetch(int k) const {
    const plan_interface& plan = frames_.plan();
    return plan.buffers[plan.fetches[k].buffer].type;
  }
  /// Bytes of what it is given as operand `k` of its call; 0 where it reads none.
  std::int64_t bytes_of_feed(int k) const { return feeds_[k].bytes; }

  void place(char* workspace) {
    const plan_interface& plan = frames_.plan();
    frames_.place(workspace);
    for (int b = 0; b < plan.buffer_count; ++b)
      if (is_port(plan.buffers[b].kind)) frames_.address(b) = workspace;
    frames_.make_ready();
    places_.clear();
    for (int k = 0; k < plan.feed_count && k < feeds_.size(); ++k) note(plan.feeds[k].buffer, feeds_[k]);
    for (int k = 0; k < plan.fetch_count; ++k) note(plan.fetches[k].buffer, fetches_[k]);
  }
  void give(int k, char* data) {
    if (feeds_[k].address != nullptr) point(feeds_[k], data);
  }
  void take(int k, char* data) { point(fetches_[k], data); }

 private:
  /// A value that comes in or goes out.
  struct port {
    std::int64_t bytes = 0;
    char** address = nullptr;  ///< of its buffer; null where nothing reads it
    int first = 0, last = 0;   ///< of the places that have this address
  };

  static bool is_port(storage kind) { return kind == storage::feed || kind == storage::fetch; }
  void note(int buffer, port& p) {
    if (buffer < 0) return;
    p.address = &frames_.address(buffer);
    p.first = places_.size();
    frames_.note_places(buffer, places_);
    p.last = places_.size();
  }
  void point(const port& p, char* data) {
    if (*p.address == data) return;
    *p.address = data;
    const noted_place* const places = places_.data();
    for (int i = p.first, last = p.last; i < last; ++i) put(places[i].at, data + places[i].offset);
  }

  plan_frames<Memory> frames_;
  vector<noted_place> places_;
  vector<port> feeds_, fetches_;
};

template <class Memory>
class parts_runner : public region_runner {
 public:
  parts_runner(const call_interface& c, const step_services& services) : call_(c) {
    for (int k = 0; k < c.part_count; ++k) parts_.push_back(new part_runner<Memory>(*c.parts[k], services, c.operand_count));
    wanted_.resize(parts_[0]->frames().plan().fetch_count, -1);
    stacked_.resize(wanted_.size(), -1);
    for (int r = 0; r < c.result_count; ++r) {
      const int number = static_cast<int>(c.attributes[call_attributes + r]);
      (number >= 0 ? wanted_[number] : stacked_[-1 - number]) = c.operand_count + r;
    }
  }
  thread_needs needs() const override {
    thread_needs most;
    for (int k = 0; k < parts_.size(); ++k) {
      const thread_needs n = parts_[k]->frames().needs();
      if (n.use > most.use) most.use = n.use;
      if (n.work > most.work) most.work = n.work;
    }
    return most;
  }
  ~parts_runner() override {
    for (int k = 0; k < parts_.size(); ++k) delete parts_[k];
  }

 protected:
  friend struct frame_access;
  void begin(part_runner<Memory>& part, const tensor_view* v, int first, const run_values& run) {
    part.frames().set_seed(run.seed);
    part.frames().write_extents();
    for (int k = first; k < call_.operand_count; ++k) part.give(k, v[k].data);
  }

  const call_interface& call_;
  vector<part_runner<Memory>*> parts_;
  vector<int> wanted_;   ///< per value of the first part: the view of the result that is made of it, or -1
  vector<int> stacked_;  ///< per state of a loop: the view of what it is before each step, or -1
};

}  // namespace etch::detail
