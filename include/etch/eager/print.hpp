// SPDX-License-Identifier: MIT
#pragma once
#include <charconv>
#include <ostream>

#include <etch/eager/tensor.hpp>

/// Eager tensors as text: `etch.tensor([[2.]], shape=(1, 1), dtype=float32)`.
namespace etch {

namespace detail {

/// The shortest digits that read back as the same number; whole floats end in a point.
template <class T>
std::string element_text(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "True" : "False";
  } else if constexpr (std::is_floating_point_v<T>) {
    if (value != value) return "nan";
    if (value - value != 0) return value > 0 ? "inf" : "-inf";
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    std::string digits(text, end);
    return digits.find_first_of(".e") == std::string::npos ? digits + "." : digits;
  } else {
    return std::to_string(value);
  }
}

template <class T>
void write_axis(std::string& text, const T* data, const std::int64_t* extents, int rank, int depth) {
  if (rank == 0) {
    text += element_text(*data);
    return;
  }
  std::int64_t size = 1;
  for (int i = 1; i < rank; ++i) size *= extents[i];
  text += "[";
  for (std::int64_t i = 0; i < extents[0]; ++i) {
    if (i > 0) text += rank == 1 ? " " : "\n" + std::string(static_cast<std::size_t>(depth) + 1, ' ');
    write_axis(text, data + i * size, extents + 1, rank - 1, depth + 1);
  }
  text += "]";
}

}  // namespace detail

template <class T, int Rank>
std::ostream& operator<<(std::ostream& out, const tensor<T, Rank>& t) {
  const tensor_type& type = t.described();
  std::string text = "etch.tensor(";
  detail::write_axis(text, t.data(), type.extents, type.rank, 12);
  text += ", shape=(";
  for (int i = 0; i < type.rank; ++i) text += (i > 0 ? ", " : "") + std::to_string(type.extents[i]);
  text += type.rank == 1 ? ",)" : ")";
  return out << text << ", dtype=" << name_of_dtype(type.type) << ")";
}

}  // namespace etch
