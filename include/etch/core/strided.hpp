// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <etch/config.hpp>

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

/// Whether Op has a kernel of its own for a result of element type T and operands of these.
template <class Op, class T, class... X>
concept runs_on = requires(strided<T> result, strided<const X>... operands, const std::int64_t* attributes) {
  Op::run(result, operands..., attributes);
};

}  // namespace etch
