// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <memory>

#include <xtensor/xadapt.hpp>

#include "../session/executors.hpp"

/// Sums of products with operands that are computed for them: to the last bit those of the same operands in memory.
namespace {

using namespace etch;

template <class T>
using array = xt::xtensor<T, 2>;

/// Of weights as they are, or of a view of them.
template <class View>
void check_computed_row(View view) {
  constexpr placeholder<"x", float, any<"m">, any<"k">> x;
  constexpr placeholder<"w", float, any<"k">, any<"n">> w;
  constexpr auto inner = -x * 0.3_c;
  constexpr auto y = matmul(inner, view(w));
  etch::session s(y, inner);
  for (const std::size_t k : {std::size_t{1}, std::size_t{15}, std::size_t{33}, std::size_t{512}, std::size_t{5000}})
    for (const std::size_t n : {std::size_t{1}, std::size_t{3}, std::size_t{10}, std::size_t{70}, std::size_t{600}}) {
      xt::xtensor<float, 2> some(std::array<std::size_t, 2>{1, k}), weights(std::array<std::size_t, 2>{k, n});
      for (std::size_t i = 0; i < some.size(); ++i) some.data()[i] = std::sin(static_cast<float>(i));
      for (std::size_t i = 0; i < weights.size(); ++i) weights.data()[i] = std::cos(static_cast<float>(3 * i));
      const auto alone = s.run(y, x = some, w = weights);
      const auto fed = s.run(y, inner = s.run(inner, x = some), w = weights);
      CAPTURE(k);
      CAPTURE(n);
      CHECK(alone == fed);
      CHECK(std::get<1>(s.run(inner, y, x = some, w = weights)) == fed);
    }
}
/// Alone and beside what needs the operand in memory, too. Rows, sums and columns are such as lie on both sides of where other code serves.
template <class T, class Y, class Operand, class First, class Second, class Value>
void check_order_of_sums(Y y, Operand operand, First first, Second second, const Value& value, bool has_computed_right) {
  session alone(y);
  session beside(y, operand);
  const std::size_t rows[] = {1, 2, 4, 5, 12, 13, 24, 25, 48, 95, 96, 97, 200}, sums[] = {1, 7, 40, 200, 700, 2100},
                    columns[] = {1, 2, 4, 5, 31, 60, 100, 520};
  std::size_t kind = 0;
  for (const std::size_t m : rows)
    for (const std::size_t k : sums)
      for (const std::size_t n : columns) {
        const std::size_t work = m * k * n;
        const bool is_long = work > 20'000 && (++kind % 11 != 0 || work > 1'000'000);
        if (is_long || (has_computed_right && m == 1)) continue;
        CAPTURE(m);
        CAPTURE(k);
        CAPTURE(n);
        const array<T> u = value(first, m, k, n), v = value(second, m, k, n);
        const array<T> expected = std::get<0>(beside.run(y, operand, first = u, second = v));
        CHECK(executors::equal_bits(alone.run(y, first = u, second = v), expected));
        executors::backwards threads(3);
        alone.set_executor(&threads);
        CHECK(executors::equal_bits(alone.run(y, first = u, second = v), expected));
        alone.set_executor(nullptr);
      }
}
template <class T>
void check_order_of_sums() {
  constexpr placeholder<"a", T, any<"m">, any<"k">> a;
  constexpr placeholder<"b", T, any<"k">, any<"n">> b;
  constexpr placeholder<"across", T, any<"k">, any<"m">> across;
  constexpr placeholder<"down", T, any<"n">, any<"k">> down;
  constexpr auto left = maximum(-a, a * a);
  constexpr auto right = b * b + b;
  const auto value = [&](auto slot, std::size_t m, std::size_t k, std::size_t n) {
    const auto is = [](auto x, auto other) { return std::is_same_v<decltype(x), decltype(other)>; };
    array<T> v = xt::zeros<T>({is(slot, a) ? m : is(slot, down) ? n : k, is(slot, across) ? m : is(slot, b) ? n : k});
    for (std::size_t i = 0; i < v.size(); ++i) v.data()[i] = static_cast<T>(std::sin(static_cast<double>(3 * i)));
    return v;
  };
  static_assert(plan_of(matmul(left, right), a, b).kernel_count == 1);
  check_order_of_sums<T>(matmul(left, b), left, a, b, value, false);
  check_order_of_sums<T>(matmul(left, transpose(down)), left, a, down, value, false);
  check_order_of_sums<T>(matmul(a, right), right, a, b, value, true);
  check_order_of_sums<T>(matmul(transpose(across), right), right, across, b, value, true);
  check_order_of_sums<T>(matmul(left, right), left, a, b, value, false);
  check_order_of_sums<T>(matmul(left, right), right, a, b, value, true);
}
/// The same of columns and sums that the compiler knows, and of rows that it knows or not.
template <class T, std::size_t K, std::size_t N, class A>
void check_known_extents(A a, std::initializer_list<std::size_t> rows) {
  constexpr placeholder<"b", T, K, N> b;
  const auto value = [](std::size_t m, std::size_t n) {
    array<T> v = xt::zeros<T>({m, n});
    for (std::size_t i = 0; i < v.size(); ++i) v.data()[i] = static_cast<T>(std::sin(static_cast<double>(3 * i)));
    return v;
  };
  const auto check = [&](auto y, auto operand) {
    static_assert(plan_of(y).kernel_count == 1);
    static_assert(plan_of(y, operand).kernel_count == 2);
    session alone(y);
    session beside(y, operand);
    executors::backwards threads(3);
    for (const std::size_t m : rows) {
      CAPTURE(m);
      const array<T> u = value(m, K), v = value(K, N);
      const array<T> expected = std::get<0>(beside.run(y, operand, a = u, b = v));
      for (executor* const e : {static_cast<executor*>(nullptr), static_cast<executor*>(&threads)}) {
        alone.set_executor(e);
        beside.set_executor(e);
        CHECK(executors::equal_bits(alone.run(y, a = u, b = v), expected));
        CHECK(executors::equal_bits(std::get<0>(beside.run(y, operand, a = u, b = v)), expected));
      }
      beside.set_executor(nullptr);
    }
  };
  CAPTURE(K);
  CAPTURE(N);
  constexpr auto left = maximum(-a, a * a);
  if constexpr (plan_of(matmul(left, b)).kernel_count == 1) check(matmul(left, b), left);
  constexpr auto right = b * b + b;
  if constexpr (K * N >= 4096) check(matmul(a, right), right);
}

/// The right operand begins with a cache line, or not, as arrays of users do.
template <class T>
void check_order_wherever_it_lies() {
  constexpr placeholder<"a", T, any<"m">, any<"k">> a;
  constexpr placeholder<"b", T, any<"k">, any<"n">> b;
  constexpr auto product = matmul(a, b);
  session s(product);
  const auto fill = [](T* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<T>(std::sin(static_cast<double>(3 * i)));
  };
  using extents = std::array<std::size_t, 3>;
  for (const auto& [m, k, n] : {extents{40, 300, 90}, extents{64, 128, 512}, extents{65, 128, 512}, extents{80, 256, 256},
                                extents{95, 300, 130}, extents{95, 250, 256}, extents{96, 256, 256}, extents{33, 700, 200}}) {
    CAPTURE(m);
    CAPTURE(k);
    CAPTURE(n);
    array<T> u = xt::zeros<T>({m, k});
    fill(u.data(), u.size());
    const std::unique_ptr<T, void (*)(void*)> memory(
        static_cast<T*>(std::aligned_alloc(64, (k * n + 16) * sizeof(T) / 64 * 64 + 64)), &std::free);
    array<T> expected;
    for (const std::size_t offset : {std::size_t{0}, std::size_t{1}, 16 / sizeof(T)}) {
      T* const from = memory.get() + offset;
      fill(from, k * n);
      const array<T> y = s.run(product, a = u, b = xt::adapt(from, k * n, xt::no_ownership(), std::array<std::size_t, 2>{k, n}));
      if (offset == 0) expected = y;
      CHECK(executors::equal_bits(y, expected));
    }
  }
}

}  // namespace

TEST_CASE("law: a row that is computed for a product has the product that it has in memory") {
  check_computed_row([](auto w) { return w; });
  check_computed_row([](auto w) { return flip(w, axis<0>); });
  // Its columns are packed, where the row must not be.
  check_computed_row([](auto w) { return flip(w, axis<1>); });
}

TEST_CASE("law: sums of products with computed operands have the order that they have of operands in memory") {
  check_order_of_sums<float>();
  check_order_of_sums<double>();
}

TEST_CASE("law: the same of products that the compiler knows") {
  const std::initializer_list<std::size_t> rows = {1, 3, 8, 96, 97, 300, 2100};
  check_known_extents<float, 16, 16>(placeholder<"a", float, any<"m">, 16>{}, rows);
  check_known_extents<float, 100, 2>(placeholder<"a", float, any<"m">, 100>{}, rows);
  check_known_extents<double, 60, 4>(placeholder<"a", double, any<"m">, 60>{}, rows);
  check_known_extents<float, 512, 16>(placeholder<"a", float, 8, 512>{}, {8});
  check_known_extents<float, 1024, 32>(placeholder<"a", float, 4, 1024>{}, {4});
  check_known_extents<double, 512, 8>(placeholder<"a", double, 8, 512>{}, {8});
  check_known_extents<float, 64, 1>(placeholder<"a", float, 64, 64>{}, {64});
  check_known_extents<float, 1, 3>(placeholder<"a", float, 4096, 1>{}, {4096});
}

TEST_CASE("law: sums have the same order wherever an operand lies in memory") {
  check_order_wherever_it_lies<float>();
  check_order_wherever_it_lies<double>();
}
