// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/place_bounds.hpp>
#include <etch/base/scalar_math.hpp>

namespace etch::cpu::matmul_detail {

/// In what products and sums of T are formed, by `math::fma`: left to itself g++ contracts some of the same sums and not others (-ffp-contract), so that
/// a product of one column had other bits alone than beside others. Integers wrap around, as unsigned ones no narrower than int do.
template <class T>
struct accumulator {
  using type = T;
};
template <class T>
  requires(std::is_integral_v<T> && sizeof(T) <= sizeof(unsigned))
struct accumulator<T> {
  using type = unsigned;
};
template <class T>
  requires(std::is_integral_v<T> && sizeof(T) > sizeof(unsigned))
struct accumulator<T> {
  using type = std::make_unsigned_t<T>;
};

/// The matrix product in scalars, for types that have no SIMD path here; T: of what the epilogue is given. The compiler vectorises along contiguous rows
/// of b.
template <class T, template <class> class Matrix, class A, class B, class Epilogue>
ETCH_NOINLINE void plain_product(index m, index n, index k, const Matrix<A>& a, const Matrix<B>& b,
                                 const Epilogue& epilogue) noexcept {
  using S = typename accumulator<T>::type;
  constexpr index width = 64;
  for (index i = 0; i < m; ++i) {
    for (index j = 0; j < n; j += width) {
      const index columns = minimum(n - j, width);
      S sums[width] = {};
      for (index p = 0; p < k; ++p) {
        const S left = static_cast<S>(*element(a, i, p));
        const B* const row = element(b, p, j);
        const index step = step_of_columns(b);
        if (step == 1) {
          for (index c = 0; c < columns; ++c) sums[c] = math::fma(left, static_cast<S>(row[c]), sums[c]);
        } else {
          for (index c = 0; c < columns; ++c) sums[c] = math::fma(left, static_cast<S>(row[c * step]), sums[c]);
        }
      }
      for (index c = 0; c < columns; ++c) epilogue.template operator()<T>(i, j + c, static_cast<T>(sums[c]), 1);
    }
  }
}

/// The same of grouped matrices, without what lies outside. IsColumnwise: both operands have the columns, at a stride of 1.
template <bool IsColumnwise, class T, class Epilogue>
ETCH_NOINLINE void plain_bounded(const grouped_matrix<T>& a, const grouped_matrix<T>& b, const place_bounds& bounds,
                                 const Epilogue& epilogue) noexcept {
  using S = typename accumulator<T>::type;
  const index m = a.rows.size(), n = b.columns.size(), k = b.rows.size();
  for (index i = 0; i < m; ++i) {
    for (index j = 0; j < n; ++j) {
      S sum(0);
      for (index p = 0; p < k; ++p)
        if (bounds.has(i, p))
          sum = math::fma(static_cast<S>(element(a, i, p)[IsColumnwise ? j : 0]), static_cast<S>(*element(b, p, j)), sum);
      epilogue.template operator()<T>(i, j, static_cast<T>(sum), 1);
    }
  }
}

}  // namespace etch::cpu::matmul_detail
