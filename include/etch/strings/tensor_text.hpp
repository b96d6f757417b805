// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/print.hpp>
#include <etch/strings/tensor.hpp>
#include <etch/strings/text.hpp>

/// Tensors of strings as text.
namespace etch {

namespace eager {
/// One string of an array.
inline std::string number_text(const std::string& text, const number_format&) { return elements_text(text); }
}  // namespace eager

/// The elements alone, as NumPy writes bytes: `[b'a' b'b']`.
template <int Rank>
std::string elements_text(const tensor<std::string, Rank>& t) {
  if constexpr (Rank == 0) {
    return elements_text(std::string_view(t.item()));
  } else {
    if (t.size() == 0) return "[]";
    tensor_type type;
    type.rank = Rank;
    for (int i = 0; i < Rank; ++i) type.extents[i] = t.extent(i);
    return eager::detail::array_writer<std::string>(t.data(), type, t.size()).text();
  }
}

/// `etch.tensor(b'hello world', shape=(), dtype=string)`; what takes more than one line begins a new one.
template <int Rank>
std::ostream& operator<<(std::ostream& out, const tensor<std::string, Rank>& t) {
  const std::string elements = elements_text(t);
  out << (elements.find('\n') == std::string::npos ? "etch.tensor(" : "etch.tensor(\n") << elements << ", shape=(";
  for (int i = 0; i < Rank; ++i) out << (i > 0 ? ", " : "") << t.extent(i);
  return out << (Rank == 1 ? ",)" : ")") << ", dtype=string)";
}

}  // namespace etch
