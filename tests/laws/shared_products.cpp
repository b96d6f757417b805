// SPDX-License-Identifier: MIT
#include <cmath>

#include "base/larger.hpp"
#include "sharing.hpp"

/// Products of different extents in one plan, of which many have one program: which of them comes first, and what code its extents leave
/// out, is nothing to the others.
namespace {

using namespace etch;
using namespace etch::literals;
using laws::fetched;

constexpr int row_counts[] = {1, 2, 7, 40}, column_counts[] = {1, 2, 200, 512}, inner_counts[] = {33, 512};

/// Product number I: rows, columns, depth, and whether the second operand, of the larger depth, is read transposed.
template <int I>
struct numbered {
  static constexpr int m = row_counts[I % 4], n = column_counts[I / 4 % 4], k = inner_counts[I < 16 ? 0 : 1];
  static constexpr bool is_transposed = I >= 32;
  static constexpr auto left =
      variable<"a" / digits<1000 * m + k>>(random_uniform<"a" / digits<1000 * m + k>>(shape<m, k>{}) - 0.5_c);
  static constexpr auto right() {
    if constexpr (is_transposed)
      return variable<"t" / digits<1000 * n + k>>(random_uniform<"t" / digits<1000 * n + k>>(shape<n, k>{}) - 0.5_c);
    else
      return variable<"b" / digits<1000 * n + k>>(random_uniform<"b" / digits<1000 * n + k>>(shape<k, n>{}) - 0.5_c);
  }
  static constexpr auto value() {
    if constexpr (is_transposed)
      return matmul(left, transpose(right()));
    else
      return matmul(left, right());
  }
  using type = decltype(value());
};

constexpr int count = 48;

/// Fetches so many products, from First on in steps, which have no factor in common with their number.
template <int Count, int First, int Step, class Session>
void check_plan(Session& s, const laws::values& alone) {
  const laws::values got = [&]<int... I>(std::integer_sequence<int, I...>) {
    return laws::together(s, fetched<typename numbered<(First + I * Step) % count>::type...>{});
  }(std::make_integer_sequence<int, Count>{});
  for (int i = 0; i < Count; ++i) {
    const int at = (First + i * Step) % count;
    CHECK_MESSAGE(got[static_cast<std::size_t>(i)] == alone[static_cast<std::size_t>(at)],
                  "product " << at << " of " << Count << " from " << First << " on in steps of " << Step);
  }
}

/// The sums in double, and how far sums of floats may be from them.
template <int I, class Session>
void check_sums(Session& s) {
  using p = numbered<I>;
  const auto left = s.get(p::left), right = s.get(p::right()), product = s.run(p::value());
  constexpr int row_step = p::is_transposed ? 1 : p::n, column_step = p::is_transposed ? p::k : 1;
  double worst = 0;
  for (int i = 0; i < p::m; ++i)
    for (int j = 0; j < p::n; ++j) {
      const float *a = left.data() + i * p::k, *b = right.data() + j * column_step;
      double sum = 0, size = 0;
      for (int q = 0; q < p::k; ++q, ++a, b += row_step) {
        const double term = static_cast<double>(*a) * static_cast<double>(*b);
        sum += term;
        size += std::abs(term);
      }
      worst = larger_or_nan(worst, std::abs(static_cast<double>(product.data()[i * p::n + j]) - sum) / size);
    }
  CHECK_MESSAGE(worst <= p::k * 6e-8, "product " << I);
}

template <int... I>
void check_products(std::integer_sequence<int, I...>) {
  session s{numbered<I>::value()...};
  s.initialize();
  (check_sums<I>(s), ...);
  const laws::values alone = laws::check_sharing(s, std::tuple{numbered<I>::value()...});
  check_plan<count, 0, 5>(s, alone);
  check_plan<count, 0, 13>(s, alone);
  check_plan<5, 3, 7>(s, alone);
  check_plan<5, 32, 11>(s, alone);
  check_plan<5, 24, 17>(s, alone);
  check_plan<5, 40, 31>(s, alone);
}

TEST_CASE(
    "products of one, several, some and many rows, columns and depths have the same bits alone and in one plan, whatever the "
    "order") {
  check_products(std::make_integer_sequence<int, count>{});
}

}  // namespace
