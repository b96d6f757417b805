// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <fstream>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <etch/session/run_metadata.hpp>

/// When a program does what, on which thread: its datasets, its own parts, and the kernels of traced runs, on one axis of time.
namespace etch {

/// A part of a program's time, in nanoseconds from the timeline's begin.
struct timeline_span {
  std::string name;
  int thread = 0;  ///< 0 is the one that made the timeline, the others as they come
  std::int64_t start = 0, duration = 0;
  std::int64_t step = -1;             ///< of the program's steps, as `measure` was told; -1: it is none
  std::string op = {}, place = {};    ///< of a kernel, as in `step_metadata`
  std::int64_t bytes = 0, flops = 0;  ///< of a kernel, of this call
};

/// Spans of time that any thread adds. `data::dataset::timed` adds those of a pipeline; `measure` those of a program; `add` the kernels of a
/// run. A span takes about 0.1 us. The timeline outlives what adds to it.
class timeline {
 public:
  using clock = std::chrono::steady_clock;

  /// Adds its span when it goes.
  class [[nodiscard]] measured_span {
   public:
    measured_span(const measured_span&) = delete;
    measured_span& operator=(const measured_span&) = delete;
    ~measured_span() { to_.add(std::move(name_), begin_, clock::now(), step_); }

   private:
    friend timeline;
    measured_span(timeline& to, std::string name, std::int64_t step)
        : to_(to), name_(std::move(name)), step_(step), begin_(clock::now()) {}
    timeline& to_;
    std::string name_;
    std::int64_t step_;
    clock::time_point begin_;
  };

  timeline() : begin_(clock::now()), threads_{std::this_thread::get_id()} {}
  timeline(const timeline&) = delete;
  timeline& operator=(const timeline&) = delete;

  /// From now on until what it returns goes: `{ auto span = t.measure("step", i); step(); }`. With a number it is one of the program's
  /// steps, to which what is in it belongs.
  measured_span measure(std::string name, std::int64_t step = -1) { return {*this, std::move(name), step}; }
  /// A span of this thread.
  void add(std::string name, clock::time_point begin, clock::time_point end, std::int64_t step = -1) {
    const std::lock_guard lock(several_threads_);
    spans_.push_back(
        {std::move(name), number_of(std::this_thread::get_id()), nanoseconds(begin - begin_), nanoseconds(end - begin), step});
  }
  /// Each call of a step of a traced run (`<etch/trace.hpp>`), on the thread that made it.
  void add(const run_metadata& run) {
    const std::lock_guard lock(several_threads_);
    for (const step_call& c : run.calls) {
      const step_metadata& s = run.steps[static_cast<std::size_t>(c.step)];
      spans_.push_back({s.name, number_of(run.threads[static_cast<std::size_t>(c.thread)]),
                        nanoseconds(run.begin - begin_) + c.start, c.duration, -1, s.op, s.place, s.bytes / s.count,
                        s.flops / s.count});
    }
  }

  /// When it was made, which is 0 for its spans.
  clock::time_point begin() const { return begin_; }
  /// In the order in which they were added.
  std::vector<timeline_span> spans() const {
    const std::lock_guard lock(several_threads_);
    return spans_;
  }

  /// As chrome://tracing and Perfetto read it: a complete event ("ph": "X") for each span, times in microseconds, a row for each thread.
  void write_chrome_trace(std::ostream& to) const {
    to << "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [";
    const char* separator = "\n";
    for (const timeline_span& s : spans()) {
      to << separator << "{\"name\": " << detail::json_text(s.name) << ", \"ph\": \"X\", \"ts\": " << detail::microseconds(s.start)
         << ", \"dur\": " << detail::microseconds(s.duration) << ", \"pid\": 1, \"tid\": " << std::to_string(1 + s.thread);
      if (s.step >= 0) to << ", \"args\": {\"step\": " << std::to_string(s.step) << "}";
      if (!s.op.empty()) to << ", \"args\": {" << detail::call_arguments(s.op, s.place, s.bytes, s.flops) << "}";
      to << "}";
      separator = ",\n";
    }
    to << "\n]}\n";
  }
  /// Throws `etch::error` where the file cannot be written.
  void write_chrome_trace(const std::string& path) const {
    detail::write_trace_file(path, [this](std::ostream& to) { write_chrome_trace(to); });
  }

 private:
  static std::int64_t nanoseconds(clock::duration d) { return std::chrono::duration_cast<std::chrono::nanoseconds>(d).count(); }
  int number_of(std::thread::id thread) {
    std::size_t i = 0;
    while (i < threads_.size() && threads_[i] != thread) ++i;
    if (i == threads_.size()) threads_.push_back(thread);
    return static_cast<int>(i);
  }

  clock::time_point begin_;
  mutable std::mutex several_threads_;
  std::vector<std::thread::id> threads_;
  std::vector<timeline_span> spans_;
};

}  // namespace etch
