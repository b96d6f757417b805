// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/blocked.hpp>
#include <etch/backend/cpu/matmul/dot.hpp>

namespace etch::cpu {

template <class T>
constexpr index matmul_workspace(index m, index n, index k) noexcept {
  return matmul_detail::blocked_workspace<T>(m, n, k);
}

#ifndef ROWFORM
#define ROWFORM 1
#endif
#ifndef DOTROWS
#define DOTROWS 4
#endif
namespace matmul_detail {
template <class T>
ETCH_INLINE void product(index m, index n, index k, matrix<T> a, matrix<T> b, T* workspace, const sink<T>& to) noexcept {
  if (b.column_stride == 1 || n == 1) {
    if (ROWFORM && m == 1 && n > 8*lanes<T> && b.column_stride == 1) return one_row(n, k, a, b, to);
    if (b.column_stride == 1 && (has_avx512 || n % lanes<T> == 0) && m <= 96 && n*k <= 65536) return unblocked(m, n, k, a, b, to);
  } else if (b.row_stride == 1 && (m <= DOTROWS || (m <=64 && 8*m <= k))) {
    return dots(m, n, k, a, b, to);
  }
  blocked(m, n, k, a, b, workspace, to);
}
}
template <class T, class Epilogue>
void matmul(index m, index n, index k, matrix<T> a, matrix<T> b, T* workspace, const Epilogue& epilogue) noexcept {
  using namespace matmul_detail;
  if (m == 1 ) a.row_stride = 1 ;
  if (n == 1) b.column_stride = 1;
  if (n <= 4 && m > n) {
    if (a.row_stride == 1 ) return product(n, m, k, transposed(b), transposed(a), workspace, sink_of<T>(epilogue, true));
    if (a.column_stride == 1 && k >= 2 * lanes<T>) return product(n, m, k, transposed(b), transposed(a), workspace, sink_of<T>(epilogue, true));
  }
  product(m, n, k, a, b, workspace, sink_of<T>(epilogue, false));
}

}  // namespace etch::cpu
