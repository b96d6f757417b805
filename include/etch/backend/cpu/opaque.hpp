// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstring>
#include <limits>

#include <etch/backend/cpu/cumulative.hpp>
#include <etch/backend/random.hpp>
#include <etch/config.hpp>
#include <etch/ops.hpp>

/// Kernels of ops that are neither elementwise, reductions nor contractions. Operands may lie in memory with any strides;
/// results are contiguous.
namespace etch::cpu {

namespace detail {

/// Copies elements between two strided views of the same extents; contiguous last axes by memcpy.
template <class T>
void copy_elements(T* to, const std::int64_t* to_stride, const T* from, const std::int64_t* from_stride, int rank,
                   const std::int64_t* extents) {
  if (rank > 0 && to_stride[rank - 1] == 1 && from_stride[rank - 1] == 1) {
    const std::int64_t row = extents[rank - 1];
    if (row == 0) return;
    for_each_pair(rank - 1, extents, to_stride, from_stride, [&](std::int64_t a, std::int64_t b) {
      std::memcpy(to + a, from + b, static_cast<std::size_t>(row) * sizeof(T));
    });
    return;
  }
  for_each_pair(rank, extents, to_stride, from_stride, [&](std::int64_t a, std::int64_t b) { to[a] = from[b]; });
}

template <class T>
std::int64_t clamped(const char* data, std::int64_t i, std::int64_t n) {
  const T row = reinterpret_cast<const T*>(data)[i];
  if constexpr (std::is_unsigned_v<T>)
    return static_cast<std::uint64_t>(row) >= static_cast<std::uint64_t>(n) ? n - 1 : static_cast<std::int64_t>(row);
  else
    return row < 0 ? 0 : row >= n ? n - 1 : row;
}

/// Calls f(index number in row-major order, chosen row) for each index.
template <class I, class F>
void for_each_index(const tensor_view& indices, std::int64_t rows, const F& f) {
  std::int64_t number = 0;
  for_each_pair(indices.rank, indices.extents, indices.strides, indices.strides,
                [&](std::int64_t at, std::int64_t) { f(number++, clamped<I>(indices.data, at, rows)); });
}

}  // namespace detail

template <>
struct opaque_kernel<struct pad> {
  template <class T, class>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    T* const to = reinterpret_cast<T*>(v[0].data);
    const std::int64_t n = v[0].count();
    for (std::int64_t i = 0; i < n; ++i) to[i] = T(0);
    std::int64_t offset = 0, stride[max_rank];
    for (int i = 0; i < v[0].rank; ++i) {
      const std::int64_t begin = attributes[3 * i] < 0 ? v[0].extents[i] - 1 : attributes[3 * i];
      offset += begin * v[0].strides[i];
      stride[i] = attributes[3 * i + 2] * v[0].strides[i];
    }
    detail::copy_elements(to + offset, stride, reinterpret_cast<const T*>(v[1].data), v[1].strides, v[1].rank,
                          v[1].extents);
  }
};

template <>
struct opaque_kernel<struct concat> {
  template <class T, class... Operands>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    T* to = reinterpret_cast<T*>(v[0].data);
    const int axis = static_cast<int>(attributes[0]);
    for (int k = 1; k <= static_cast<int>(sizeof...(Operands)); ++k) {
      detail::copy_elements(to, v[0].strides, reinterpret_cast<const T*>(v[k].data), v[k].strides, v[k].rank,
                            v[k].extents);
      to += v[k].extents[axis] * v[0].strides[axis];
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

template <>
struct opaque_kernel<struct gather> {
  template <class T, class, class I>
  static void run(const tensor_view* v, const std::int64_t*, const draw_state&) {
    T* const to = reinterpret_cast<T*>(v[0].data);
    const T* const from = reinterpret_cast<const T*>(v[1].data);
    const int axes = v[1].rank - 1;
    std::int64_t row = 1;
    for (int i = 1; i < v[1].rank; ++i) row *= v[1].extents[i];
    if (v[1].extents[0] == 0) {
      std::fill_n(to, v[0].count(), T(0));
      return;
    }
    detail::for_each_index<I>(v[2], v[1].extents[0], [&](std::int64_t number, std::int64_t chosen) {
      detail::copy_elements(to + number * row, v[0].strides + v[2].rank, from + chosen * v[1].strides[0],
                            v[1].strides + 1, axes, v[1].extents + 1);
    });
  }
};

template <>
struct opaque_kernel<struct scatter_add> {
  template <class T, class, class I, class>
  static void run(const tensor_view* v, const std::int64_t*, const draw_state&) {
    T* const to = reinterpret_cast<T*>(v[0].data);
    const T* const updates = reinterpret_cast<const T*>(v[3].data);
    detail::copy_elements(to, v[0].strides, reinterpret_cast<const T*>(v[1].data), v[1].strides, v[1].rank,
                          v[1].extents);
    if (v[0].extents[0] == 0) return;
    const int axes = v[0].rank - 1;
    std::int64_t index_stride[max_rank] = {};
    for (int i = 0; i < v[2].rank; ++i) index_stride[i] = v[3].strides[i];
    detail::for_each_pair(v[2].rank, v[2].extents, v[2].strides, index_stride, [&](std::int64_t at, std::int64_t from) {
      const std::int64_t chosen = detail::clamped<I>(v[2].data, at, v[0].extents[0]);
      T* const row = to + chosen * v[0].strides[0];
      detail::for_each_pair(axes, v[0].extents + 1, v[0].strides + 1, v[3].strides + v[2].rank,
                            [&](std::int64_t a, std::int64_t b) { row[a] = add.kernel(row[a], updates[from + b]); });
    });
  }
};

namespace detail {
/// Calls f(first element's offset in the operand, in the result) for each line along `axis`.
template <class F>
void for_each_line(const tensor_view& operand, const tensor_view& result, int axis, bool axis_in_result, const F& f) {
  std::int64_t extents[max_rank], a[max_rank], b[max_rank];
  int rank = 0;
  for (int i = 0; i < operand.rank; ++i) {
    if (i == axis) continue;
    extents[rank] = operand.extents[i];
    a[rank] = operand.strides[i];
    b[rank] = result.strides[axis_in_result || i < axis ? i : i - 1];
    ++rank;
  }
  for_each_pair(rank, extents, a, b, f);
}

template <class Op>
struct arg_kernel {
  template <class, class T>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    const int axis = static_cast<int>(attributes[0]);
    const std::int64_t n = v[1].extents[axis], stride = v[1].strides[axis];
    for_each_line(v[1], v[0], axis, false, [&](std::int64_t from, std::int64_t to) {
      const T* const x = reinterpret_cast<const T*>(v[1].data) + from;
      std::int64_t best = 0;
      for (std::int64_t i = 1; i < n && x[best * stride] == x[best * stride]; ++i) {
        const T value = x[i * stride];
        if (Op::better(value, x[best * stride]) || value != value) best = i;
      }
      reinterpret_cast<std::int64_t*>(v[0].data)[to] = best;
    });
  }
};
}  // namespace detail

template <>
struct opaque_kernel<struct argmax> : detail::arg_kernel<struct argmax> {};
template <>
struct opaque_kernel<struct argmin> : detail::arg_kernel<struct argmin> {};

template <>
struct opaque_kernel<uniform_draw> {
  template <class T>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state& state) {
    const draw_key key = draw_key::of(state.seed, state.run, static_cast<std::uint64_t>(attributes[0]));
    const std::int64_t n = v[0].count();
    for (std::int64_t i = 0; i < n; ++i)
      reinterpret_cast<T*>(v[0].data)[i] = uniform_at<T>(key, static_cast<std::uint64_t>(i));
  }
};

template <>
struct opaque_kernel<normal_draw> {
  template <class T>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state& state) {
    const draw_key key = draw_key::of(state.seed, state.run, static_cast<std::uint64_t>(attributes[0]));
    const std::int64_t n = v[0].count();
    for (std::int64_t i = 0; i < n; ++i)
      reinterpret_cast<T*>(v[0].data)[i] = normal_at<T>(key, static_cast<std::uint64_t>(i));
  }
};

}  // namespace etch::cpu
