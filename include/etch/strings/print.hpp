// SPDX-License-Identifier: MIT
#pragma once
#include <etch/host/print.hpp>
#include <etch/strings/eager.hpp>
#include <etch/strings/ops.hpp>

/// `print` of strings: in graphs when they run, of tensors at once.
namespace etch::detail {

/// One of an array, in quotes, as TensorFlow's `tf.print` writes it: quotes, backslashes and what ends a line are escaped as in C, other bytes
/// below 32 and 127 are three octal digits, those above are as they are.
inline std::string element_text(const string_handle& handle) {
  std::string written = "\"";
  for (const char c : handle.text()) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\'' || c == '\\') {
      written += {'\\', c};
    } else if (c == '\n' || c == '\r' || c == '\t') {
      written += {'\\', c == '\n' ? 'n' : c == '\r' ? 'r' : 't'};
    } else if (byte < 32 || byte == 127) {
      written += '\\';
      for (const int shift : {6, 3, 0}) written += static_cast<char>('0' + ((byte >> shift) & 7));
    } else {
      written += c;
    }
  }
  return written + '"';
}

/// As a print shows strings: one alone as it is, elements of an array in quotes.
inline std::string strings_text(const strided<const string_handle>& x) { return x.rank == 0 ? x.data->text() : elements_text(x); }

template <>
struct printed_elements<true> {
  static std::string text(const strided<const std::int64_t>& x) {
    return strings_text({reinterpret_cast<const string_handle*>(x.data), x.rank, x.extents, x.strides});
  }
};

template <class A>
  requires strings::detail::is_eager_text<A>
struct printed_now<A> {
  static std::string text(const A& a) {
    if constexpr (is_string_tensor<A>) {
      std::vector<string_handle> handles;
      for (std::int64_t i = 0; i < a.size(); ++i) handles.emplace_back(a.data()[i]);
      const row_major_layout layout(a, A::rank);
      return strings_text({handles.data(), A::rank, layout.extents, layout.strides});
    } else {
      return std::string(std::string_view(a));
    }
  }
};

}  // namespace etch::detail
