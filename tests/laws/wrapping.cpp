// SPDX-License-Identifier: MIT
#include "compare.hpp"

#include <etch/eager.hpp>

/// "Integers wrap around": sums and products of the largest and the smallest numbers are what unsigned arithmetic makes of them,
/// in every kernel that adds or multiplies. To be run under -fsanitize=undefined as well: signed overflow shows only there.
namespace {

using namespace etch;

/// Numbers near both ends of the range, and a few small ones.
template <class T>
T extreme(std::mt19937& generator) {
  using limits = std::numeric_limits<T>;
  const T numbers[] = {limits::max(),
                       limits::lowest(),
                       static_cast<T>(limits::max() - 1),
                       static_cast<T>(limits::lowest() + 1),
                       static_cast<T>(limits::max() / 2 + 1),
                       static_cast<T>(-1),
                       T(1),
                       T(3),
                       T(0)};
  return numbers[generator() % std::size(numbers)];
}
template <class T, std::size_t Rank>
xt::xtensor<T, Rank> extremes(const std::array<std::size_t, Rank>& shape, unsigned seed) {
  std::mt19937 generator(seed);
  auto x = xt::xtensor<T, Rank>::from_shape(shape);
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = extreme<T>(generator);
  return x;
}

/// As of a type that wraps, and is not promoted to one that does not.
template <class T>
T wrapped(std::uint64_t x) {
  return static_cast<T>(x);
}
template <class T>
std::uint64_t bits(T x) {
  return static_cast<std::uint64_t>(x);
}

template <class T, std::size_t N>
void check(const xt::xtensor<T, N>& got, const xt::xtensor<T, N>& expected, const std::string& what) {
  std::string where;
  laws::check_that(laws::agree(got, expected, 0, where), what + ": " + where);
}

template <class T>
constexpr placeholder<"m", T, any<"n">, any<"m">> m;
template <class T>
constexpr placeholder<"k", T, any<"m">, any<"k">> k;
constexpr placeholder<"rows", std::int32_t, any<"r">> rows;
template <class T>
constexpr placeholder<"updates", T, any<"r">, any<"m">> updates;

/// What f makes of x, row by row, and column by column.
template <class T>
auto along_rows(const xt::xtensor<T, 2>& x, auto f) {
  auto r = xt::xtensor<T, 1>::from_shape({x.shape()[0]});
  for (std::size_t i = 0; i < x.shape()[0]; ++i) {
    std::uint64_t total = bits(x(i, 0));
    for (std::size_t j = 1; j < x.shape()[1]; ++j) total = f(total, bits(x(i, j)));
    r(i) = wrapped<T>(total);
  }
  return r;
}
template <class T>
auto running_along_rows(const xt::xtensor<T, 2>& x, auto f) {
  xt::xtensor<T, 2> r = x;
  for (std::size_t i = 0; i < x.shape()[0]; ++i)
    for (std::size_t j = 1; j < x.shape()[1]; ++j) r(i, j) = wrapped<T>(f(bits(r(i, j - 1)), bits(x(i, j))));
  return r;
}

const auto plus = [](std::uint64_t a, std::uint64_t b) { return a + b; };
const auto times = [](std::uint64_t a, std::uint64_t b) { return a * b; };

constexpr std::size_t shapes[][2] = {{1, 1}, {2, 3}, {5, 7}, {16, 16}, {3, 33}, {40, 9}, {2, 300}};

}  // namespace

TEST_CASE_TEMPLATE("law: integer sums, products, running sums and recurrences wrap around", T, std::int32_t, std::int64_t,
                   std::uint64_t) {
  constexpr auto v = m<T>;
  constexpr auto all = std::tuple(sum(v, axis<1>), sum(transpose(v), axis<0>), prod(v, axis<1>), prod(transpose(v), axis<0>),
                                  cumsum(v, axis<1>), cumprod(v, axis<1>), linear_recurrence(v, v, axis<1>));
  std::apply(
      [&](auto... e) {
        session s(e...);
        for (const auto& shape : shapes) {
          const auto x = extremes<T, 2>({shape[0], shape[1]}, 41);
          auto recurrence = xt::xtensor<T, 2>(xt::zeros<T>({shape[0], shape[1]}));
          for (std::size_t i = 0; i < shape[0]; ++i)
            for (std::size_t j = 1; j < shape[1]; ++j)
              recurrence(i, j) = wrapped<T>(bits(x(i, j - 1)) * bits(recurrence(i, j - 1)) + bits(x(i, j - 1)));
          const auto check_all = [&](const auto& got, const std::string& by) {
            check(std::get<0>(got), along_rows(x, plus), "sums of rows" + by);
            check(std::get<1>(got), along_rows(x, plus), "sums of columns" + by);
            check(std::get<2>(got), along_rows(x, times), "products of rows" + by);
            check(std::get<3>(got), along_rows(x, times), "products of columns" + by);
            check(std::get<4>(got), running_along_rows(x, plus), "running sums" + by);
            check(std::get<5>(got), running_along_rows(x, times), "running products" + by);
            check(std::get<6>(got), recurrence, "recurrences" + by);
          };
          check_all(s.run(e..., m<T> = x), "");
          check_all(reference::run(e..., m<T> = x), " by the reference");
          const tensor<T, 2> now(x);
          check_all(std::tuple(laws::copied(sum(now, axis<1>)), laws::copied(sum(transpose(now), axis<0>)),
                               laws::copied(prod(now, axis<1>)), laws::copied(prod(transpose(now), axis<0>)),
                               laws::copied(cumsum(now, axis<1>)), laws::copied(cumprod(now, axis<1>)),
                               laws::copied(linear_recurrence(now, now, axis<1>))),
                    " at once");
        }
      },
      all);
}

TEST_CASE_TEMPLATE("law: integer rows that are added wrap around", T, std::uint8_t, std::int8_t, std::uint16_t, std::int32_t,
                   std::uint64_t, std::int64_t) {
  constexpr auto added = scatter_add(m<T>, rows, updates<T>);
  session s(added);
  const xt::xtensor<std::int32_t, 1> chosen = {2, 0, 2, 1, 2};
  for (const std::size_t width : {std::size_t{1}, std::size_t{9}, std::size_t{40}}) {
    const auto x = extremes<T, 2>({3, width}, 42), u = extremes<T, 2>({5, width}, 43);
    auto expected = x;
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < width; ++j) {
        T& to = expected(static_cast<std::size_t>(chosen(i)), j);
        to = wrapped<T>(bits(to) + bits(u(i, j)));
      }
    check(s.run(added, m<T> = x, rows = chosen, updates<T> = u), expected, "added rows");
    check(reference::run(added, m<T> = x, rows = chosen, updates<T> = u), expected, "added rows by the reference");
    check(laws::copied(scatter_add(tensor<T, 2>(x), tensor<std::int32_t, 1>(chosen), tensor<T, 2>(u))), expected,
          "added rows at once");
  }
}

TEST_CASE_TEMPLATE("law: integer matrix products wrap around", T, std::uint8_t, std::int8_t, std::uint16_t, std::int32_t,
                   std::uint32_t, std::int64_t, std::uint64_t) {
  constexpr auto product = matmul(m<T>, k<T>);
  constexpr auto transposed = matmul(transpose(k<T>), transpose(m<T>));
  constexpr placeholder<"four", T, 4, 6> four;
  constexpr placeholder<"six", T, 6, 5> six;
  constexpr auto small = matmul(four, six);
  const auto expected = [](const xt::xtensor<T, 2>& a, const xt::xtensor<T, 2>& b) {
    auto r = xt::xtensor<T, 2>::from_shape({a.shape()[0], b.shape()[1]});
    for (std::size_t i = 0; i < r.shape()[0]; ++i)
      for (std::size_t j = 0; j < r.shape()[1]; ++j) {
        std::uint64_t total = 0;
        for (std::size_t q = 0; q < a.shape()[1]; ++q) total += bits(a(i, q)) * bits(b(q, j));
        r(i, j) = wrapped<T>(total);
      }
    return r;
  };
  session s(product, transposed, small);
  constexpr std::size_t extents[][3] = {{1, 1, 1},    {1, 5, 9}, {1, 300, 40}, {3, 4, 1},
                                        {40, 300, 1}, {5, 7, 3}, {33, 40, 50}, {70, 130, 90}};
  for (const auto& e : extents) {
    const auto a = extremes<T, 2>({e[0], e[1]}, 44), b = extremes<T, 2>({e[1], e[2]}, 45);
    const auto right = expected(a, b);
    const auto [got, again] = s.run(product, transposed, m<T> = a, k<T> = b);
    check(got, right, "products");
    check(again, xt::xtensor<T, 2>(xt::transpose(right)), "products of transposed operands");
    check(reference::run(product, m<T> = a, k<T> = b), right, "products by the reference");
    check(laws::copied(matmul(tensor<T, 2>(a), tensor<T, 2>(b))), right, "products at once");
  }
  const auto a = extremes<T, 2>({4, 6}, 46), b = extremes<T, 2>({6, 5}, 47);
  check(s.run(small, four = a, six = b), expected(a, b), "small products");
}

TEST_CASE("law: integers that count wrap around") {
  constexpr auto numbers = arange<std::int32_t>(shape<40>{}) * 2147483647_c + 2147483647_c;
  constexpr auto bytes = arange<std::uint8_t>(shape<600>{}) * 7_c;
  session s(numbers, bytes);
  const auto [got, got_bytes] = s.run(numbers, bytes);
  for (std::size_t i = 0; i < 40; ++i) CHECK(got(i) == wrapped<std::int32_t>((i + 1) * 2147483647));
  for (std::size_t i = 0; i < 600; ++i) CHECK(got_bytes(i) == wrapped<std::uint8_t>(i * 7));
}
