// SPDX-License-Identifier: MIT
#pragma once
#include <etch/session/part_runner.hpp>

/// Runs loops and branches: the plans of their sub-graphs, called once per step, or one of them once. States go back and forth between
/// two places, of which one is the result's; elements of sequences are read, and outputs written, where they lie in the arrays.
namespace etch::detail {

/// The body, and perhaps the condition.
template <class Memory>
class loop_runner final : public parts_runner<Memory> {
  using base = parts_runner<Memory>;
  using base::call_;
  using base::parts_;
  using base::stacked_;
  using base::wanted_;

 public:
  loop_runner(const call_interface& c, const step_services& services)
      : base(c, services), reversed_(c.attributes[4] != 0), states_(static_cast<int>(c.attributes[2])),
        elements_(static_cast<int>(c.attributes[3])), outputs_(wanted_.size() - states_.size()) {}

  std::int64_t lay_out(const std::int64_t* values) override {
    std::int64_t bytes = 0;
    for (int k = 0; k < parts_.size(); ++k) bytes += place_of_part_[k] = parts_[k]->lay_out(values);
    for (int k = 0; k < states_.size(); ++k) bytes += (wanted_[k] < 0 ? 2 : 1) * whole_lines(parts_[0]->bytes_of_fetch(k));
    return bytes + whole_lines(1);
  }
  void place(char* workspace) override {
    answer_at_ = workspace;
    workspace += whole_lines(1);
    for (int k = 0; k < parts_.size(); ++k) {
      parts_[k]->place(workspace);
      workspace += place_of_part_[k];
    }
    for (int k = 0; k < states_.size(); ++k) {
      const std::int64_t bytes = whole_lines(parts_[0]->bytes_of_fetch(k));
      states_[k].places[0] = states_[k].places[1] = workspace;
      if (wanted_[k] < 0) states_[k].places[0] = workspace += bytes;
      workspace += bytes;
    }
  }

  void run(const tensor_view* v, const run_values& run) override {
    part_runner<Memory>& body = *parts_[0];
    const int states = states_.size(), sequences = elements_.size(), outputs = outputs_.size();
    for (int k = 0; k < parts_.size(); ++k) this->begin(*parts_[k], v, states + sequences, run);
    const std::int64_t steps = sequences > 0 ? v[states].extents[0] : INT64_MAX;
    for (int k = 0; k < states; ++k) {
      state& s = states_[k];
      s.now = v[k].data;
      if (wanted_[k] >= 0) s.places[0] = v[wanted_[k]].data;
      if (stacked_[k] < 0) continue;
      s.before.start(v[stacked_[k]].data, body.bytes_of_fetch(k), steps, reversed_);
      if (steps > 0) Memory::copy(s.before.next(), s.now, body.bytes_of_fetch(k));
    }
    for (int k = 0; k < sequences; ++k) elements_[k].start(v[states + k].data, body.bytes_of_feed(states + k), steps, reversed_);
    for (int k = 0; k < outputs; ++k)
      outputs_[k].start(v[wanted_[states + k]].data, body.bytes_of_fetch(states + k), steps, reversed_);

    std::int64_t t = 0;
    for (; t < steps; ++t) {
      if (parts_.size() > 1 && !goes_on(run)) break;
      for (int k = 0; k < states; ++k) {
        state& s = states_[k];
        body.give(k, s.now);
        s.now = stacked_[k] >= 0 && t + 1 < steps ? s.before.next() : s.places[(steps - 1 - t) & 1];
        body.take(k, s.now);
      }
      for (int k = 0; k < sequences; ++k) body.give(states + k, elements_[k].next());
      for (int k = 0; k < outputs; ++k) body.take(states + k, outputs_[k].next());
      body.frames().execute(run.run);
    }
    for (int k = 0; k < states; ++k)
      if (const state& s = states_[k]; wanted_[k] >= 0 && s.now != s.places[0])
        Memory::copy(s.places[0], s.now, body.bytes_of_fetch(k));
    for (int k = 0; sequences > 0 && t < steps && k < wanted_.size(); ++k)
      if (const int stack = k < states ? stacked_[k] : wanted_[k]; stack >= 0) fill_rest(v[stack].data, k, t, steps);
  }

 private:
  /// The elements of an array along its first axis, one after the other.
  struct walk {
    char* array = nullptr;
    std::int64_t offset = 0, bytes = 0;  ///< of the next element; from it to the one after it

    void start(char* data, std::int64_t element, std::int64_t steps, bool from_the_end) {
      array = data;
      offset = from_the_end ? (steps - 1) * element : 0;
      bytes = from_the_end ? -element : element;
    }
    char* get() const { return array + offset; }
    char* next() {
      char* const at = get();
      offset += bytes;
      return at;
    }
  };
  struct state {
    char* now = nullptr;   ///< its value; while a step runs, the one that the step makes
    char* places[2] = {};  ///< between which it goes; the first is the last step's
    walk before;           ///< of the stack of what it is before each step
  };

  /// Of steps that have not been a stack has what the last one had, or where none has been 1/2, since a gradient's gradient computes with it before
  /// `where` drops the result, and 0 times what is infinite is not 0; of what is no float 0: the flags of steps that have been among them.
  void fill_rest(char* stack, int k, std::int64_t been, std::int64_t steps) const {
    const std::int64_t bytes = parts_[0]->bytes_of_fetch(k), all = (steps - been) * bytes;
    char* const rest = stack + (reversed_ ? 0 : been * bytes);
    const dtype type = parts_[0]->type_of_fetch(k);
    if (!is_floating(type) || all == 0) return Memory::clear(rest, all);
    if (been == 0) return fill_halves(rest, type, all);
    const char* const last = stack + (reversed_ ? steps - been : been - 1) * bytes;
    for (std::int64_t t = 0; t < steps - been; ++t) Memory::copy(rest + t * bytes, last, bytes);
  }
  static void fill_halves(char* to, dtype type, std::int64_t bytes) {
    const half_of_floats half(type);
    Memory::write(to, half.bytes, half.size);
    for (std::int64_t done = half.size; done < bytes; done *= 2)
      Memory::copy(to + done, to, done < bytes - done ? done : bytes - done);
  }
  bool goes_on(const run_values& run) {
    part_runner<Memory>& condition = *parts_[1];
    for (int k = 0; k < states_.size(); ++k) condition.give(k, states_[k].now);
    for (int k = 0; k < elements_.size(); ++k) condition.give(states_.size() + k, elements_[k].get());
    condition.take(0, answer_at_);
    condition.frames().execute(run.run);
    bool answer = false;
    Memory::read(&answer, answer_at_, sizeof answer);
    return answer;
  }

  bool reversed_;
  vector<state> states_;
  vector<walk> elements_, outputs_;     ///< of sequences; of what is made of each step's value
  std::int64_t place_of_part_[2] = {};  ///< bytes of each part's workspace
  char* answer_at_ = nullptr;
};

/// One part per sub-graph.
template <class Memory>
class branch_runner final : public parts_runner<Memory> {
  using base = parts_runner<Memory>;
  using base::call_;
  using base::parts_;
  using base::wanted_;

 public:
  using base::base;

  std::int64_t lay_out(const std::int64_t* values) override {
    parts_bytes_ = 0;
    std::int64_t unwanted = 0;
    for (int k = 0; k < parts_.size(); ++k) {
      const std::int64_t bytes = parts_[k]->lay_out(values);
      if (bytes > parts_bytes_) parts_bytes_ = bytes;
    }
    for (int k = 0; k < wanted_.size(); ++k)
      if (wanted_[k] < 0) unwanted += whole_lines(parts_[0]->bytes_of_fetch(k));
    return parts_bytes_ + unwanted;
  }
  void place(char* workspace) override {
    for (int k = 0; k < parts_.size(); ++k) parts_[k]->place(workspace);
    unwanted_ = workspace + parts_bytes_;
  }
  void run(const tensor_view* v, const run_values& run) override {
    part_runner<Memory>& part = *parts_[choice(v[0].data)];
    this->begin(part, v, 1, run);
    char* unwanted = unwanted_;
    for (int k = 0; k < wanted_.size(); ++k) {
      part.take(k, wanted_[k] >= 0 ? v[wanted_[k]].data : unwanted);
      if (wanted_[k] < 0) unwanted += whole_lines(part.bytes_of_fetch(k));
    }
    part.frames().execute(run.run);
  }

 private:
  template <class T>
  static std::int64_t read(const char* from) {
    T value{};
    Memory::read(&value, from, sizeof value);
    if constexpr (std::is_same_v<T, bool>)
      return value ? 0 : 1;
    else if constexpr (std::is_unsigned_v<T>)
      return value > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(value);
    else
      return value;
  }
  int choice(const char* from) const {
    const int last = parts_.size() - 1;
    std::int64_t chosen = 0;
    switch (static_cast<dtype>(call_.attributes[3])) {
      case dtype::boolean: chosen = read<bool>(from); break;
      case dtype::int8: chosen = read<std::int8_t>(from); break;
      case dtype::int16: chosen = read<std::int16_t>(from); break;
      case dtype::int32: chosen = read<std::int32_t>(from); break;
      case dtype::uint8: chosen = read<std::uint8_t>(from); break;
      case dtype::uint16: chosen = read<std::uint16_t>(from); break;
      case dtype::uint32: chosen = read<std::uint32_t>(from); break;
      case dtype::uint64: chosen = read<std::uint64_t>(from); break;
      default: chosen = read<std::int64_t>(from); break;
    }
    return chosen < 0 || chosen > last ? last : static_cast<int>(chosen);
  }

  std::int64_t parts_bytes_ = 0;
  char* unwanted_ = nullptr;
};

/// One part, which is given all operands.
template <class Memory>
class function_runner final : public parts_runner<Memory> {
  using base = parts_runner<Memory>;
  using base::parts_;
  using base::wanted_;

 public:
  using base::base;

  std::int64_t lay_out(const std::int64_t* values) override { return parts_[0]->lay_out(values); }
  void place(char* workspace) override { parts_[0]->place(workspace); }
  void run(const tensor_view* v, const run_values& run) override {
    this->begin(*parts_[0], v, 0, run);
    for (int k = 0; k < wanted_.size(); ++k) parts_[0]->take(k, v[wanted_[k]].data);
    parts_[0]->frames().execute(run.run);
  }
};

template <class Memory>
region_runner* make_region(const call_interface& c, const step_services& services) {
  switch (static_cast<call_kind>(c.attributes[0])) {
    case call_kind::branch: return new branch_runner<Memory>(c, services);
    case call_kind::function: return new function_runner<Memory>(c, services);
    default: return new loop_runner<Memory>(c, services);
  }
}

}  // namespace etch::detail
