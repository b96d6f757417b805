// SPDX-License-Identifier: MIT
#pragma once
#include <xtensor/xadapt.hpp>
#include <xtensor/xtensor.hpp>

#include <etch/eager/tensor.hpp>

/// Tensors read by xtensor where they lie. Copies to and from its containers need no header: tensors convert.
namespace etch::eager {

/// What `array()` gives: it refers to the tensor's elements, which stay as long as some tensor has them.
template <class T, int Rank>
struct adaptor<tensor<T, Rank>> {
  static auto of(const tensor<T, Rank>& t) {
    std::array<std::size_t, static_cast<std::size_t>(Rank)> shape{};
    for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = static_cast<std::size_t>(t.shape()[i]);
    return xt::adapt(t.data(), static_cast<std::size_t>(t.size()), xt::no_ownership(), shape);
  }
};
template <class T>
struct adaptor<tensor<T, any_rank>> {
  static auto of(const tensor<T>& t) {
    std::vector<std::size_t> shape(t.dimension());
    for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = static_cast<std::size_t>(t.shape()[i]);
    return xt::adapt(t.data(), static_cast<std::size_t>(t.size()), xt::no_ownership(), shape);
  }
};

}  // namespace etch::eager
