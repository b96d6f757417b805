// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/print.hpp>
#include <etch/strings/tensor.hpp>
#include <etch/strings/text.hpp>

/// Tensors of strings as text: the elements as NumPy writes bytes, `[b'a' b'b']`, in what is written around those of numbers.
namespace etch::eager {

inline std::string number_text(const std::string& text, const number_format&) { return elements_text(text); }

}  // namespace etch::eager
