// SPDX-License-Identifier: MIT
#include "compare.hpp"

/// "The reference backend and the CPU agree" for ops that place elements elsewhere, for indices, and for draws.
namespace {

using namespace etch;
using laws::check_equal;

/// Rows of 3 are copied in blocks.
constexpr int shapes[][2] = {{1, 1},   {2, 3}, {7, 16}, {16, 7}, {5, 33},   {100, 1},
                             {1, 100}, {0, 3}, {3, 0},  {0, 0},  {3000, 3}, {3, 3000}};

std::string text(const int* s) { return "movement of " + std::to_string(s[0]) + " by " + std::to_string(s[1]); }

template <class T>
constexpr placeholder<"x", T, any<"n">, any<"m">> x;
template <class T>
constexpr placeholder<"fixed", T, 4, 6, 5> fixed;

/// Runs all expressions of x on arrays of every shape.
template <class T, class... E>
void check_shapes(std::tuple<E...>) {
  session s(E{}...);
  std::mt19937 generator(13);
  for (const auto& shape : shapes) {
    const auto a = laws::random_array<T>(generator, shape[0], shape[1]);
    check_equal(std::tuple(s.run(E{}..., x<T> = a)), std::tuple(reference::run(E{}..., x<T> = a)), text(shape));
  }
}
template <class T, class... E>
void check_fixed(std::tuple<E...>) {
  session s(E{}...);
  std::mt19937 generator(14);
  const auto a = laws::random_array<T>(generator, 4, 6, 5);
  check_equal(std::tuple(s.run(E{}..., fixed<T> = a)), std::tuple(reference::run(E{}..., fixed<T> = a)), "fixed extents");
}

}  // namespace

TEST_CASE_TEMPLATE("law: movement of named extents is that of the reference", T, bool, float) {
  constexpr auto v = x<T>;
  check_shapes<T>(std::tuple(transpose(v), flip(v), flip(v, axis<0>), flip(v, axis<-1>), flip(transpose(v), axis<0>),
                             reshape(v, shape<inferred>{}), reshape(transpose(v), shape<inferred>{}),
                             reshape(flip(v), shape<inferred>{}), reshape(reshape(v, shape<inferred>{}), shape<inferred, 1>{}),
                             expand_dims(v, axis<0>), expand_dims(v, axis<1>), expand_dims(transpose(v), axis<-1>),
                             broadcast_to(expand_dims(v, axis<1>), shape<any<"n">, 3, any<"m">>{}),
                             broadcast_to(v, shape<2, any<"n">, any<"m">>{}), v, slice(v)));
}

TEST_CASE("law: padding, concatenation and stacks of named extents are those of the reference") {
  constexpr auto v = x<float>;
  check_shapes<float>(std::tuple(pad(v, padding<1, 2>, padding<0, 3>), pad(transpose(v), padding<0>, padding<2>),
                                 pad(flip(v), padding<0>, padding<1>), concat(axis<0>, v, v, flip(v)), concat(axis<1>, v, v + 1_c),
                                 concat(axis<-1>, transpose(v), transpose(v) * 3_c), stack(axis<0>, v, -v), stack(axis<1>, v, v),
                                 stack(axis<-1>, v, flip(v), v), concat(axis<0>, v, broadcast_to(7_c, shape<3, any<"m">>{})),
                                 slice(pad(v, padding<2>, padding<2>), section<1>, section<2>)));
}

TEST_CASE_TEMPLATE("law: movement of extents that are numbers is that of the reference", T, std::uint8_t, double) {
  constexpr auto v = fixed<T>;
  check_fixed<T>(std::tuple(
      transpose(v), transpose(v, axis<1, 0, 2>), transpose(v, axis<2, 0, 1>), transpose(v, axis<0, -1, 1>),
      reshape(v, shape<2, 2, 30>{}), reshape(transpose(v), shape<10, 12>{}), reshape(v, shape<1, 4, 1, 6, 5, 1>{}),
      slice(v, section<1, 3>), slice(v, section<-1>), slice(v, section<>, section<0, to_end, 2>),
      slice(v, section<>, section<1, 6, 3>, section<-3, -1>), slice(v, section<>, section<>, section<4, 1, -2>),
      slice(v, section<3, to_end, -3>, section<from_start, to_end, -1>), slice(v, section<2, 2>), slice(v, section<1, 99>),
      slice(transpose(v), section<0, to_end, 2>, section<1, 5, 2>), reshape(slice(v, section<1, 3>), shape<inferred>{}),
      reshape(slice(v, section<>, section<1, 3>), shape<inferred>{}), pad(v, padding<0, 1>, padding<2>, padding<3, 0>),
      pad(slice(v, section<from_start, to_end, -2>), padding<1>, padding<0>, padding<0>),
      concat(axis<1>, v, slice(v, section<>, section<2, 4>)), concat(axis<-1>, flip(v), slice(v, section<>, section<>, section<3>)),
      broadcast_to(slice(v, section<1, 2>, section<>, section<0, 1>), shape<3, 4, 6, 5>{}), flip(v, axis<0, 2>)));
}

TEST_CASE_TEMPLATE("law: rows chosen by indices, and rows added, are those of the reference", T, std::uint8_t, float) {
  constexpr placeholder<"i", std::int32_t, any<"k">> i;
  constexpr placeholder<"j", std::int64_t, 2, any<"k">> j;
  constexpr placeholder<"byte", std::uint8_t> byte;
  constexpr placeholder<"u", T, any<"k">, any<"m">> u;
  constexpr auto v = x<T>;
  constexpr auto expressions = std::tuple(gather(v, i), gather(v, j), gather(transpose(v), i), gather(flip(v), i), gather(v, byte),
                                          gather(reshape(v, shape<inferred>{}), i), gather(v, flip(i)), scatter_add(v, i, u),
                                          scatter_add(flip(v), i, flip(u)),
                                          scatter_add(v, flip(j, axis<0>), broadcast_to(u, shape<2, any<"k">, any<"m">>{})),
                                          scatter_add(v, byte, reshape(slice(u, section<0, 1>), shape<any<"m">>{})));
  std::apply(
      [&](auto... e) {
        session s(e...);
        std::mt19937 generator(15);
        for (const int n : {1, 5, 40})
          for (const int m : {0, 1, 7, 17})
            for (const int k : {1, 3, 33}) {
              const auto a = laws::random_array<T>(generator, n, m);
              auto b = laws::random_array<std::int32_t>(generator, k);
              auto c = laws::random_array<std::int64_t>(generator, 2, k);
              auto d = laws::random_array<T>(generator, k, m);
              if constexpr (std::is_floating_point_v<T>)
                for (std::size_t q = 0; q < d.size(); ++q) d.data()[q] = std::rint(d.data()[q]) / 4;
              auto whole = a;
              if constexpr (std::is_floating_point_v<T>)
                for (std::size_t q = 0; q < a.size(); ++q) whole.data()[q] = std::rint(a.data()[q] * 8) / 8;
              const auto number = static_cast<std::uint8_t>(n / 2);
              check_equal(s.run(e..., v = whole, i = b, j = c, byte = number, u = d),
                          reference::run(e..., v = whole, i = b, j = c, byte = number, u = d),
                          "rows of " + std::to_string(n) + " by " + std::to_string(m));
            }
      },
      expressions);
}

/// 37 numbers from First on, and every third, forwards and backwards.
template <class T, std::int64_t First>
void check_counts() {
  constexpr auto all = arange<T>(shape<First + 400>{});
  constexpr auto next = slice(all, section<First, First + 37>);
  constexpr auto third = slice(all, section<First, First + 111, 3>);
  constexpr auto backwards = flip(next);
  constexpr auto three_back = flip(third);
  session s(next, third, backwards, three_back);
  const auto [a, b, c, d] = s.run(next, third, backwards, three_back);
  int wrong = 0;
  for (std::size_t i = 0; i < 37; ++i) {
    const auto count = First + static_cast<std::int64_t>(i), thrice = First + 3 * static_cast<std::int64_t>(i);
    wrong += a(i) == static_cast<T>(count) && c(36 - i) == a(i) ? 0 : 1;
    wrong += b(i) == static_cast<T>(thrice) && d(36 - i) == b(i) ? 0 : 1;
  }
  CAPTURE(First);
  CHECK(wrong == 0);
}
TEST_CASE("law: a count is rounded once, however far it is") {
  check_counts<float, (1 << 24) + 3>();
  check_counts<float, (std::int64_t{1} << 45) + (1 << 21) - 19>();
  check_counts<bfloat16, (1 << 24) + (1 << 16) - 19>();
  check_counts<double, (std::int64_t{1} << 45) - 19>();
}

TEST_CASE("law: one_hot and arange are those of the reference") {
  constexpr placeholder<"labels", std::int32_t, any<"n">> labels;
  constexpr placeholder<"bytes", std::uint8_t, any<"n">> bytes;
  constexpr auto numbers = arange<float>(shape<37>{});
  constexpr auto twice = arange<std::int64_t>(shape<21>{}) * 2_c;
  constexpr auto backwards = flip(arange<std::int32_t>(shape<9>{}));
  constexpr auto table = expand_dims(arange<double>(shape<5>{}), axis<1>) + arange<double>(shape<19>{});
  constexpr auto hot = one_hot<10>(labels);
  constexpr auto hot_bytes = one_hot<17, double>(bytes);
  constexpr auto counted = sum(one_hot<10, std::int32_t>(labels), axis<0>);
  session s(hot, hot_bytes, numbers, twice, backwards, table, counted);
  for (const int n : {0, 1, 7, 33}) {
    std::mt19937 generator(16);
    const auto a = laws::random_array<std::int32_t>(generator, n);
    const auto b = laws::random_array<std::uint8_t>(generator, n);
    check_equal(s.run(hot, hot_bytes, numbers, twice, backwards, table, counted, labels = a, bytes = b),
                reference::run(hot, hot_bytes, numbers, twice, backwards, table, counted, labels = a, bytes = b), "one_hot");
  }
}

TEST_CASE("law: draws depend on seed, name and run, not on the backend") {
  constexpr auto u = random_uniform<"u">(shape<101>{});
  constexpr auto d = random_uniform<"d", double>(shape<3, 7>{});
  constexpr auto z = random_normal<"z">(shape<33>{});
  constexpr auto w = random_normal<"w", double>(shape<17>{});
  session s(u, d, z, w);
  s.initialize(5);
  for (std::uint64_t run = 1; run <= 3; ++run)
    check_equal(s.run(u, d, z, w), reference::run(reference::draws{5, run}, u, d, z, w), "run " + std::to_string(run));
}
