// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>

#include <etch/backend/cpu/opaque/kernel.hpp>

/// Elements from one strided place to another.
namespace etch::cpu::detail {

/// Copies elements between two strided views of the same extents; contiguous last axes by memcpy, others by a loop along the last.
template <class T>
void copy_elements(T* to, const std::int64_t* to_stride, const T* from, const std::int64_t* from_stride, int rank,
                   const std::int64_t* extents) {
  std::int64_t row = 1;
  while (rank > 0 && (extents[rank - 1] == 1 || (to_stride[rank - 1] == row && from_stride[rank - 1] == row)))
    row *= extents[--rank];
  if (row != 1) {
    if (row == 0) return;
    for_each_pair(rank, extents, to_stride, from_stride, [&](std::int64_t a, std::int64_t b) {
      std::memcpy(to + a, from + b, static_cast<std::size_t>(row) * sizeof(T));
    });
    return;
  }
  if (rank == 0) {
    *to = *from;
    return;
  }
  const std::int64_t count = extents[--rank], to_step = to_stride[rank], from_step = from_stride[rank];
  for_each_pair(rank, extents, to_stride, from_stride, [&](std::int64_t a, std::int64_t b) {
    for (std::int64_t i = 0; i < count; ++i) to[a + i * to_step] = from[b + i * from_step];
  });
}

/// The result of an op that changes operand 0, with that operand's elements. It may lie where they do.
template <class T>
T* operand_to_change(const tensor_view* v) {
  T* const to = reinterpret_cast<T*>(v[0].data);
  const T* const from = reinterpret_cast<const T*>(v[1].data);
  if (to != from) copy_elements(to, v[0].strides, from, v[1].strides, v[1].rank, v[1].extents);
  return to;
}

}  // namespace etch::cpu::detail
