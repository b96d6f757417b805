// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <etch/base/formatted.hpp>
#include <etch/format/protobuf.hpp>
#include <etch/session/run_metadata.hpp>

/// What a traced run (`<etch/trace.hpp>`) has done, as TensorBoard's RunMetadata and as a table.
namespace etch::summary {

namespace detail {

/// Each call is one of the first node that its step computes. TensorBoard knows whole microseconds, which are rounded up; the others stand
/// beside them. `begin`: of the run, in microseconds since 1970, since TensorBoard takes a start of 0 for none.
inline std::string run_metadata_message(const run_metadata& run, std::int64_t begin) {
  std::string message;
  format::protobuf_writer w(message);
  w.message(1, [&] {    // StepStats
    w.message(1, [&] {  // DeviceStepStats
      w.text(1, "/device:CPU:0");
      for (const step_call& c : run.calls) {
        const step_metadata& s = run.steps[static_cast<std::size_t>(c.step)];
        const std::int64_t duration = (c.duration + 999) / 1000;
        w.message(2, [&] {  // NodeExecStats
          w.text(1, s.name.substr(0, s.name.find(' ')));
          w.integer(2, begin + c.start / 1000);
          w.integer(4, duration);
          w.integer(5, duration);
          w.text(8, s.name + " = " + s.op);
          w.integer(10, c.thread);
          w.integer(13, begin * 1000 + c.start);
          w.integer(15, c.duration);
          w.integer(16, c.duration);
        });
      }
    });
  });
  return message;
}

}  // namespace detail

/// The steps of a traced run that took most of its time: a line for each, what is in the steps that it calls not included, and one for all
/// others. Names and ops of more than 72 bytes are cut. Gigabytes and operations are those of a second.
/// With the machine's limits, measured by `measure_machine_limits()`, a column says what bounds each step, and what share of its time that takes
/// at least: arithmetic, the bandwidth of memory or of the second cache, by how many bytes a call reads and writes, or the calls themselves.
inline std::string kernel_table(const run_metadata& run, const machine_limits& limits, std::size_t most = 10) {
  std::vector<std::int64_t> itself;
  for (const step_metadata& s : run.steps) {
    itself.push_back(s.duration);
    if (s.parent >= 0) itself[static_cast<std::size_t>(s.parent)] -= s.duration;
  }
  std::vector<std::size_t> order(run.steps.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return itself[a] != itself[b] ? itself[a] > itself[b] : a < b; });

  double all = 0;
  for (const std::int64_t t : itself) all += static_cast<double>(std::max<std::int64_t>(t, 0));
  const bool has_limits = limits.are_known();
  std::string table = "microseconds  share  calls    GB/s  GFLOP/s  FLOP/B  ";
  table += has_limits ? "bound             kernel\n" : "kernel\n";
  const auto line = [&](double duration, double bytes, double flops, std::int64_t calls, const std::string& name) {
    const auto ratio = [](double a, double b) { return b > 0 ? a / b : 0; };
    table +=
        etch::detail::formatted("%12.1f %5.1f%% %6lld %7.2f %8.2f %7.2f  ", duration / 1000, 100 * ratio(duration, all),
                                static_cast<long long>(calls), ratio(bytes, duration), ratio(flops, duration), ratio(flops, bytes));
    std::size_t shown = name.size() <= 72 ? name.size() : 69;
    while (shown < name.size() && (name[shown] & 0xc0) == 0x80) --shown;  // not within a letter of UTF-8
    if (has_limits) {
      const etch::detail::bound b = etch::detail::bound_of(limits, duration, bytes, flops, calls);
      table += etch::detail::formatted("%-10s %4.0f%%  ", b.name, 100 * b.share);
    }
    table += name.substr(0, shown) + (shown < name.size() ? "...\n" : "\n");
  };
  double duration = 0, bytes = 0, flops = 0;
  std::int64_t calls = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const step_metadata& s = run.steps[order[i]];
    const double itself_only = static_cast<double>(std::max<std::int64_t>(itself[order[i]], 0));
    const double s_bytes = static_cast<double>(s.bytes), s_flops = static_cast<double>(s.flops);
    if (i < most) {
      line(itself_only, s_bytes, s_flops, s.count, s.name + " = " + s.op);
      continue;
    }
    duration += itself_only;
    bytes += s_bytes;
    flops += s_flops;
    calls += s.count;
  }
  if (order.size() > most) line(duration, bytes, flops, calls, std::to_string(order.size() - most) + " others");
  return table;
}
inline std::string kernel_table(const run_metadata& run, std::size_t most = 10) { return kernel_table(run, {}, most); }

}  // namespace etch::summary
