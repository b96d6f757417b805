// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <charconv>
#include <iostream>
#include <string>
#include <string_view>

#include <etch/base/bfloat16.hpp>
#include <etch/base/name.hpp>
#include <etch/core/strided.hpp>

/// Where the prints of graphs go, and how elements are written.
namespace etch {

namespace detail {
inline std::atomic<std::ostream*> output_stream = nullptr;

/// A text in the name of an op: names end at a zero, which stands in them as `\0`.
template <fixed_string Text>
constexpr auto text_in_a_name() {
  constexpr std::size_t longer = [] {
    std::size_t n = 0;
    for (std::size_t i = 0; i + 1 < sizeof Text.text; ++i) n += Text.text[i] == '\0' || Text.text[i] == '\\' ? 1 : 0;
    return n;
  }();
  char text[Text.size + longer + 1]{};
  std::size_t n = 0;
  for (std::size_t i = 0; i + 1 < sizeof Text.text; ++i) {
    const char c = Text.text[i];
    if (c == '\0' || c == '\\') text[n++] = '\\';
    text[n++] = c == '\0' ? '0' : c;
  }
  return fixed_string<sizeof text>(text);
}

/// As short as it can be read back: `2`, `0.1`, `inf`, `nan`.
template <class T>
std::string element_text(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "1" : "0";
  } else if constexpr (is_storage_number<T>) {
    return element_text(static_cast<float>(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    if (value != value) return "nan";
    char text[32];
    return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
  } else {
    return std::to_string(value);
  }
}

/// Elements from one of them on, along the axes from `axis` on.
template <class T>
std::string axis_text(const strided<const T>& x, const T* from, int axis) {
  constexpr std::int64_t edge = 3;
  if (axis == x.rank) return element_text(*from);
  std::string between(axis + 1 == x.rank ? 1 : static_cast<std::size_t>(axis) + 2, ' ');
  if (axis + 1 < x.rank) between[0] = '\n';
  std::string text = "[";
  for (std::int64_t i = 0; i < x.extents[axis]; ++i) {
    if (i > 0) text += between;
    if (i == edge && x.extents[axis] > 2 * edge) {
      text.append("...").append(between);
      i = x.extents[axis] - edge;
    }
    text += axis_text(x, from + i * x.strides[axis], axis + 1);
  }
  return text + "]";
}
template <class T>
std::string elements_text(const strided<const T>& x) {
  return axis_text(x, x.data, 0);
}

/// The text with what is to stand at each `{}`, as one line, which is written at once.
inline void write_line(std::string_view text, const std::string* at_places) {
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "{}") {
      line += *at_places++;
      ++i;
    } else {
      line += text[i];
    }
  }
  line += '\n';
  std::ostream* const stream = output_stream.load(std::memory_order_acquire);
  (stream != nullptr ? *stream : std::cerr).write(line.data(), static_cast<std::streamsize>(line.size()));
}
}  // namespace detail

/// The prints of all sessions go to this stream from now on, which must live on; to std::cerr where it is null. Gives the one before.
/// Each line is one write; runs in several threads need a stream that takes that.
inline std::ostream* print_to(std::ostream* stream) { return detail::output_stream.exchange(stream, std::memory_order_acq_rel); }

}  // namespace etch
