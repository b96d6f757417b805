// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include <etch/base/formatted.hpp>
#include <etch/core/diagnostics.hpp>
#include <etch/session/machine_limits.hpp>

/// What a traced run has done, as data.
namespace etch {

namespace detail {
/// write(stream) into a new file. Throws `etch::error` where it cannot be written.
template <class Write>
void write_trace_file(const std::string& path, const Write& write) {
  std::ofstream file(path);
  write(file);
  file.close();
  if (!file) fail("write_chrome_trace: \"%s\" cannot be written", path.c_str());
}
}  // namespace detail

/// A step of a plan that was run. Times are in nanoseconds from the run's begin.
struct step_metadata {
  std::string name;           ///< what it computes, by the names of nodes
  std::string op;             ///< the ops in it, in order
  std::string kind;           ///< map, sweep, contraction, opaque, call
  std::string place;          ///< `file:line` where the program names it; empty where that is not known (docs/names.md)
  int parent = -1;            ///< the loop or branch in which it is, as a place among the steps; -1: none
  std::int64_t count = 0;     ///< how often it was called: in a loop more than once, or less
  std::int64_t start = 0;     ///< of the first call
  std::int64_t duration = 0;  ///< of all calls, those of steps in it included
  std::int64_t bytes = 0;     ///< of all calls: each element that one reads or writes counts once for each
  std::int64_t flops = 0;     ///< of all calls, as each op's `cost` says; those of steps in it not included
};
/// One call of a step.
struct step_call {
  int step = 0;  ///< as a place among the steps
  std::int64_t start = 0, duration = 0;
  int thread = 0;  ///< that has run it, as a place among the threads: 0 is the one that called `traced_run`
};

/// Each step that was run once, before those in it, in the order of the plan; and each call, in the order in which they ended.
struct run_metadata {
  std::vector<step_metadata> steps;
  std::vector<step_call> calls;
  std::vector<std::thread::id> threads;
  std::chrono::steady_clock::time_point begin;
  std::int64_t duration = 0;  ///< of the run's steps, in nanoseconds

  /// As chrome://tracing and Perfetto read it: a complete event ("ph": "X") for each call, times in microseconds. With the machine's limits,
  /// measured by `measure_machine_limits()`, each says what bounds its step, and what share of its time that takes at least.
  void write_chrome_trace(std::ostream& to, const machine_limits& limits = {}) const;
  /// Throws `etch::error` where the file cannot be written.
  void write_chrome_trace(const std::string& path, const machine_limits& limits = {}) const {
    detail::write_trace_file(path, [&](std::ostream& to) { write_chrome_trace(to, limits); });
  }
};

namespace detail {
inline std::string json_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    char code[8];
    std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    quoted += static_cast<unsigned char>(c) < 0x20 ? std::string(code) : std::string(1, c);
  }
  return quoted + '"';
}
/// What a trace says of a kernel's call beside its time.
inline std::string call_arguments(const std::string& op, const std::string& place, std::int64_t bytes, std::int64_t flops) {
  std::string text = "\"op\": " + json_text(op) + ", \"bytes\": " + std::to_string(bytes) + ", \"flops\": " + std::to_string(flops);
  if (!place.empty()) text += ", \"place\": " + json_text(place);
  return text;
}
inline std::string microseconds(std::int64_t nanoseconds) {
  char text[32];
  const auto size = static_cast<long long>(nanoseconds < 0 ? -nanoseconds : nanoseconds);
  std::snprintf(text, sizeof text, "%s%lld.%03lld", nanoseconds < 0 ? "-" : "", size / 1000, size % 1000);
  return text;
}
}  // namespace detail

inline void run_metadata::write_chrome_trace(std::ostream& to, const machine_limits& limits) const {
  // Only texts: a stream writes numbers as its locale and its flags say.
  to << "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [";
  const char* separator = "\n";
  for (const step_call& c : calls) {
    const step_metadata& s = steps[static_cast<std::size_t>(c.step)];
    to << separator << "{\"name\": " << detail::json_text(s.name) << ", \"cat\": " << detail::json_text(s.kind)
       << ", \"ph\": \"X\", \"ts\": " << detail::microseconds(c.start) << ", \"dur\": " << detail::microseconds(c.duration)
       << ", \"pid\": 1, \"tid\": " << std::to_string(1 + c.thread) << ", \"args\": {"
       << detail::call_arguments(s.op, s.place, s.bytes / s.count, s.flops / s.count);
    if (limits.are_known()) {
      const double count = static_cast<double>(s.count);
      const detail::bound b = detail::bound_of(limits, static_cast<double>(c.duration), static_cast<double>(s.bytes) / count,
                                               static_cast<double>(s.flops) / count, 1);
      to << ", \"bound\": \"" << b.name << "\", \"share of the limit\": " << detail::formatted("%g", b.share);
    }
    to << "}}";
    separator = ",\n";
  }
  to << "\n]}\n";
}

}  // namespace etch
