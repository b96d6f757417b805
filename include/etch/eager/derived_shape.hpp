// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/evaluate.hpp>

/// Reshapes, repetitions and indices of eager tensors whose extents follow from an operand's (ops/derived_shape.hpp).
namespace etch {

template <class T, int Rank, int N>
auto evaluate_now(struct reshape, const tensor<T, Rank>& x, const detail::run_time_shape<N>& to) {
  return eager_detail::move<struct reshape, tensor<T, N>>(to.type, words(), x);
}
template <class T, int Rank, int N>
auto evaluate_now(struct broadcast_to, const tensor<T, Rank>& x, const detail::run_time_shape<N>& to) {
  return eager_detail::move<struct broadcast_to, tensor<T, N>>(to.type, words(), x);
}
/// A number beside x, everywhere in another shape.
template <class T, int Rank, class Value, int N>
auto evaluate_now(struct broadcast_to op, const tensor<T, Rank>&, const Value& value, const detail::run_time_shape<N>& to) {
  return evaluate_now(op, eager_detail::as_tensor<T>(value), to);
}

/// 0, 1, ..., n - 1.
template <class T>
auto evaluate_now(iota, std::type_identity<T>, std::int64_t n) {
  tensor_type type;
  type.type = dtype_of<T>;
  type.rank = 1;
  type.extents[0] = n;
  T* data = nullptr;
  const auto r = tensor<T, 1>::uninitialised(type, data);
  for (std::int64_t i = 0; i < n; ++i) data[i] = static_cast<T>(i);
  return r;
}

}  // namespace etch
