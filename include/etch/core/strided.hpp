// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <etch/core/shape.hpp>

namespace etch {

/// A tensor as an op's own kernel sees it: `rank` axes, outermost first; element (i, j, ...) is data[i * strides[0] + j *
/// strides[1] + ...]. Strides count elements; those of operands may be 0 or negative, a result's elements lie in row-major order.
template <class T>
struct strided {
  T* data = nullptr;
  int rank = 0;
  const std::int64_t* extents = nullptr;
  const std::int64_t* strides = nullptr;

  std::int64_t size() const {
    std::int64_t n = 1;
    for (int i = 0; i < rank; ++i) n *= extents[i];
    return n;
  }
  /// By one index per axis.
  template <class... I>
  T& operator()(I... indices) const {
    const std::int64_t at[] = {static_cast<std::int64_t>(indices)..., 0};
    std::int64_t offset = 0;
    for (int i = 0; i < static_cast<int>(sizeof...(I)); ++i) offset += at[i] * strides[i];
    return data[offset];
  }
  /// By its number in row-major order.
  T& operator[](std::int64_t number) const {
    std::int64_t offset = 0;
    for (int i = rank; i-- > 0;) {
      offset += number % extents[i] * strides[i];
      number /= extents[i];
    }
    return data[offset];
  }
};

namespace detail {
/// Calls f(offsets) for each index of `extents[0, rank)`, the last axis innermost: where it stands in each of N arrays, whose strides are
/// given.
template <int N, class F>
void for_each_place(int rank, const std::int64_t* extents, const std::int64_t* const (&strides)[N], const F& f) {
  std::int64_t index[max_rank] = {}, at[N] = {};
  for (int i = 0; i < rank; ++i)
    if (extents[i] == 0) return;
  while (true) {
    f(static_cast<const std::int64_t*>(at));
    int i = rank - 1;
    for (; i >= 0; --i) {
      for (int k = 0; k < N; ++k) at[k] += strides[k][i];
      if (++index[i] < extents[i]) break;
      for (int k = 0; k < N; ++k) at[k] -= strides[k][i] * extents[i];
      index[i] = 0;
    }
    if (i < 0) return;
  }
}
}  // namespace detail

/// Whether Op has a kernel of its own for a result of element type T and operands of these.
template <class Op, class T, class... X>
concept runs_on = requires(strided<T> result, strided<const X>... operands, const std::int64_t* attributes) {
  Op::run(result, operands..., attributes);
};

}  // namespace etch
