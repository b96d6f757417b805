// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/eager.hpp>
#include <etch/eager/xtensor.hpp>
#include <etch/etch.hpp>

// One law: an op called on tensors gives what a session gives for the same op.

using namespace etch::literals;
using etch::any;
using etch::axis;

namespace {

constexpr etch::placeholder<"a", float, any<"n">, 3> a;
constexpr etch::placeholder<"b", float, 3> b;
constexpr etch::placeholder<"c", bool, any<"n">, 3> c;
constexpr etch::placeholder<"i", std::int32_t, any<"n">, 3> i32;
constexpr etch::placeholder<"j", std::int32_t, 3> j32;
constexpr etch::placeholder<"rows", std::int32_t, any<"m">> rows;

/// Elements in (0.1, 0.9), different ones: inside the domain of every op but acosh, which starts at 1.
xt::xtensor<float, 2> matrix(std::size_t n, float from = 0.1f) {
  auto x = xt::xtensor<float, 2>::from_shape({n, 3});
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = from + 0.8f * static_cast<float>((i * 37) % 101) / 101.f;
  return x;
}
xt::xtensor<std::int32_t, 2> integers(std::size_t n) {
  auto x = xt::xtensor<std::int32_t, 2>::from_shape({n, 3});
  for (std::size_t k = 0; k < x.size(); ++k) x.data()[k] = static_cast<std::int32_t>((k * 37) % 101) - 50;
  return x;
}
xt::xtensor<bool, 2> mask(std::size_t n) {
  auto x = xt::xtensor<bool, 2>::from_shape({n, 3});
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = i % 3 == 1;
  return x;
}

template <class Tensor, class Array>
void same(const Tensor& now, const Array& later) {
  REQUIRE(now.array().shape() == later.shape());
  for (std::size_t i = 0; i < later.size(); ++i) CHECK(now.array().data()[i] == later.data()[i]);
}

/// The same up to the order of sums: a session adds the elements of rows of known, small extent in another order.
template <class Tensor, class Array>
void same_sum(const Tensor& now, const Array& later) {
  REQUIRE(now.array().shape() == later.shape());
  for (std::size_t i = 0; i < later.size(); ++i)
    CHECK(static_cast<double>(now.array().data()[i]) == doctest::Approx(static_cast<double>(later.data()[i])).epsilon(1e-6));
}

template <class Op>
void elementwise_law() {
  if constexpr (std::is_same_v<Op, etch::cast>) {
    return;
  } else {
    CAPTURE(Op::name);
    constexpr Op op{};
    constexpr bool logical = Op::accepts == etch::dtype_set::boolean;
    constexpr bool of_integers = !logical && !etch::contains(Op::accepts, etch::dtype::float32);
    for (const std::size_t n : {0u, 1u, 7u, 20u}) {
      const etch::tensor<float, 2> x = matrix(n, std::is_same_v<Op, struct etch::acosh> ? 1.0f : 0.1f);
      const etch::tensor<float, 1> y = {0.25f, 0.5f, 0.75f};
      const etch::tensor<bool, 2> m = mask(n);
      const etch::tensor<std::int32_t, 2> k = integers(n);
      const etch::tensor<std::int32_t, 1> l = {3, 0, 35};
      if constexpr (of_integers && Op::arity == 2) {
        etch::session s(op(i32, j32));
        same(op(k, l), s.run(op(i32, j32), i32 = k.array(), j32 = l.array()));
      } else if constexpr (of_integers) {
        etch::session s(op(i32));
        same(op(k), s.run(op(i32), i32 = k.array()));
      } else if constexpr (Op::arity == 3) {
        etch::session s(op(c, a, b));
        same(op(m, x, y), s.run(op(c, a, b), a = x.array(), b = y.array(), c = m.array()));
      } else if constexpr (Op::arity == 2 && logical) {
        etch::session s(op(c, c));
        same(op(m, m), s.run(op(c, c), c = m.array()));
      } else if constexpr (Op::arity == 2) {
        etch::session s(op(a, b));
        same(op(x, y), s.run(op(a, b), a = x.array(), b = y.array()));
      } else if constexpr (logical) {
        etch::session s(op(c));
        same(op(m), s.run(op(c), c = m.array()));
      } else {
        etch::session s(op(a));
        same(op(x), s.run(op(a), a = x.array()));
      }
    }
  }
}

template <class Op>
void reduction_law() {
  CAPTURE(Op::name);
  constexpr Op op{};
  const etch::tensor<float, 2> x = matrix(9);
  const etch::tensor<bool, 2> m = mask(9);
  const auto check = [&](auto... options) {
    if constexpr (Op::accepts == etch::dtype_set::boolean) {
      etch::session s(op(c, options...));
      const auto later = s.run(op(c, options...), c = m.array());
      if constexpr (std::is_arithmetic_v<std::remove_const_t<decltype(later)>>)
        CHECK(op(m, options...).item() == later);
      else
        same(op(m, options...), later);
    } else {
      etch::session s(op(a, options...));
      const auto later = s.run(op(a, options...), a = x.array());
      if constexpr (std::is_arithmetic_v<std::remove_const_t<decltype(later)>>)
        CHECK(op(x, options...).item() == doctest::Approx(later).epsilon(1e-6));
      else
        same_sum(op(x, options...), later);
    }
  };
  check(axis<0>);
  check(axis<1>, etch::keep_dims);
  check();
}

template <class... Ops>
void for_each_op(etch::op_list<Ops...>, auto law) {
  (law(std::type_identity<Ops>{}), ...);
}

}  // namespace

TEST_SUITE("eager") {
  TEST_CASE("EAG-02, EAG-11: elementwise ops: eager = session") {
    for_each_op(etch::elementwise_ops{}, []<class Op>(std::type_identity<Op>) { elementwise_law<Op>(); });
  }
  TEST_CASE("EAG-02: operators on bits are their ops") {
    const etch::tensor<std::int32_t, 1> x = {1, -6, 12}, y = {3, 1, 40};
    const etch::tensor<bool, 1> p = {true, false, true}, q = {true, true, false};
    same((x & y) | (x ^ 5_c), xt::xtensor<std::int32_t, 1>{5, -1, 9});
    same(~x, xt::xtensor<std::int32_t, 1>{-2, 5, -13});
    same(x << y, xt::xtensor<std::int32_t, 1>{8, -12, 0});
    same(x >> 1_c, xt::xtensor<std::int32_t, 1>{0, -3, 6});
    same((p & q) | ~(p ^ q), xt::xtensor<bool, 1>{true, false, false});
  }
  TEST_CASE("EAG-02: reductions: eager = session") {
    for_each_op(etch::reduction_ops{}, []<class Op>(std::type_identity<Op>) { reduction_law<Op>(); });
  }
  TEST_CASE("EAG-02, EAG-11: movement, products, indexing and composites: eager = session, by one generic function") {
    const etch::tensor<float, 2> x = matrix(6);
    const etch::tensor<float, 1> y = {0.25f, 0.5f, 0.75f};
    const etch::tensor<std::int32_t, 1> r = {5, 0, 2, 2};
    const auto check = [&](auto f) {
      const auto e = f(a, b, rows);
      etch::session s(e, a, b, rows);  // all three are in the graph; what a fetch does not need may be fed
      same_sum(f(x, y, r), s.run(e, a = x.array(), b = y.array(), rows = r.array()));
    };
    check([](auto p, auto q, auto) { return etch::transpose(p) * 2_c + etch::sum(q); });
    check([](auto p, auto, auto) { return etch::slice(p, etch::section<1, 5, 2>, etch::section<2, etch::to_end, -1>); });
    check([](auto p, auto, auto) { return etch::flip(p, axis<0>); });
    check([](auto p, auto, auto) { return etch::pad(p, etch::padding<1, 2>, etch::padding<0, 3>); });
    check([](auto p, auto, auto) { return etch::concat(axis<0>, p, p * 2_c); });
    check([](auto p, auto, auto) { return etch::matmul(p, etch::transpose(p)); });
    check([](auto p, auto q, auto) { return etch::matmul(p, q); });
    check([](auto p, auto q, auto) { return etch::matmul(q, etch::transpose(p)); });
    CHECK(etch::matmul(y, y).item() == 0.875f);
    check([](auto p, auto, auto i) { return etch::gather(p, i); });
    check([](auto p, auto, auto i) { return etch::scatter_add(p, i, etch::gather(p, i)); });
    check([](auto p, auto, auto) { return etch::cumsum(p, axis<0>); });
    check([](auto p, auto, auto) { return etch::argmax(p, axis<1>); });
    check([](auto p, auto, auto) { return etch::softmax(p); });
    check([](auto p, auto q, auto) { return etch::layer_norm(p, q, q); });
    check([](auto p, auto, auto) { return etch::astype<std::int32_t>(p * 10_c); });
    check([](auto p, auto, auto) { return etch::reshape(p, etch::shape<3, etch::inferred>{}); });
    check([](auto p, auto, auto) { return etch::mean(p, axis<1>); });
  }
  // A part is taken by a whole number.
  template <class Tensor, class Index>
  concept indexed_by = requires(const Tensor& t, Index i) { t[i]; };
  static_assert(indexed_by<etch::tensor<float, 1>, std::size_t> && indexed_by<etch::tensor<float>, int>);
  static_assert(!indexed_by<etch::tensor<float, 1>, double>);

  TEST_CASE("EAG-07: a wrong shape throws where the op is called, and says op and shapes") {
    const etch::tensor<float, 2> p = {{1, 2}, {3, 4}};
    const etch::tensor<float, 1> q = {1, 2, 3};
    CHECK_THROWS_WITH_AS(p + q, "add: the operands' shapes do not broadcast: float32[2, 2], float32[3]", etch::error);
    CHECK_THROWS_WITH_AS(etch::matmul(p, etch::tensor<float, 2>{{1, 2}}),
                         "matmul: the inner extents differ: float32[2, 2], float32[1, 2]", etch::error);
  }
  TEST_CASE("EAG-07: a number that the dtype of the tensor beside it cannot hold throws") {
    const etch::tensor<std::uint8_t, 1> bytes = {1, 2};
    const etch::tensor<std::int32_t, 1> counts = {1, 2};
    CHECK((bytes + 250).array() == xt::xtensor<std::uint8_t, 1>{251, 252});
    CHECK_THROWS_WITH_AS(bytes + 300, "eager: the number 300 is no value of uint8, the dtype of the tensor beside it", etch::error);
    CHECK_THROWS_AS(bytes + -1, etch::error);
    CHECK_THROWS_AS(counts * 5'000'000'000LL, etch::error);
    CHECK_THROWS_AS(counts * 4'000'000'000u, etch::error);
  }
}

TEST_CASE("an expression of constants is compared with a tensor from either side") {
  const etch::tensor<int, 1> numbers = {4, 1, 2};
  constexpr auto places = etch::arange<int>(etch::shape<3>{});
  const etch::tensor<bool, 1> right = numbers == places, left = places == numbers, unequal = places != numbers;
  for (int i = 0; i < 3; ++i) {
    CHECK(left(i) == (i > 0));
    CHECK(right(i) == left(i));
    CHECK(unequal(i) != left(i));
  }
}
