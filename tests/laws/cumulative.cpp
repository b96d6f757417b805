// SPDX-License-Identifier: MIT
#include "compare.hpp"

#include <etch/eager.hpp>

/// "The reference backend and the CPU agree" for what comes together along an axis, and both with results written down. The
/// numbers are such that every order gives the same: small integers, powers of 2, and for recurrences factors -1, 0, 1.
namespace {

using namespace etch;
using laws::check_equal;

template <class T>
constexpr placeholder<"x", T, any<"a">, any<"b">, any<"c">> x;
template <class T>
constexpr placeholder<"factors", T, any<"a">, any<"b">, any<"c">> factors;

/// More than 8 lines, more than the registers of any machine hold, and more than 256, lie side by side in some; lines are of parts of tiles.
constexpr int shapes[][3] = {{1, 1, 1},  {2, 3, 7},   {3, 1, 16}, {2, 5, 17},  {1, 2, 100}, {40, 3, 1}, {2, 3, 300},
                             {2, 20, 9}, {1, 33, 67}, {2, 16, 4}, {1, 19, 64}, {0, 3, 4},   {3, 0, 4},  {3, 4, 0}};

/// Op along each axis, with each choice of options, of the array and of its transpose.
template <class T>
constexpr auto in_all_ways(auto op) {
  constexpr auto v = x<T>;
  return std::tuple(op(v, axis<0>), op(v, axis<1>), op(v, axis<-1>), op(v, axis<0>, exclusive), op(v, axis<1>, reverse),
                    op(v, axis<2>, exclusive, reverse), op(v, axis<1>, reverse, exclusive), op(v, axis<2>, reverse),
                    op(transpose(v), axis<1>, exclusive), op(flip(v), axis<0>, reverse));
}

template <class T, class Fill, class... E>
void check_shapes(const char* name, std::tuple<E...>, const Fill& fill) {
  session s(E{}...);
  std::mt19937 generator(31);
  for (const auto& shape : shapes) {
    auto a = laws::random_array<T>(generator, shape[0], shape[1], shape[2]);
    for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = fill(generator);
    check_equal(std::tuple(s.run(E{}..., x<T> = a)), std::tuple(reference::run(E{}..., x<T> = a)),
                name + (" of " + std::to_string(shape[0]) + " by " + std::to_string(shape[1]) + " by " + std::to_string(shape[2])));
  }
}

/// f of a vector in a session, by the reference, and at once.
template <class T>
void check_values(auto f, const xt::xtensor<T, 1>& at, const auto& expected, const char* what) {
  constexpr placeholder<"v", T, any<"n">> v;
  constexpr auto y = f(v);
  session s(y);
  std::string where;
  laws::check_that(laws::agree(s.run(y, v = at), expected, 0, where), std::string(what) + ": " + where);
  laws::check_that(laws::agree(reference::run(y, v = at), expected, 0, where), std::string(what) + " by the reference: " + where);
  laws::check_that(laws::agree(laws::copied(f(tensor<T, 1>(at))), expected, 0, where), std::string(what) + " at once: " + where);
}

}  // namespace

TEST_CASE_TEMPLATE("law: running sums and products are those of the reference", T, std::int32_t, std::int64_t, std::uint64_t, float,
                   double) {
  check_shapes<T>("cumsum", in_all_ways<T>(cumsum), [](std::mt19937& g) { return static_cast<T>(static_cast<int>(g() % 19) - 9); });
  const auto powers = [](std::mt19937& g) {
    constexpr T of_two[] = {T(1), T(-1), T(2), std::is_floating_point_v<T> ? T(0.5) : T(1)};
    return g() % 40 == 0 ? T(0) : of_two[g() % 4];
  };
  check_shapes<T>("cumprod", in_all_ways<T>(cumprod), powers);
}

TEST_CASE_TEMPLATE("law: linear recurrences are those of the reference", T, std::int64_t, std::int8_t, std::uint16_t, std::uint32_t,
                   float) {
  constexpr auto a = factors<T>;
  constexpr auto b = x<T>;
  constexpr auto all =
      std::tuple(linear_recurrence(a, b, axis<0>), linear_recurrence(a, b, axis<1>, reverse), linear_recurrence(a, b, axis<-1>),
                 linear_recurrence(transpose(a), flip(transpose(b)), axis<1>), linear_recurrence(flip(a), b, axis<2>, reverse));
  std::apply(
      [&](auto... e) {
        session s(e...);
        std::mt19937 generator(32);
        for (const auto& shape : shapes) {
          auto numbers = laws::random_array<T>(generator, shape[0], shape[1], shape[2]), scale = numbers;
          for (std::size_t i = 0; i < numbers.size(); ++i) {
            numbers.data()[i] = static_cast<T>(static_cast<int>(generator() % 19) - 9);
            scale.data()[i] = static_cast<T>(static_cast<int>(generator() % 3) - 1);
          }
          check_equal(s.run(e..., factors<T> = scale, x<T> = numbers), reference::run(e..., factors<T> = scale, x<T> = numbers),
                      "recurrences");
        }
      },
      all);
}

TEST_CASE("law: running sums, products and recurrences of a few numbers") {
  using array = xt::xtensor<float, 1>;
  const array v = {2, 3, 0, 5};
  check_values<float>([](auto a) { return cumsum(a, axis<0>); }, v, array{2, 5, 5, 10}, "cumsum");
  check_values<float>([](auto a) { return cumsum(a, axis<0>, exclusive); }, v, array{0, 2, 5, 5}, "exclusive cumsum");
  check_values<float>([](auto a) { return cumsum(a, axis<0>, reverse); }, v, array{10, 8, 5, 5}, "reverse cumsum");
  check_values<float>([](auto a) { return cumsum(a, axis<0>, reverse, exclusive); }, v, array{8, 5, 5, 0}, "cumsum of both");
  check_values<float>([](auto a) { return cumprod(a, axis<0>); }, v, array{2, 6, 0, 0}, "cumprod");
  check_values<float>([](auto a) { return cumprod(a, axis<0>, exclusive); }, v, array{1, 2, 6, 0}, "exclusive cumprod");
  check_values<float>([](auto a) { return cumprod(a, axis<-1>, reverse); }, v, array{0, 0, 0, 5}, "reverse cumprod");
  check_values<float>([](auto a) { return cumprod(a, axis<0>, exclusive, reverse); }, v, array{0, 0, 5, 1}, "cumprod of both");
  check_values<float>([](auto a) { return linear_recurrence(a, a + 1_c, axis<0>); }, v, array{0, 3, 13, 1}, "recurrence");
  check_values<float>([](auto a) { return linear_recurrence(a, a + 1_c, axis<0>, reverse); }, v, array{7, 1, 6, 0},
                      "reverse recurrence");
}
