// SPDX-License-Identifier: MIT
#include <etch/convolution.hpp>

#include "modes.hpp"

/// "Operands that a plan may exchange give the same in both orders, to the last bit": for each op that commutes, all pairs of numbers at
/// which functions go wrong, alone, together, reversed, with and without what shares them, by the reference and at once. And zeros have an
/// order, in maximum and minimum and what is made of them.
namespace {

using namespace etch;
using namespace etch::literals;

template <class T>
constexpr placeholder<"x", T, any<"n">> x{};
template <class T>
constexpr placeholder<"y", T, any<"n">> y{};

/// All pairs of special values, but for subnormal ones, which sessions may count as 0.
template <class T>
auto pairs() {
  std::vector<T> v = laws::special_values<T>();
  std::erase_if(v, [](T e) { return std::fpclassify(e) == FP_SUBNORMAL; });
  xt::xtensor<T, 1> a = xt::xtensor<T, 1>::from_shape({v.size() * v.size()}), b = a;
  for (std::size_t i = 0; i < a.size(); ++i) a(i) = v[i / v.size()], b(i) = v[i % v.size()];
  return std::pair(a, b);
}

/// The same, for results.
template <class Array>
Array flushed(Array a) {
  if constexpr (!std::is_same_v<typename Array::value_type, bool>)
    for (auto& e : a)
      if (std::fpclassify(e) == FP_SUBNORMAL) e = std::copysign(typename Array::value_type(0), e);
  return a;
}

template <class T, class F>
void check_exchange(F, const char* name) {
  const auto [a, b] = pairs<T>();
  constexpr auto first = F{}(x<T>, y<T>);
  constexpr auto second = F{}(y<T>, x<T>);
  constexpr auto of_first = 1_c / astype<T>(first);
  constexpr auto of_second = 1_c / astype<T>(second);
  const auto feed = [&](auto&& run) { return run(x<T> = a, y<T> = b); };
  const auto alone = [&](auto e) {
    session s(e);
    return s.run(e, x<T> = a, y<T> = b);
  };
  const auto expected = alone(first);
  const std::string what = std::string(name) + " of " + name_of_dtype(dtype_of<T>);
  laws::check_equal(std::tuple(alone(second)), std::tuple(expected), what + ", exchanged");
  const auto inverse = alone(of_first);
  laws::check_equal(std::tuple(alone(of_second)), std::tuple(inverse), what + ", 1 over it, exchanged");
  session s(of_first, of_second, first, second);
  feed([&](auto... fed) {
    laws::check_equal(s.run(first, second, fed...), std::tuple(expected, expected), what + ", together");
    laws::check_equal(s.run(second, first, fed...), std::tuple(expected, expected), what + ", reversed");
    laws::check_equal(s.run(of_second, of_first, fed...), std::tuple(inverse, inverse), what + ", 1 over it, reversed");
    laws::check_equal(s.run(of_first, second, of_second, first, fed...), std::tuple(inverse, expected, inverse, expected),
                      what + ", all together");
    laws::check_equal(reference::run(second, first, fed...), reference::run(first, second, fed...), what + ", by the reference");
    if (std::string(name) != "hypot")
      laws::check_equal(std::tuple(flushed(reference::run(second, fed...))), std::tuple(flushed(expected)),
                        what + ", as the reference");
  });
  const tensor<T, 1> at_once(a), other(b);
  laws::check_equal(std::tuple(laws::copied(F{}(other, at_once))), std::tuple(laws::copied(F{}(at_once, other))),
                    what + ", at once");
  laws::check_equal(std::tuple(flushed(laws::copied(F{}(at_once, other)))), std::tuple(flushed(expected)),
                    what + ", at once as in a session");
}

/// By plain comparisons.
template <class T>
T larger(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<T>::quiet_NaN();
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
template <class T>
T smaller(T a, T b) {
  return -larger(-a, -b);
}

template <class T, class Array>
Array each(const Array& a, const Array& b, T (*f)(T, T)) {
  Array r = a;
  for (std::size_t i = 0; i < a.size(); ++i) r.data()[i] = f(a.data()[i], b.data()[i]);
  return r;
}

template <class T>
void check_zeros() {
  const auto [a, b] = pairs<T>();
  session s(maximum(x<T>, y<T>), minimum(x<T>, y<T>));
  laws::check_equal(s.run(maximum(x<T>, y<T>), minimum(x<T>, y<T>), x<T> = a, y<T> = b),
                    std::tuple(each<T>(a, b, larger<T>), each<T>(a, b, smaller<T>)), "maximum and minimum");
  // Beside constants, in either order.
  const auto check_constant = [&](auto c, T value) {
    auto all = a;
    for (T& e : all) e = value;
    constexpr auto high = maximum(x<T>, decltype(c){});
    constexpr auto higher = maximum(decltype(c){}, x<T>);
    constexpr auto low = minimum(x<T>, decltype(c){});
    constexpr auto lower = minimum(decltype(c){}, x<T>);
    session t(high, higher, low, lower);
    const auto wanted_high = each<T>(a, all, larger<T>), wanted_low = each<T>(a, all, smaller<T>);
    laws::check_equal(t.run(high, higher, low, lower, x<T> = a), std::tuple(wanted_high, wanted_high, wanted_low, wanted_low),
                      "beside " + std::to_string(value));
    laws::check_equal(reference::run(high, low, x<T> = a), std::tuple(wanted_high, wanted_low), "by the reference");
    const tensor<T, 1> now(a);
    laws::check_equal(std::tuple(laws::copied(maximum(now, c)), laws::copied(minimum(c, now))), std::tuple(wanted_high, wanted_low),
                      "at once");
  };
  check_constant(0_c, T(0)), check_constant(literal<-0.0>, T(-0.0)), check_constant(6_c, T(6)),
      check_constant(literal<-2.5>, T(-2.5));
  check_constant(literal<std::numeric_limits<double>::infinity()>, std::numeric_limits<T>::infinity());
}

/// Zeros of both signs at all places of rows and of columns of some lengths.
template <class T>
void check_reductions() {
  constexpr placeholder<"m", T, any<"r">, any<"c">> m;
  constexpr auto rows = max(m, axis<1>);
  constexpr auto columns = max(m, axis<0>);
  constexpr auto low_rows = min(m, axis<1>);
  constexpr auto low_columns = min(m, axis<0>);
  session s(rows, columns, low_rows, low_columns, max(m), min(m));
  for (const std::size_t n : {1u, 2u, 3u, 7u, 8u, 9u, 15u, 16u, 17u, 33u, 70u, 300u}) {
    xt::xtensor<T, 2> at = xt::xtensor<T, 2>::from_shape({n, n});
    // Row i has the one zero without a sign at i, the others have one; rows of -0 alone at the end.
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) at(i, j) = i == j && i + 1 < n ? T(0) : T(-0.0);
    xt::xtensor<T, 1> high = xt::xtensor<T, 1>::from_shape({n}), low = high;
    for (std::size_t i = 0; i < n; ++i) high(i) = i + 1 < n ? T(0) : T(-0.0), low(i) = T(-0.0);
    const auto check = [&](const xt::xtensor<T, 2>& of, const xt::xtensor<T, 1>& top, const xt::xtensor<T, 1>& bottom,
                           const char* what) {
      const std::string text = what + std::to_string(n);
      laws::check_equal(s.run(rows, columns, low_rows, low_columns, m = of), std::tuple(top, top, bottom, bottom), text);
      laws::check_equal(reference::run(rows, columns, low_rows, low_columns, m = of), std::tuple(top, top, bottom, bottom),
                        text + " by the reference");
      const tensor<T, 2> now(of);
      laws::check_equal(std::tuple(laws::copied(max(now, axis<1>)), laws::copied(min(now, axis<0>))), std::tuple(top, bottom),
                        text + " at once");
    };
    check(at, high, low, "rows of -0 with one 0, of ");
    xt::xtensor<T, 2> other = -at;
    for (T& e : high) e = -e;
    for (T& e : low) e = -e;
    check(other, low, high, "rows of 0 with one -0, of ");
  }
}

}  // namespace

TEST_CASE("law: operands of floats can be exchanged") {
  check_exchange<float>([](auto a, auto b) { return maximum(a, b); }, "maximum");
  check_exchange<float>([](auto a, auto b) { return minimum(a, b); }, "minimum");
  check_exchange<float>([](auto a, auto b) { return a + b; }, "add");
  check_exchange<float>([](auto a, auto b) { return a * b; }, "multiply");
  check_exchange<float>([](auto a, auto b) { return etch::hypot(a, b); }, "hypot");
  check_exchange<float>([](auto a, auto b) { return a == b; }, "equal");
  check_exchange<float>([](auto a, auto b) { return a != b; }, "not_equal");
}
TEST_CASE("law: operands of doubles can be exchanged") {
  check_exchange<double>([](auto a, auto b) { return maximum(a, b); }, "maximum");
  check_exchange<double>([](auto a, auto b) { return minimum(a, b); }, "minimum");
  check_exchange<double>([](auto a, auto b) { return etch::hypot(a, b); }, "hypot");
  check_exchange<double>([](auto a, auto b) { return clip(a * b, -1_c, 1_c); }, "clip");
}

TEST_CASE("law: -0 is below 0 in maximum and minimum") {
  check_zeros<float>();
  check_zeros<double>();
  constexpr auto has_sign = [](double v) { return std::bit_cast<std::int64_t>(v) < 0; };
  static_assert(!has_sign(math::maximum(-0.0, 0.0)) && !has_sign(double{math::maximum(0.f, -0.f)}));
  static_assert(has_sign(math::minimum(-0.0, 0.0)) && has_sign(double{math::minimum(0.f, -0.f)}));
}

TEST_CASE("law: 0 is the larger of the zeros of a row, a column, a window") {
  check_reductions<float>();
  check_reductions<double>();
  constexpr placeholder<"image", float, 1, 4, 4, 3> image;
  xt::xtensor<float, 4> at = xt::xtensor<float, 4>::from_shape({1, 4, 4, 3});
  for (std::size_t i = 0; i < at.size(); ++i) at.data()[i] = i / 3 % 3 == 0 ? 0.f : -0.f;
  session s(max_pool2d(image, window<2>));
  const xt::xtensor<float, 4> pooled = s.run(max_pool2d(image, window<2>), image = at);
  const xt::xtensor<float, 4> plain = reference::run(max_pool2d(image, window<2>), image = at);
  for (std::size_t i = 0; i < pooled.size(); ++i) {
    CHECK(!std::signbit(pooled.data()[i]));
    CHECK(!std::signbit(plain.data()[i]));
  }
}

TEST_CASE("law: relu of -0 is 0, behind a product too, and of NaN it is NaN") {
  constexpr placeholder<"a", float, 70, 40> a;
  constexpr placeholder<"b", float, 40, 50> b;
  constexpr auto products = matmul(a, b);
  constexpr auto cut = relu(products);
  static_assert(plan_of(cut, a, b).kernel_count == 1);
  xt::xtensor<float, 2> left = xt::xtensor<float, 2>::from_shape({70, 40}), right = xt::xtensor<float, 2>::from_shape({40, 50});
  for (std::size_t i = 0; i < left.size(); ++i) left.data()[i] = i / 40 % 3 == 0 ? -1e-38f : 1.f;
  for (std::size_t i = 0; i < right.size(); ++i)
    right.data()[i] = i % 50 % 4 == 1 ? std::numeric_limits<float>::quiet_NaN() : 1e-38f;
  session s(cut);
  session t(products);
  const xt::xtensor<float, 2> got = s.run(cut, a = left, b = right), all = t.run(products, a = left, b = right);
  laws::check_equal(std::tuple(got),
                    std::tuple(each<float>(
                        all, xt::xtensor<float, 2>(all * 0.f), +[](float v, float) { return larger(v, 0.f); })),
                    "relu behind a product");
}

TEST_CASE("law: of equal operands the second has the gradient, whichever else is fetched") {
  constexpr auto one = gradient(sum(maximum(x<float>, y<float>)), x<float>);
  constexpr auto other = gradient(sum(maximum(y<float>, x<float>)), x<float>);
  constexpr auto low = gradient(sum(minimum(x<float>, y<float>)), x<float>);
  constexpr auto other_low = gradient(sum(minimum(y<float>, x<float>)), x<float>);
  const xt::xtensor<float, 1> at = {0.f, -0.f, 1.f, 0.f, -0.f}, beside = {-0.f, 0.f, 1.f, 0.f, -0.f};
  const xt::xtensor<float, 1> none = {0, 0, 0, 0, 0}, full = {1, 1, 1, 1, 1};
  session s(one, other, low, other_low);
  session alone(other);
  session alone_low(other_low);
  laws::check_equal(s.run(one, other, low, other_low, x<float> = at, y<float> = beside), std::tuple(none, full, none, full),
                    "together");
  laws::check_equal(s.run(other_low, low, other, one, x<float> = at, y<float> = beside), std::tuple(full, none, full, none),
                    "reversed");
  laws::check_equal(std::tuple(alone.run(other, x<float> = at, y<float> = beside)), std::tuple(full), "alone");
  laws::check_equal(std::tuple(alone_low.run(other_low, x<float> = at, y<float> = beside)), std::tuple(full), "minimum alone");
}
