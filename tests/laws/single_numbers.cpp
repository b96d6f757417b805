// SPDX-License-Identifier: MIT
#include "elementwise.hpp"

/// "A result that is one number has the bits that it has among others": ops of a scalar, of an array of one element, and behind a product of
/// one column, which are computed in no vector.
namespace {

using namespace etch;
using laws::fitting;
using laws::ops;

template <class T>
const std::vector<T>& numbers() {
  static const std::vector<T> all = [] {
    std::mt19937 generator(11);
    std::vector<T> v = laws::special_values<T>();
    for (int i = 0; i < 150; ++i) v.push_back(static_cast<T>(std::ldexp(static_cast<double>(generator()) - 0x1p31, -30)));
    for (int i = 0; i < 50; ++i) v.push_back(static_cast<T>(std::ldexp(static_cast<double>(generator()) - 0x1p31, -24)));
    v.push_back(T(16777216));
    return v;
  }();
  return all;
}
template <class T>
bool same_bits(T a, T b) {
  return (std::isnan(static_cast<double>(a)) && std::isnan(static_cast<double>(b))) || std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class Op, class... Feeds, class Session, class E>
void check_same(Session& s, const E& e, const auto& all, std::size_t i, const char* what, const Feeds&... feeds) {
  const auto alone = s.run(e, feeds...);
  if constexpr (requires { alone.data(); })
    laws::check_that(same_bits(alone.data()[0], all.data()[i]), std::string(Op::name) + " of number " + std::to_string(i) + what);
  else
    laws::check_that(same_bits(alone, all.data()[i]), std::string(Op::name) + " of number " + std::to_string(i) + what);
}

template <class T, class Op>
void check_unary() {
  constexpr placeholder<"x", T, any<"n">> x;
  constexpr placeholder<"a", T> a;
  constexpr placeholder<"b", T, 1, 1> b;
  session s(Op{}(x), Op{}(a), Op{}(b));
  s.keep_denormals();
  const auto& all = numbers<T>();
  const auto together = s.run(Op{}(x), x = all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    check_same<Op>(s, Op{}(a), together, i, ", a scalar", a = all[i]);
    const xt::xtensor<T, 2> one = {{all[i]}};
    check_same<Op>(s, Op{}(b), together, i, ", an array", b = one);
  }
}
template <class T, class Op>
void check_binary() {
  constexpr placeholder<"x", T, any<"n">> x;
  constexpr placeholder<"y", T, any<"n">> y;
  constexpr placeholder<"a", T> a;
  constexpr placeholder<"b", T> b;
  session s(Op{}(x, y), Op{}(a, b));
  s.keep_denormals();
  const auto& first = numbers<T>();
  std::vector<T> second = first;
  std::shuffle(second.begin(), second.end(), std::mt19937(3));
  second.back() = static_cast<T>(1) - std::numeric_limits<T>::epsilon() / 2;
  const auto together = s.run(Op{}(x, y), x = first, y = second);
  for (std::size_t i = 0; i < first.size(); ++i) check_same<Op>(s, Op{}(a, b), together, i, "", a = first[i], b = second[i]);
}
template <class T, class... Op>
void check_all_unary(ops<Op...>) {
  (check_unary<T, Op>(), ...);
}
template <class T, class... Op>
void check_all_binary(ops<Op...>) {
  (check_binary<T, Op>(), ...);
}

/// Behind (n, k) x (k, 1), beside the same of the product that is fed.
template <class Op>
void check_behind_a_column() {
  constexpr placeholder<"a", float, 50, 20> a;
  constexpr placeholder<"w", float, 20, 1> w;
  constexpr placeholder<"p", float, any<"n">, 1> p;
  constexpr auto product = matmul(a, w);
  session s(Op{}(product), product, Op{}(p));
  std::mt19937 generator(5);
  xt::xtensor<float, 2> left = xt::zeros<float>({50, 20}), right = xt::zeros<float>({20, 1});
  for (float& v : left) v = static_cast<float>(generator() % 2048) / 1024 - 1;
  for (float& v : right) v = static_cast<float>(generator() % 2048) / 2048;
  const xt::xtensor<float, 2> sums = s.run(product, a = left, w = right);
  const xt::xtensor<float, 2> fused = s.run(Op{}(product), a = left, w = right), apart = s.run(Op{}(p), p = sums);
  for (std::size_t i = 0; i < 50; ++i)
    laws::check_that(same_bits(fused(i, 0), apart(i, 0)), std::string(Op::name) + " behind a column");
}

}  // namespace

TEST_CASE_TEMPLATE("law: a function of one number is what it is among others", T, float, double) {
  check_all_unary<T>(fitting<T, 1>(elementwise_ops{}));
}
TEST_CASE_TEMPLATE("law: a function of two numbers is what it is among others", T, float, double) {
  check_all_binary<T>(fitting<T, 2>(elementwise_ops{}));
}
TEST_CASE("law: a function of a product of one column is what it is of the product") {
  check_behind_a_column<struct etch::sigmoid>();
  check_behind_a_column<struct etch::tanh>();
  check_behind_a_column<struct etch::exp>();
  check_behind_a_column<struct etch::erf>();
}
