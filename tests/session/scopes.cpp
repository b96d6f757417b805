// SPDX-License-Identifier: MIT
#include <string>
#include <tuple>
#include <type_traits>

#include <doctest/doctest.h>

#include <etch/etch.hpp>

/// Scopes name variables by their full path, and who makes a name twice says whether that is meant.
namespace etch {
namespace {

using namespace etch::literals;

/// `name[shape]` of each variable of a session, in its order.
template <class Session>
std::string variables_of(const Session& s) {
  std::string text;
  for (const auto v : s.variables()) {
    text += std::string(v.name()) + " [";
    for (const std::int64_t extent : v.shape()) text += " " + std::to_string(extent);
    text += " ]\n";
  }
  return text;
}

/// The layer of the worked examples: weights begin normal, biases as 0.
template <int Units>
constexpr auto fully_connected = [](auto in, auto x) {
  constexpr int inputs = extent_along<1>(typename decltype(x)::shape_type{});
  const auto weights = variable<in / "weights">(random_normal<in / "weights">(shape<inputs, Units>{}));
  const auto biases = variable<in / "biases">(zeros(shape<Units>{}));
  return matmul(x, weights) + biases;
};
constexpr auto two_layers = [](auto in, auto x) {
  const auto h1 = scope<in / "h1">(fully_connected<50>, x);
  return scope<in / "h2">(fully_connected<10>, h1);
};

constexpr placeholder<"x1", float, 2, 100> x1;
constexpr placeholder<"x2", float, 2, 100> x2;

TEST_CASE("AT-25, SCO-06: two layers on two inputs have four variables") {
  constexpr auto logits1 = scope<"two_layers">(two_layers, x1);
  constexpr auto logits2 = scope<"two_layers">(two_layers, x2);
  session s(logits1, logits2);
  CHECK(variables_of(s) ==
        "two_layers/h2/biases [ 10 ]\n"
        "two_layers/h2/weights [ 50 10 ]\n"
        "two_layers/h1/biases [ 50 ]\n"
        "two_layers/h1/weights [ 100 50 ]\n");
  s.initialize(1);
  const xt::xtensor<float, 2> one = xt::ones<float>({2, 100});
  const auto [a, b] = s.run(logits1, logits2, x1 = one, x2 = one);
  CHECK(a == b);
  CHECK(a(0, 0) != a(0, 1));
}

TEST_CASE("AT-H7, SCO-06: a layer that is made with another's name has its variables") {
  constexpr placeholder<"x", float, 4, 32> x;
  const auto dense = [](auto in, auto h) {
    constexpr int inputs = extent_along<1>(typename decltype(h)::shape_type{});
    return matmul(h, variable<in / "weight">(random_normal<in / "weight">(shape<inputs, 10>{}))) +
           variable<in / "bias">(zeros(shape<10>{}));
  };
  const auto first = scope<"dense1", reuse::automatic>(dense, x);
  const auto second = scope<"dense2", reuse::automatic>(dense, first);
  const auto third = scope<"dense2", reuse::automatic>(dense, second);
  session s(third);
  CHECK(variables_of(s) ==
        "dense2/bias [ 10 ]\n"
        "dense2/weight [ 10 10 ]\n"
        "dense1/bias [ 10 ]\n"
        "dense1/weight [ 32 10 ]\n");
}

TEST_CASE("SCO-01: a scope that makes no variable moves none") {
  constexpr auto w = variable<"w">(ones(shape<2, 100>{}));
  constexpr auto y = scope<"outer">(
      [](auto in, auto x, auto v) { return scope<in / "inner">([](auto, auto a, auto b) { return a * b; }, x, v); }, x1, w);
  session s(y);
  CHECK(variables_of(s) == "w [ 2 100 ]\n");
  static_assert(detail::content_with<decltype(y)::hash> == decltype(x1 * w)::hash);
}

TEST_CASE("SCO-02: the same name in two scopes is two variables, with no suffix") {
  const auto weights = [](auto in) { return variable<in / "weights">(zeros(shape<2>{})) + 0_c; };
  session s(scope<"h1">(weights) * scope<"h2">(weights));
  CHECK(variables_of(s) ==
        "h2/weights [ 2 ]\n"
        "h1/weights [ 2 ]\n");
  static_assert(!std::is_same_v<decltype(scope<"h1">(weights)), decltype(scope<"h2">(weights))>);
}

TEST_CASE("SCO-04: what one call makes, another finds") {
  constexpr auto once = scope<"two_layers", reuse::automatic>(two_layers, x1);
  constexpr auto again = scope<"two_layers", reuse::always>(two_layers, x2);
  session s(once, again);
  CHECK(s.variables().size() == 4);
  s.initialize(7);
  s.set<"two_layers/h2/biases">({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  s.set<"two_layers/h2/weights">(xt::zeros<float>({50, 10}));
  const xt::xtensor<float, 2> values = xt::ones<float>({2, 100});
  const auto [a, b] = s.run(once, again, x1 = values, x2 = values);
  CHECK(a(1, 9) == 10);
  CHECK(b(1, 9) == 10);
}

TEST_CASE("SCO-05: a scope that never reuses may be called twice on the same argument, which is one call") {
  constexpr auto y = scope<"two_layers", reuse::never>(two_layers, x1) + scope<"two_layers", reuse::never>(two_layers, x1);
  constexpr auto other = scope<"elsewhere", reuse::never>(two_layers, x2);
  session s(y, other);
  CHECK(s.variables().size() == 8);
}

TEST_CASE("SCO-05: what trains a scope's variables, or penalises them, does not make them again") {
  constexpr auto y = scope<"model", reuse::never>([](auto in, auto x) { return nn::dense<in / "only", 1>(x); }, x1);
  constexpr auto loss = sum(y) + sum(square(find_variable<"model/only/kernel">(y)));
  constexpr auto train = scope<"train">([](auto, auto l) { return optimizers::sgd(0.5_c).minimize(l); }, loss);
  session s(loss, train);
  s.initialize();
  s.set<"model/only/kernel">(xt::ones<float>({100, 1}));
  s.run(train, x1 = xt::zeros<float>({2, 100}));
  CHECK(s.get<"model/only/kernel">()(0, 0) == 0);
  CHECK(s.get<"model/only/bias">()(0) == -1);
}

TEST_CASE("the variables of a scope are trained by its path") {
  constexpr auto y = scope<"a">(two_layers, x1) + scope<"ab">(two_layers, x1);
  constexpr auto train = optimizers::sgd(1e-3_c).minimize(mean(y), variables_under<"a">);
  session s(train);
  s.initialize(1);
  const xt::xtensor<float, 2> a = s.get<"a/h1/weights">(), ab = s.get<"ab/h1/weights">();
  s.run(train, x1 = xt::ones<float>({2, 100}));
  CHECK(s.get<"a/h1/weights">() != a);
  CHECK(s.get<"ab/h1/weights">() == ab);
}

TEST_CASE("a scope's function may give a tuple, an argument, a slot, or nothing that a graph has") {
  const auto several = scope<"s">(
      [](auto in, auto x, auto n) { return std::tuple{x * x, x, variable<in / "w">(zeros(shape<3>{})), n, 3}; }, x1, 2_c);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(std::get<1>(several))>, std::remove_cv_t<decltype(x1)>>);
  using made = std::tuple_element_t<2, std::remove_cv_t<decltype(several)>>;
  static_assert(variable_expression<made>);
  CHECK(std::string(made::name_type::text) == "s/w");
  static_assert(std::is_same_v<std::tuple_element_t<3, std::remove_cv_t<decltype(several)>>, std::remove_cv_t<decltype(2_c)>>);
  CHECK(std::get<4>(several) == 3);
}

TEST_CASE("draws in scopes of two names differ, and the layers of nn begin as their full names say") {
  const auto layer = [](auto in, auto x) { return nn::dense<in / "h", 3>(x); };
  constexpr auto direct = nn::dense<"one/h", 3>(x1);
  session s(scope<"one">(layer, x1), scope<"two">(layer, x1));
  session t(direct);
  s.initialize(3);
  t.initialize(3);
  CHECK(s.get<"one/h/kernel">() != s.get<"two/h/kernel">());
  CHECK(s.get<"one/h/kernel">() == t.get<"one/h/kernel">());
}

}  // namespace
}  // namespace etch
