// SPDX-License-Identifier: MIT
#pragma once
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <variant>

#include <etch/format/array_view.hpp>
#include <etch/summary/event_file.hpp>
#include <etch/summary/graph_def.hpp>
#include <etch/summary/histogram.hpp>
#include <etch/summary/png.hpp>
#include <etch/summary/profile.hpp>
#include <etch/summary/run_profile.hpp>

/// What TensorBoard shows, written while a program runs.
namespace etch::summary {

/// A name and a number, a bool or a text. It refers to its texts.
struct hyperparameter {
  std::string_view name;
  std::variant<double, bool, std::string_view> value;

  hyperparameter(std::string_view n, std::string_view text) : name(n), value(text) {}
  hyperparameter(std::string_view n, const char* text) : name(n), value(std::string_view(text)) {}
  hyperparameter(std::string_view n, bool flag) : name(n), value(flag) {}
  template <class T>
    requires std::is_arithmetic_v<T>
  hyperparameter(std::string_view n, T number) : name(n), value(static_cast<double>(number)) {}
};

namespace detail {

/// The elements of an array row by row: an eager tensor's range is one of its parts.
template <class Values>
decltype(auto) elements_of(const Values& values) {
  if constexpr (std::is_convertible_v<decltype(*std::begin(values)), double>)
    return (values);
  else
    return std::span(values.data(), static_cast<std::size_t>(values.size()));
}

/// An expression has no elements before a session runs it; of one that is refused nothing else is said.
template <class Values>
constexpr bool has_elements() {
  if constexpr (expression<Values>)
    etch::detail::refuse_use<an_expression_has_no_value_until_a_session_runs_it, Values, instead_write<"session.run(y)">>();
  return !expression<Values>;
}

/// As TensorFlow rounds, of floats in [0, 1].
template <class T>
std::uint8_t byte_of(T value) {
  if constexpr (std::is_same_v<T, std::uint8_t>)
    return value;
  else
    return static_cast<std::uint8_t>(value > 0 ? std::min(static_cast<float>(value), 1.0f) * 255.5f : 0);
}

}  // namespace detail

/// Writes a file of events into a folder, which it makes; TensorBoard shows each folder as a run. Steps are any int64. Several threads may
/// call it. Events are in the file after 64 KiB, with the first that comes `flush_seconds` after the last writing, after `flush`, and after its
/// end. All functions throw `etch::error`, with the file's name, where the disk does not take the events: they are kept, and
/// written the next time. They throw it of a text that is not UTF-8, which is then in no event.
class file_writer {
 public:
  explicit file_writer(std::filesystem::path folder, double flush_seconds = 5) : file_(std::move(folder), flush_seconds) {}

  /// A number, as float32; NaN and infinities as well.
  template <class T>
  void scalar(std::string_view tag, const T& value, std::int64_t step) {
    double number;
    if constexpr (std::is_convertible_v<T, double>)
      number = static_cast<double>(value);
    else
      number = static_cast<double>(static_cast<typename T::value_type>(value));
    add(tag, step, [&](writer& w) { w.real32(2, static_cast<float>(number)); });
  }

  /// How an array's or a range's values are distributed, in buckets of equal width. NaN and infinities are in none of them.
  template <class Values>
  void histogram(std::string_view tag, const Values& values, std::int64_t step, int buckets = 30) {
    if constexpr (detail::has_elements<Values>()) {
      if (buckets < 1)
        fail("%s: histogram \"%s\" of %d buckets, of which one at least is needed", name(), text_of(tag).c_str(), buckets);
      const detail::histogram h(detail::elements_of(values), buckets);
      add(tag, step, [&](writer& w) {
        w.message(5, [&] {
          const double fields[] = {h.least, h.greatest, h.count, h.sum, h.sum_of_squares};
          for (std::uint32_t i = 0; i < 5; ++i) w.real(i + 1, fields[i]);
          w.packed(6, h.limits);
          w.packed(7, h.counts);
        });
      });
    }
  }

  /// An array of shape (height, width) or (height, width, channels): 1 channel is gray, 2 gray and opacity, 3 red, green, blue, 4 those and
  /// opacity. Bytes are taken as they are; floats are in [0, 1], what is beyond is cut, and NaN is black.
  template <class Pixels>
  void image(std::string_view tag, const Pixels& pixels, std::int64_t step) {
    if constexpr (detail::has_elements<Pixels>()) {
      std::vector<std::int64_t> shape;
      for (const auto extent : pixels.shape()) shape.push_back(static_cast<std::int64_t>(extent));
      const std::string shape_text = format::shape_text(shape);
      if (shape.size() == 2) shape.push_back(1);
      if (shape.size() != 3 || shape[0] < 1 || shape[1] < 1 || shape[2] < 1 || shape[2] > 4)
        fail("%s: image \"%s\" of shape %s, not (height, width) or (height, width, 1 to 4 channels)", name(), text_of(tag).c_str(),
             shape_text.c_str());
      std::vector<std::uint8_t> bytes;
      for (const auto& v : detail::elements_of(pixels)) bytes.push_back(detail::byte_of<std::remove_cvref_t<decltype(v)>>(v));
      const auto extent = [&](std::size_t k) { return static_cast<std::size_t>(shape[k]); };
      const std::string png = detail::encode_png(bytes, extent(0), extent(1), extent(2));
      add(tag, step, [&](writer& w) {
        w.message(4, [&] {
          for (std::uint32_t k = 0; k < 3; ++k) w.integer(k + 1, shape[k]);
          w.bytes(4, png);
        });
      });
    }
  }

  /// A text, which is Markdown.
  void text(std::string_view tag, std::string_view markdown, std::int64_t step) {
    add(tag, step, [&](writer& w) {
      w.message(9, [&] {
        w.message(1, [&] { w.text(1, "text"); });
        w.integer(4, 2);  // DATA_CLASS_TENSOR
      });
      w.message(8, [&] {
        w.integer(1, 7);  // DT_STRING
        w.bytes(2, "");   // a scalar's shape
        w.text(8, markdown);
      });
    });
  }

  /// What this run was made with, once a run: TensorBoard's page HParams compares runs by it.
  void hyperparameters(std::initializer_list<hyperparameter> all) {
    std::string content;
    writer c(content);
    c.integer(1, 0);    // the version
    c.message(3, [&] {  // SessionStartInfo
      for (const hyperparameter& h : all)
        c.entry(1, h.name, [&] {
          if (const double* number = std::get_if<double>(&h.value)) c.real(2, *number);
          if (const std::string_view* words = std::get_if<std::string_view>(&h.value)) c.text(3, *words);
          if (const bool* flag = std::get_if<bool>(&h.value)) c.integer(4, *flag);
        });
      c.real(5, static_cast<double>(detail::nanoseconds_now()) * 1e-9);
    });
    add("_hparams_/session_start_info", 0, [&](writer& w) {
      w.message(9, [&] {
        w.message(1, [&] {
          w.text(1, "hparams");
          w.bytes(2, content);
        });
      });
      w.message(8, [&] {
        w.integer(1, 1);                                                // DT_FLOAT
        w.message(2, [&] { w.message(2, [&] { w.integer(1, 0); }); });  // of shape (0)
      });
    });
  }

  /// The graph of expressions as they are written, or of a session's; of a plan, what its passes have made of it. TensorBoard shows the
  /// last one of a run. Nodes in bodies of loops and branches are not in it.
  template <class... What>
  void graph(const What&... what) {
    const std::string definition = detail::graph_def(graph_of(what...), detail::device_of(what...));
    file_.add(0, [&](writer& w) { w.bytes(4, definition); });
  }

  /// What `traced_run` has measured: TensorBoard's page Graphs shows it as compute time under the tag, which is another one each time. It
  /// goes by nodes' names, which are those of the plan's graph.
  void run_metadata(std::string_view tag, const etch::run_metadata& run, std::int64_t step) {
    const std::string message = detail::run_metadata_message(run, (detail::nanoseconds_now() - run.duration) / 1000);
    file_.add(step, [&](writer& w) {
      w.message(8, [&] {
        w.text(1, tag);
        w.bytes(2, message);
      });
    });
  }

  /// A timeline for TensorBoard's page Profile, which the Python package `xprof` adds: a line for each thread, the program's steps, and a
  /// table of its kernels. It is a file of its own, `plugins/profile/<date and time>/<host>.xplane.pb` in the writer's folder, whose path is
  /// returned; it is there as a whole, or an `etch::error` is thrown.
  std::filesystem::path profile(const timeline& spans) { return detail::write_profile(file_.folder(), spans); }
  /// The same of what `traced_run` has measured.
  std::filesystem::path profile(const etch::run_metadata& run) {
    timeline spans;
    spans.add(run);
    return profile(spans);
  }

  /// Writes what is still in memory.
  void flush() { file_.flush(); }
  /// The file's path.
  const std::string& path() const { return file_.name(); }

 private:
  using writer = format::protobuf_writer;

  const char* name() const { return file_.name().c_str(); }
  static std::string text_of(std::string_view text) { return std::string(text); }
  /// A value of a summary, which `fill` goes on with.
  template <class Fill>
  void add(std::string_view tag, std::int64_t step, const Fill& fill) {
    file_.add(step, [&](writer& w) {
      w.message(5, [&] {
        w.message(1, [&] {
          w.text(1, tag);
          fill(w);
        });
      });
    });
  }

  detail::event_file file_;
};

}  // namespace etch::summary
