// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <etch/core/shape.hpp>
#include <etch/eager/number_text.hpp>

/// Arrays as text, as NumPy writes them, with what TensorFlow writes around them.
namespace etch::eager::detail {

/// Elements of an array, as lines of at most 75 characters; of an array of more than 1000 elements the first and the last three along
/// each axis.
template <class T>
class array_writer {
 public:
  array_writer(const T* data, const tensor_type& type, std::int64_t size) : data_(data), type_(type), is_short_(size > 1000) {
    std::vector<T> shown;
    collect(0, data_, shown);
    // Not by data(): a vector of bools has none.
    format_ = [&] {
      if constexpr (std::is_same_v<T, bool>)
        return format_of<T>(nullptr, 0);
      else
        return format_of(shown.data(), shown.size());
    }();
  }
  std::string text() const { return axis_text(0, data_, " ", 75); }

 private:
  static constexpr std::int64_t edge = 3;

  bool leaves_out(int axis) const { return is_short_ && type_.extents[axis] > 2 * edge; }
  std::int64_t stride(int axis) const {
    std::int64_t n = 1;
    for (int i = axis + 1; i < type_.rank; ++i) n *= type_.extents[i];
    return n;
  }
  /// Calls f(i) for each index that is shown, and between() where some are left out.
  template <class F, class G>
  void for_each_shown(int axis, const F& f, const G& between) const {
    const std::int64_t n = type_.extents[axis];
    for (std::int64_t i = 0; i < n; ++i) {
      if (leaves_out(axis) && i == edge) {
        between();
        i = n - edge;
      }
      f(i);
    }
  }
  void collect(int axis, const T* from, std::vector<T>& shown) const {
    if (axis == type_.rank)
      shown.push_back(*from);
    else
      for_each_shown(axis, [&](std::int64_t i) { collect(axis + 1, from + i * stride(axis), shown); }, [] {});
  }

  std::string axis_text(int axis, const T* from, const std::string& indent, std::size_t width) const {
    return axis + 1 == type_.rank ? row_text(from, indent, width) : nested_text(axis, from, indent, width);
  }
  std::string row_text(const T* from, const std::string& indent, std::size_t width) const {
    std::string text, line = indent;
    bool is_first = true;
    const auto append = [&](const std::string& word) {
      if (!is_first) line += ' ';
      is_first = false;
      if (line.size() + word.size() > width - 1 && line.size() > indent.size()) {
        line.resize(line.find_last_not_of(' ') + 1);
        text += line + '\n';
        line = indent;
      }
      line += word;
    };
    for_each_shown(type_.rank - 1, [&](std::int64_t i) { append(number_text(from[i], format_)); }, [&] { append("..."); });
    return '[' + (text + line).substr(indent.size()) + ']';
  }
  std::string nested_text(int axis, const T* from, const std::string& indent, std::size_t width) const {
    const std::string separator(static_cast<std::size_t>(type_.rank - axis - 1), '\n');
    std::string text;
    bool is_first = true;
    const auto append = [&](const std::string& part) {
      if (!is_first) text += separator + indent;
      is_first = false;
      text += part;
    };
    for_each_shown(
        axis, [&](std::int64_t i) { append(axis_text(axis + 1, from + i * stride(axis), indent + ' ', width - 1)); },
        [&] { append("..."); });
    return '[' + text + ']';
  }

  const T* data_;
  const tensor_type& type_;
  bool is_short_;
  number_format format_;
};

/// The elements alone.
template <class T>
std::string array_text(const T* data, const tensor_type& type, std::int64_t size) {
  if constexpr (!std::is_arithmetic_v<T> && !is_storage_number<T>) {
    if (type.rank == 0) return number_text(*data, number_format{});
  } else {
    if (type.rank == 0) return scalar_text(*data);
  }
  if (size == 0) return "[]";
  return array_writer<T>(data, type, size).text();
}
/// `etch.tensor(` or `etch.variable("w", `, then the elements, shape and dtype. What takes more than one line begins a new one.
inline std::string described_text(std::string text, const std::string& elements, const tensor_type& type) {
  if (elements.find('\n') != std::string::npos) {
    if (text.back() == ' ') text.pop_back();
    text += '\n';
  }
  text += elements + ", shape=(";
  for (int i = 0; i < type.rank; ++i) text += (i > 0 ? ", " : "") + std::to_string(type.extents[i]);
  return text + (type.rank == 1 ? ",)" : ")") + ", dtype=" + (type.type == dtype::none ? "string" : name_of_dtype(type.type)) + ")";
}

}  // namespace etch::eager::detail
