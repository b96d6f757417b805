// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <etch/format/output_file.hpp>
#include <etch/format/protobuf.hpp>
#include <etch/summary/event_file.hpp>
#include <etch/timeline.hpp>

/// A timeline as TensorBoard's page Profile reads it: the message `tensorflow.profiler.XSpace` of OpenXLA's xplane.proto.
namespace etch::summary::detail {

/// What an event says beside its time, numbered from 1. `_r` makes it the root of a step. The page shows no `flops`.
constexpr std::string_view xstat_names[] = {"op", "source", "bytes", "flop_count", "step_num", "_r"};
enum class xstat { op = 1, source, bytes, flop_count, step_num, is_root };

inline void write_xstat(format::protobuf_writer& w, std::uint32_t field, xstat kind, std::int64_t number) {
  w.message(field, [&] {
    w.integer(1, static_cast<std::int64_t>(kind));
    w.integer(4, number);
  });
}
inline void write_xstat(format::protobuf_writer& w, std::uint32_t field, xstat kind, std::string_view text) {
  w.message(field, [&] {
    w.integer(1, static_cast<std::int64_t>(kind));
    w.text(5, text);
  });
}

/// The name by which the page counts what ran. It takes for an op what is called as TensorFlow's are: `node:_matmul_tanh`, as `_FusedMatMul`.
inline std::string xevent_name(std::string_view name, std::string_view op) {
  if (op.empty()) return std::string(name);
  std::string full = std::string(name.substr(0, name.find(' '))) + ":_" + std::string(op);
  std::replace(full.begin(), full.end(), ' ', '_');
  return full;
}

/// `begin`: where the spans' times are 0, in nanoseconds since 1970.
inline std::string xspace_message(const std::vector<timeline_span>& spans, std::int64_t begin) {
  std::int64_t first = 0;  // also before the timeline was made
  std::vector<std::vector<const timeline_span*>> threads;
  for (const timeline_span& s : spans) {
    first = std::min(first, s.start);
    threads.resize(std::max(threads.size(), static_cast<std::size_t>(s.thread) + 1));
    threads[static_cast<std::size_t>(s.thread)].push_back(&s);
  }
  std::map<std::array<std::string_view, 3>, std::int64_t> kinds;  // name, op, place: what all events of it have once
  std::string message;
  format::protobuf_writer w(message);
  const auto write_event = [&](const timeline_span& s) {
    w.integer(1, kinds.try_emplace({s.name, s.op, s.place}, static_cast<std::int64_t>(kinds.size() + 1)).first->second);
    w.integer(2, 1000 * (s.start - first));  // picoseconds
    w.integer(3, 1000 * s.duration);
    if (!s.op.empty()) {
      write_xstat(w, 4, xstat::bytes, s.bytes);
      write_xstat(w, 4, xstat::flop_count, s.flops);
    }
    if (s.step >= 0) {
      write_xstat(w, 4, xstat::step_num, s.step);
      write_xstat(w, 4, xstat::is_root, 1);
    }
  };
  w.message(1, [&] {  // XPlane
    w.text(2, "/host:CPU");
    for (std::size_t t = 0; t < threads.size(); ++t) {
      // What holds others comes before them, and has been added after them.
      std::sort(threads[t].begin(), threads[t].end(), [](const timeline_span* a, const timeline_span* b) {
        if (a->start != b->start) return a->start < b->start;
        return a->duration != b->duration ? a->duration > b->duration : a > b;
      });
      w.message(3, [&] {  // XLine
        w.integer(1, static_cast<std::int64_t>(t + 1));
        w.text(2, "thread " + std::to_string(t));
        w.integer(3, begin + first);
        for (const timeline_span* s : threads[t]) w.message(4, [&] { write_event(*s); });
      });
    }
    for (const auto& [kind, number] : kinds)
      w.entry(4, number, [&] {  // XEventMetadata
        const auto& [name, op, place] = kind;
        w.integer(1, number);
        w.text(2, xevent_name(name, op));
        w.text(4, name);
        if (!op.empty()) write_xstat(w, 5, xstat::op, op);
        if (!place.empty()) write_xstat(w, 5, xstat::source, place);
      });
    for (std::int64_t k = 1; const std::string_view name : xstat_names) {
      w.entry(5, k, [&] {  // XStatMetadata
        w.integer(1, k);
        w.text(2, name);
      });
      ++k;
    }
  });
  w.text(4, host_name());
  return message;
}

/// A folder of the local time, and of a number where there is one of that second; its parents are made.
inline std::filesystem::path make_profile_folder(const std::filesystem::path& parent) {
  const std::time_t now = std::time(nullptr);
  std::tm local = {};
  ::localtime_r(&now, &local);
  char time[32] = "";
  std::strftime(time, sizeof time, "%Y_%m_%d_%H_%M_%S", &local);
  std::error_code why;
  std::filesystem::create_directories(parent, why);
  for (int i = 0; !why; ++i) {
    std::filesystem::path folder = parent / (i == 0 ? time : time + ("_" + std::to_string(i)));
    if (std::filesystem::create_directory(folder, why)) return folder;
  }
  fail("%s: the folder cannot be made: %s", parent.c_str(), why.message().c_str());
}

inline std::filesystem::path write_profile(const std::filesystem::path& folder, const timeline& spans) {
  const auto age = std::chrono::duration_cast<std::chrono::nanoseconds>(timeline::clock::now() - spans.begin());
  const std::string message = xspace_message(spans.spans(), nanoseconds_now() - age.count());
  if (message.size() > format::most_protobuf_bytes)
    fail("%s: a profile of %zu bytes, of which a protocol buffer has at most 2^31 - 1", folder.c_str(), message.size());
  const std::filesystem::path path = make_profile_folder(folder / "plugins" / "profile") / (host_name() + ".xplane.pb");
  format::output_file file(path);
  file.write(message);
  file.commit();
  return path;
}

}  // namespace etch::summary::detail
