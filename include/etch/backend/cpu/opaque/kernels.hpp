// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <limits>

#include <etch/backend/cpu/opaque/copying.hpp>
#include <etch/backend/cpu/opaque/draws.hpp>
#include <etch/backend/cpu/opaque/indexing.hpp>
#include <etch/backend/cpu/opaque/nd_indexing.hpp>
#include <etch/backend/cpu/opaque/padding.hpp>
#include <etch/backend/cpu/opaque/sorting.hpp>
#include <etch/config.hpp>
#include <etch/ops.hpp>

/// Kernels of ops that are neither elementwise, reductions nor contractions. Operands may lie in memory with any strides;
/// results are contiguous.
namespace etch::cpu {

template <>
struct opaque_kernel<struct concat> {
  template <class T, class... Operands>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    const int axis = static_cast<int>(attributes[0]);
    // Operands that share rows, and maybe lines, of the result are written in turn while these are in L1.
    constexpr std::int64_t at_once = (1 << 14) / sizeof(T);
    const bool shares_rows = axis > 0;
    const std::int64_t rows = shares_rows ? v[0].extents[0] : 1;
    const std::int64_t some = std::max<std::int64_t>(1, at_once / std::max<std::int64_t>(1, v[0].strides[0]));
    for (std::int64_t i = 0; i < rows; i += some) {
      T* to = reinterpret_cast<T*>(v[0].data) + i * v[0].strides[0];
      for (int k = 1; k <= static_cast<int>(sizeof...(Operands)); ++k) {
        std::int64_t extents[max_rank];
        std::copy_n(v[k].extents, v[k].rank, extents);
        if (shares_rows) extents[0] = std::min(some, rows - i);
        detail::copy_elements(to, v[0].strides, reinterpret_cast<const T*>(v[k].data) + i * v[k].strides[0], v[k].strides,
                              v[k].rank, extents);
        to += v[k].extents[axis] * v[0].strides[axis];
      }
    }
  }
};

/// The last elements, which enter in front, and the others.
template <>
struct opaque_kernel<cyclic_shift> {
  template <class T, class>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    const int axis = static_cast<int>(attributes[0]);
    const std::int64_t n = v[0].extents[axis];
    if (n == 0) return;
    const std::int64_t entering = (attributes[1] % n + n) % n;
    T* const to = reinterpret_cast<T*>(v[0].data);
    const T* const from = reinterpret_cast<const T*>(v[1].data);
    std::int64_t extents[max_rank];
    std::copy_n(v[0].extents, v[0].rank, extents);
    extents[axis] = entering;
    detail::copy_elements(to, v[0].strides, from + (n - entering) * v[1].strides[axis], v[1].strides, v[0].rank, extents);
    extents[axis] = n - entering;
    detail::copy_elements(to + entering * v[0].strides[axis], v[0].strides, from, v[1].strides, v[0].rank, extents);
  }
};

}  // namespace etch::cpu
