// SPDX-License-Identifier: MIT
#pragma once
#include "compare.hpp"

/// "The reference backend and the CPU agree" for every elementwise op on one dtype.
namespace laws {

template <class Op, class... Ops>
inline constexpr bool is_one_of = (std::is_same_v<Op, Ops> || ...);

/// How far the CPU may be from the reference, in units of the last place. Both are rounded: the bound of the SIMD
/// functions (see backend/cpu/simd) and that of the C library add up; its cbrt of a double is within 4. Where there is one
/// right answer the bound is 0.
template <class Op>
constexpr std::int64_t bound() {
  if (is_one_of<Op, struct etch::exp, struct etch::exp2, struct etch::expm1, struct etch::log, struct etch::log2,
                struct etch::log1p, struct etch::pow, struct etch::hypot>)
    return 2;
  if (is_one_of<Op, struct etch::sin, struct etch::cos, struct etch::tan, struct etch::asin, struct etch::acos, struct etch::atan,
                struct etch::atan2, struct etch::tanh, struct etch::sigmoid, struct etch::erf, struct etch::log10>)
    return 3;
  if (is_one_of<Op, struct etch::sinh, struct etch::cosh, struct etch::asinh, struct etch::acosh, struct etch::atanh,
                struct etch::cbrt>)
    return 4;
  return 0;
}

/// One op, or a choice of ops that fit.
template <class... Ops>
struct ops {
  static constexpr int size = sizeof...(Ops);
  static constexpr const char* names[sizeof...(Ops) + 1] = {Ops::name..., nullptr};
  static constexpr std::int64_t bounds[sizeof...(Ops) + 1] = {bound<Ops>()..., 0};
};
template <class... A, class... B>
constexpr ops<A..., B...> operator+(ops<A...>, ops<B...>) {
  return {};
}

template <class Op, class T, int Arity>
constexpr auto fitting() {
  if constexpr (Op::arity == Arity && !std::is_same_v<Op, etch::cast> && etch::contains(Op::accepts, etch::dtype_of<T>))
    return ops<Op>{};
  else
    return ops<>{};
}
/// The ops of a list with this number of operands that accept T.
template <class T, int Arity, class... Op>
constexpr auto fitting(etch::op_list<Op...>) {
  return (ops<>{} + ... + fitting<Op, T, Arity>());
}

/// Results of one run as a tuple, also where there is but one.
template <class... R>
const std::tuple<R...>& as_tuple(const std::tuple<R...>& r) {
  return r;
}
template <class T, std::size_t N>
std::tuple<xt::xtensor<T, N>> as_tuple(const xt::xtensor<T, N>& r) {
  return {r};
}

template <class T, class... Op>
void check_unary_ops(ops<Op...> list) {
  constexpr etch::placeholder<"x", T, etch::any<"n">> x;
  etch::session s(Op{}(x)...);
  s.keep_denormals();
  std::mt19937 generator(7);
  const auto check = [&](const xt::xtensor<T, 1>& a, const std::string& what) {
    check_agreement(as_tuple(s.run(Op{}(x)..., x = a)), as_tuple(etch::reference::run(Op{}(x)..., x = a)), list.names, list.bounds,
                    what);
  };
  for (const int n : {0, 1, 7, 16, 17, 33, 100}) check(random_array<T>(generator, n), std::to_string(n) + " numbers");
  const std::vector<T>& special = special_values<T>();
  auto a = random_array<T>(generator, special.size());
  std::copy(special.begin(), special.end(), a.begin());
  check(a, "special values");
}

template <class T, class... Op>
void check_binary_ops(ops<Op...> list) {
  constexpr etch::placeholder<"x", T, etch::any<"n">> x;
  constexpr etch::placeholder<"y", T, etch::any<"n">> y;
  etch::session s(Op{}(x, y)...);
  s.keep_denormals();
  std::mt19937 generator(8);
  const auto check = [&](const xt::xtensor<T, 1>& a, const xt::xtensor<T, 1>& b, const std::string& what) {
    check_agreement(as_tuple(s.run(Op{}(x, y)..., x = a, y = b)), as_tuple(etch::reference::run(Op{}(x, y)..., x = a, y = b)),
                    list.names, list.bounds, what);
  };
  for (const int n : {0, 1, 7, 16, 17, 33, 100})
    check(random_array<T>(generator, n), random_array<T>(generator, n), std::to_string(n) + " numbers");
  const std::vector<T>& special = special_values<T>();
  const std::size_t n = special.size();
  auto a = random_array<T>(generator, n), b = a;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      a(k) = special[i];
      b(k) = special[k];
    }
    check(a, b, std::to_string(special[i]) + " and special values");
  }
}

/// One operand from every place that memory can be read from: rows, columns, every second or the last first, repeated
/// along either axis. One op of each kind will do: the loads are the same for all.
template <class T>
void check_layouts() {
  using namespace etch;
  constexpr placeholder<"x", T, any<"n">, any<"m">> x;
  constexpr placeholder<"t", T, any<"m">, any<"n">> t;
  constexpr placeholder<"row", T, any<"m">> row;
  constexpr placeholder<"column", T, any<"n">, 1> column;
  constexpr placeholder<"number", T> number;
  constexpr placeholder<"wide", T, any<"n">, 40> wide;
  constexpr placeholder<"half", T, 20> half;
  const auto kept = x < transpose(t);
  const auto results = std::tuple(etch::maximum(x, transpose(t)), x < transpose(t), where(kept, row, column),
                                  etch::minimum(row, column), where(flip(x) == x, number, x), where(transpose(kept), t, number),
                                  flip(x, axis<1>) != row, etch::maximum(slice(wide, section<>, section<0, to_end, 2>), half),
                                  where(slice(wide, section<>, section<1, to_end, 2>) < half, column, flip(half)));
  std::apply(
      [&](auto... e) {
        session s(e...);
        s.keep_denormals();
        std::mt19937 generator(9);
        for (const int n : {0, 1, 3, 5})
          for (const int m : {0, 1, 7, 16, 17, 33, 100}) {
            const auto a = random_array<T>(generator, n, m);
            const auto b = random_array<T>(generator, m, n);
            const auto c = random_array<T>(generator, m);
            const auto d = random_array<T>(generator, n, 1);
            const auto w = random_array<T>(generator, n, 40);
            const auto h = random_array<T>(generator, 20);
            const T v = moderate<T>(generator);
            check_equal(s.run(e..., x = a, t = b, row = c, column = d, number = v, wide = w, half = h),
                        reference::run(e..., x = a, t = b, row = c, column = d, number = v, wide = w, half = h),
                        "layouts of " + std::to_string(n) + " by " + std::to_string(m));
          }
      },
      results);
}

/// From T to every dtype. Numbers that the other dtype can hold: what becomes of others is not defined.
template <class T, class... To>
void check_casts() {
  constexpr etch::placeholder<"x", T, etch::any<"n">> x;
  constexpr auto chosen = etch::astype<bool>(x);
  etch::session s(etch::astype<To>(x)..., chosen);
  s.keep_denormals();
  std::mt19937 generator(10);
  for (const int n : {0, 1, 7, 16, 17, 33, 100}) {
    auto a = random_array<T>(generator, n);
    for (std::size_t i = 0; i < a.size(); ++i) a(i) = i % 5 == 0 ? T(0) : a(i) < T(0) ? T(0) : T(a(i) * T(7));
    check_equal(s.run(etch::astype<To>(x)..., chosen, x = a), etch::reference::run(etch::astype<To>(x)..., chosen, x = a),
                "casts of " + std::to_string(n) + " numbers");
  }
}

}  // namespace laws
