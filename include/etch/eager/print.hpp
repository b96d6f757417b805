// SPDX-License-Identifier: MIT
#pragma once
#include <ostream>

#include <etch/eager/array_text.hpp>
#include <etch/eager/variable.hpp>

/// Tensors as text: `etch.tensor([[2.]], shape=(1, 1), dtype=float32)`, the elements as NumPy writes them.
namespace etch {

/// The elements alone, as NumPy writes them.
template <class T, int Rank>
std::string elements_text(const tensor<T, Rank>& t) {
  return eager::detail::array_text(t.data(), t.described(), t.size());
}

template <class T, int Rank>
std::ostream& operator<<(std::ostream& out, const tensor<T, Rank>& t) {
  return out << eager::detail::described_text("etch.tensor(", elements_text(t), t.described());
}
template <class T, int Rank>
std::ostream& operator<<(std::ostream& out, const eager::variable<T, Rank>& v) {
  return out << eager::detail::described_text("etch.variable(", elements_text(v.read()), v.described());
}

}  // namespace etch
