// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include <etch/etch.hpp>
#include <etch/thread_pool.hpp>

// Rows of a few elements with operands that are the same in each, beside loops: of every length that a vector does not fill, whole and cut
// among threads, and where the rows are parts of longer ones.

namespace {

using namespace etch;
using namespace etch::literals;

template <class T>
using matrix = xt::xtensor<T, 2>;
template <class T>
using vector_of = xt::xtensor<T, 1>;

constexpr placeholder<"x", float, any<"n">, any<"m">> x;
constexpr placeholder<"bytes", std::uint8_t, any<"n">, any<"m">> bytes;
constexpr placeholder<"flags", bool, any<"m">> flags;
constexpr placeholder<"a", float, any<"m">> a;
constexpr placeholder<"b", float, any<"m">> b;
constexpr placeholder<"column", float, any<"n">, 1> column;
constexpr placeholder<"wide", double, any<"n">, any<"m">> wide;
constexpr placeholder<"c", double, any<"m">> c;

constexpr auto shifted = x + a;
constexpr auto scaled = (x - a) * b;
constexpr auto from_bytes = astype<float>(bytes) * a + b;
constexpr auto chosen = where(flags, x, a);
constexpr auto with_column = x * a + column;
constexpr auto in_double = wide - c;
constexpr auto of_part = slice(x, section<>, section<1, 4>) + slice(a, section<1, 4>);

template <class T>
T number(std::size_t i) {
  return static_cast<T>(i * 7919 % 251);
}
template <class T>
matrix<T> numbers(std::size_t n, std::size_t m) {
  matrix<T> v = xt::zeros<T>({n, m});
  for (std::size_t i = 0; i < v.size(); ++i) v.data()[i] = number<T>(i);
  return v;
}
template <class T>
vector_of<T> row_of(std::size_t m, std::size_t first) {
  vector_of<T> v = xt::zeros<T>({m});
  for (std::size_t i = 0; i < m; ++i) v(i) = number<T>(i + first) + 1;
  return v;
}
/// Whether result(i, j) is f(i, j) everywhere.
template <class T, class F>
bool is(const matrix<T>& result, const F& f) {
  for (std::size_t i = 0; i < result.shape()[0]; ++i)
    for (std::size_t j = 0; j < result.shape()[1]; ++j)
      if (result(i, j) != f(i, j)) return false;
  return true;
}

template <class Session>
void check_shape(Session& s, std::size_t n, std::size_t m) {
  CAPTURE(n);
  CAPTURE(m);
  const auto some = numbers<float>(n, m);
  const auto some_bytes = numbers<std::uint8_t>(n, m);
  const auto doubles = numbers<double>(n, m);
  const auto first = row_of<float>(m, 1), second = row_of<float>(m, 50);
  const auto of_doubles = row_of<double>(m, 3);
  vector_of<bool> some_flags = xt::zeros<bool>({m});
  for (std::size_t j = 0; j < m; ++j) some_flags(j) = j % 3 == 1;
  const auto some_column = numbers<float>(n, 1);
  CHECK(is(s.run(shifted, x = some, a = first), [&](auto i, auto j) { return some(i, j) + first(j); }));
  CHECK(is(s.run(scaled, x = some, a = first, b = second), [&](auto i, auto j) { return (some(i, j) - first(j)) * second(j); }));
  CHECK(is(s.run(from_bytes, bytes = some_bytes, a = first, b = second),
           [&](auto i, auto j) { return static_cast<float>(some_bytes(i, j)) * first(j) + second(j); }));
  CHECK(is(s.run(chosen, flags = some_flags, x = some, a = first),
           [&](auto i, auto j) { return some_flags(j) ? some(i, j) : first(j); }));
  CHECK(is(s.run(with_column, x = some, a = first, column = some_column),
           [&](auto i, auto j) { return some(i, j) * first(j) + some_column(i, 0); }));
  CHECK(is(s.run(in_double, wide = doubles, c = of_doubles), [&](auto i, auto j) { return doubles(i, j) - of_doubles(j); }));
  if (m >= 4) CHECK(is(s.run(of_part, x = some, a = first), [&](auto i, auto j) { return some(i, j + 1) + first(j + 1); }));
}

}  // namespace

TEST_CASE("rows shorter than some vectors, with operands that are the same in each") {
  etch::session alone(shifted, scaled, from_bytes, chosen, with_column, in_double, of_part);
  for (const std::size_t m : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 10u, 15u, 16u, 17u, 31u, 33u, 50u, 63u, 64u, 65u})
    for (const std::size_t n : {1u, 3u, 100u, 513u, 1000u}) check_shape(alone, n, m);
  for (const std::size_t m : {100u, 127u, 129u, 200u, 255u, 257u, 500u, 513u})
    for (const std::size_t n : {3u, 50u}) check_shape(alone, n, m);
  check_shape(alone, 0, 3);
  check_shape(alone, 1000, 0);
  for (const int workers : {2, 7}) {
    thread_pool pool(workers);
    etch::session shared(shifted, scaled, from_bytes, chosen, with_column, in_double, of_part);
    shared.set_executor(&pool);
    check_shape(shared, 40'001, 3);
    check_shape(shared, 9'999, 10);
  }
}

TEST_CASE("a variable of short rows is changed in place") {
  constexpr auto w = variable<"w">(zeros<float>(shape<1000, 3>{}));
  constexpr placeholder<"row", float, 3> row;
  constexpr auto change = group(assign(w, w * 0.5_c + row));
  etch::session s(change);
  const auto some = numbers<float>(1000, 3);
  s.set(w, some);
  s.run(change, row = {1, 2, 3});
  CHECK(is(s.get(w), [&](auto i, auto j) { return some(i, j) * 0.5f + static_cast<float>(j + 1); }));
}
