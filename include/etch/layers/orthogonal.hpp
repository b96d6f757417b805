// SPDX-License-Identifier: MIT
#pragma once
#include <etch/control/scan.hpp>
#include <etch/nn/initializers.hpp>

namespace etch::initializers {

/// A random matrix whose rows are orthonormal, or whose columns are where these are fewer (Saxe and others 2014): what keeps the length of a state
/// from step to step. It is the orthogonal factor of a normal matrix's polar decomposition, uniformly distributed as that of Keras's QR
/// decomposition is, by Newton's and Schulz's iteration, which grows small singular values by half a step: 16 steps where one side is twice as long as
/// the other, for then the least is a sixth of the largest, else 40.
inline constexpr struct orthogonal {
  template <class Name, class T, auto Rows, auto Columns>
  static constexpr auto make(shape<Rows, Columns> s) {
    constexpr std::int64_t rows = Rows, columns = Columns, less = rows < columns ? rows : columns;
    // Random matrices have no larger singular value than the roots' sum, or little more; below the root of 3 it converges.
    const auto largest = sqrt(detail::number<T, rows>()) + sqrt(detail::number<T, columns>());
    return for_range<(rows + columns >= 3 * less ? 16 : 40)>(
        [](auto, auto x) {
          const auto cubed = [&] {
            if constexpr (rows <= columns)
              return matmul(matmul(x, matrix_transpose(x)), x);
            else
              return matmul(x, matmul(matrix_transpose(x), x));
          }();
          return 1.5_c * x - 0.5_c * cubed;
        },
        detail::normal_named<Name, T>(s) / largest);
  }
} orthogonal;

}  // namespace etch::initializers
