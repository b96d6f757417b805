// SPDX-License-Identifier: MIT
#include "compare.hpp"

/// "The reference backend and the CPU agree" for reductions over every set of axes, with and without keep_dims. The
/// numbers are such that every order of addition gives the same result: small integers, and powers of 2 for products.
namespace {

using etch::axis;
using etch::keep_dims;
using laws::check_equal;

template <class T>
constexpr etch::placeholder<"x", T, etch::any<"a">, etch::any<"b">, etch::any<"c">> cube;

constexpr int shapes[][3] = {{1, 1, 1},  {2, 3, 7},  {3, 1, 16}, {2, 5, 17}, {5, 7, 33}, {1, 2, 100}, {40, 3, 1},
                             {37, 2, 5}, {1, 70, 3}, {0, 3, 4},  {3, 0, 4},  {3, 4, 0},  {0, 0, 0}};

std::string text(const int* s) { return std::to_string(s[0]) + " by " + std::to_string(s[1]) + " by " + std::to_string(s[2]); }

/// Op over each of the seven sets of axes, and with its axes kept.
template <class Op>
constexpr auto over_all_axes(auto x) {
  constexpr Op op{};
  return std::tuple(op(x), op(x, axis<0>), op(x, axis<1>), op(x, axis<-1>), op(x, axis<0, 1>), op(x, axis<0, 2>), op(x, axis<2, 1>),
                    op(x, keep_dims), op(x, axis<0>, keep_dims), op(x, axis<1>, keep_dims), op(x, axis<2>, keep_dims),
                    op(x, axis<0, 1>, keep_dims), op(x, axis<-3, -1>, keep_dims), op(x, axis<1, 2>, keep_dims));
}

template <class T>
T power_of_two(std::mt19937& generator) {
  constexpr T powers[] = {T(1), T(-1), T(2), T(0.5)};
  return std::is_floating_point_v<T> ? powers[generator() % 4] : static_cast<T>(generator() % 5);
}

/// Runs all expressions on arrays that `fill` makes, of every shape.
template <class T, class Fill, class... E>
void check_shapes(const char* name, std::tuple<E...>, const Fill& fill) {
  etch::session s(E{}...);
  std::mt19937 generator(12);
  for (const auto& shape : shapes) {
    auto a = laws::random_array<T>(generator, shape[0], shape[1], shape[2]);
    fill(a, generator);
    check_equal(std::tuple(s.run(E{}..., cube<T> = a)), std::tuple(etch::reference::run(E{}..., cube<T> = a)),
                name + (" of " + text(shape)));
  }
}

const auto as_it_is = [](auto&, std::mt19937&) {};
const auto as_integers = [](auto& a, std::mt19937&) {
  using T = typename std::decay_t<decltype(a)>::value_type;
  if constexpr (std::is_floating_point_v<T>)
    for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = std::rint(a.data()[i] * T(100));
};
const auto as_powers = [](auto& a, std::mt19937& generator) {
  using T = typename std::decay_t<decltype(a)>::value_type;
  for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = power_of_two<T>(generator);
};
const auto as_integers_with_nan = [](auto& a, std::mt19937& generator) {
  using T = typename std::decay_t<decltype(a)>::value_type;
  as_integers(a, generator);
  if (a.size() > 0) a.data()[generator() % a.size()] = std::numeric_limits<T>::quiet_NaN();
};
const auto with_nan = [](auto& a, std::mt19937& generator) {
  using T = typename std::decay_t<decltype(a)>::value_type;
  if (a.size() > 0) a.data()[generator() % a.size()] = std::numeric_limits<T>::quiet_NaN();
  if (a.size() > 1) a.data()[generator() % a.size()] = std::numeric_limits<T>::infinity();
};

}  // namespace

TEST_CASE("law: sums over all sets of axes are those of the reference") {
  check_shapes<float>("sum", over_all_axes<struct etch::sum>(cube<float>), as_integers);
  check_shapes<float>("sum", over_all_axes<struct etch::sum>(cube<float>), as_integers_with_nan);
  check_shapes<double>("sum", over_all_axes<struct etch::sum>(cube<double>), as_integers);
  check_shapes<std::int32_t>("sum", over_all_axes<struct etch::sum>(cube<std::int32_t>), as_it_is);
}

TEST_CASE("law: extremes and products over all sets of axes are those of the reference") {
  check_shapes<float>("max", over_all_axes<struct etch::max>(cube<float>), as_it_is);
  check_shapes<float>("max", over_all_axes<struct etch::max>(cube<float>), with_nan);
  check_shapes<double>("min", over_all_axes<struct etch::min>(cube<double>), as_it_is);
  check_shapes<double>("min", over_all_axes<struct etch::min>(cube<double>), with_nan);
  check_shapes<double>("prod", over_all_axes<struct etch::prod>(cube<double>), as_powers);
}

TEST_CASE("law: any and all over all sets of axes are those of the reference") {
  const auto rare = [](auto& a, std::mt19937& generator) {
    for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = generator() % 50 == 0;
  };
  const auto frequent = [](auto& a, std::mt19937& generator) {
    for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = generator() % 50 != 0;
  };
  check_shapes<bool>("any", over_all_axes<struct etch::reduce_any>(cube<bool>), rare);
  check_shapes<bool>("all", over_all_axes<struct etch::reduce_all>(cube<bool>), frequent);
}

TEST_CASE_TEMPLATE("law: reductions of other dtypes are those of the reference", T, std::uint8_t, std::int16_t, std::uint32_t,
                   std::uint64_t, std::int64_t, std::int32_t, float) {
  constexpr auto x = cube<T>;
  check_shapes<T>("reductions",
                  std::tuple(etch::sum(x, axis<1>), etch::sum(x, axis<2>), etch::prod(x, axis<1>), etch::prod(x, axis<2>),
                             etch::max(x, axis<1>), etch::max(x, axis<2>), etch::min(x, axis<1>), etch::min(x, axis<2>)),
                  as_powers);
}

TEST_CASE("law: reductions read transposed, reversed and broadcast operands") {
  constexpr auto x = cube<float>;
  constexpr auto first = etch::slice(x, etch::section<etch::from_start, etch::to_end, -1>);
  check_shapes<float>("reductions",
                      std::tuple(etch::sum(etch::transpose(x), axis<0>), etch::sum(etch::transpose(x), axis<2>),
                                 etch::max(etch::transpose(x, axis<1, 0, 2>), axis<0, 2>), etch::sum(etch::flip(x), axis<2>),
                                 etch::sum(first + x, axis<0>), etch::sum(etch::sum(x, axis<2>, keep_dims) * x, axis<1>)),
                      as_integers);
}

TEST_CASE("law: means are sums over counts, whatever the count is called") {
  constexpr auto x = cube<double>;
  check_shapes<double>("mean", std::tuple(etch::mean(x), etch::mean(x, axis<0>), etch::mean(x, axis<1, 2>, keep_dims)),
                       as_integers);
  constexpr auto n = cube<std::int32_t>;
  check_shapes<std::int32_t>("mean", std::tuple(etch::mean(n), etch::mean(n, axis<2>)), as_it_is);
}

TEST_CASE_TEMPLATE("law: positions of extremes and running sums are those of the reference", T, std::uint8_t, std::int32_t,
                   std::int64_t, float, double) {
  constexpr auto x = cube<T>;
  constexpr auto all =
      std::tuple(etch::argmax(x, axis<0>), etch::argmax(x, axis<1>), etch::argmax(x, axis<-1>), etch::argmin(x, axis<1>),
                 etch::argmin(x), etch::argmax(etch::transpose(x), axis<0>), etch::cumsum(x, axis<0>), etch::cumsum(x, axis<1>),
                 etch::cumsum(x, axis<2>), etch::cumsum(etch::transpose(x), axis<1>));
  check_shapes<T>("positions and running sums", all, as_integers);
  if constexpr (std::is_floating_point_v<T>) check_shapes<T>("positions and running sums", all, as_integers_with_nan);
}

TEST_CASE("law: log-sum-exp of infinities") {
  static constexpr etch::placeholder<"x", double, etch::any<"n">, 3> x;
  constexpr auto y = etch::logsumexp(x, axis<1>);
  constexpr auto kept = etch::logsumexp(x, axis<1>, keep_dims);
  constexpr double inf = std::numeric_limits<double>::infinity();
  const xt::xtensor<double, 2> values = {{-inf, -inf, -inf}, {1, 2, 3}, {inf, 1, 2}, {-inf, 0, 1}, {1000, 1000, 0}};
  etch::session s(y, kept);
  const auto [got, got_kept] = s.run(y, kept, x = values);
  const double expected[] = {-inf, 3.4076059644443806, inf, 1.3132616875182228, 1000.6931471805599};
  for (std::size_t i = 0; i < 5; ++i) {
    const bool near = got(i) == expected[i] || std::abs(got(i) - expected[i]) <= 1e-15 * std::abs(expected[i]);
    CHECK(near);  // infinities are equal, not near
    CHECK(got(i) == got_kept(i, 0));
  }
}
