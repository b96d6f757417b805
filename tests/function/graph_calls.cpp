// SPDX-License-Identifier: MIT
#include <cmath>
#include <sstream>
#include <string>
#include <tuple>

#include <doctest/doctest.h>

#include <etch/function.hpp>
#include <etch/print.hpp>

/// Calls of functions in graphs: values and gradients are those of the bodies, and equal calls share a plan. The two never run in one plan,
/// in which a call and its body are the same nodes.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", double, any<"n">, 4> x;
constexpr auto w1 = variable<"w1">(random_normal<"w1", double>(shape<4, 4>{}));
constexpr auto w2 = variable<"w2">(random_normal<"w2", double>(shape<4, 4>{}));
constexpr auto w3 = variable<"w3">(random_normal<"w3", double>(shape<4, 4>{}));

constexpr auto layer = [](auto h, auto w) {
  const auto z = matmul(h, w);
  return etch::tanh(z) * sigmoid(z) + h;
};

xt::xtensor<double, 2> rows(std::size_t n) {
  xt::xtensor<double, 2> v = xt::zeros<double>({n, std::size_t{4}});
  for (std::size_t i = 0; i < v.size(); ++i) v.data()[i] = std::sin(static_cast<double>(i) * 1.3) / 2;
  return v;
}

/// Of the calls of a plan: how many there are, and how many plans they run.
template <class Plan>
constexpr std::pair<int, int> calls_and_plans() {
  constexpr auto& g = etch::detail::kept_graph<typename Plan::outer>::value;
  int calls = 0, plans = 0;
  for (int n = 0; n < g.size.nodes; ++n) {
    if (g.nodes[n].op->role != op_role::call) continue;
    ++calls;
    plans += g.words_of(n)[1] == g.words_of(n)[2] ? 1 : 0;
  }
  return {calls, plans};
}
template <class... E>
using compiled_for = compiled<cpu::target, list_of<E::hash...>, list_of<decltype(x)::hash>>;
template <class... E>
std::pair<int, int> calls_and_plans_of(E...) {
  return calls_and_plans<compiled_for<E...>>();
}
template <class A, class B>
void check_equal(const A& a, const B& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(a.data()[i] == doctest::Approx(b.data()[i]).epsilon(1e-13));
}

}  // namespace

TEST_CASE("calls in graphs: values and gradients are those of the bodies, one plan for equal calls") {
  function f(layer);
  const auto y = f(f(f(x, w1), w2), w3);
  const auto loss = mean(square(y));
  const auto [d1, d2, d3] = gradients(loss, w1, w2, w3);
  CHECK(f.trace_count() == 3);  // each for other expressions
  const auto plain = layer(layer(layer(x, w1), w2), w3);
  const auto plain_loss = mean(square(plain));
  const auto [p1, p2, p3] = gradients(plain_loss, w1, w2, w3);
  CHECK(calls_and_plans_of(y) == std::pair{3, 1});
  CHECK(calls_and_plans_of(y, d1, d2, d3) == std::pair{5, 2});  // the first layer's gradient makes none of x, so it equals no other
  CHECK(calls_and_plans_of(plain, p1) == std::pair{0, 0});
  session s(y, d1, d2, d3);
  session t(plain, p1, p2, p3);
  s.initialize(3);
  t.initialize(3);
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{7}}) {
    const auto [a, a1, a2, a3] = s.run(y, d1, d2, d3, x = rows(n));
    const auto [b, b1, b2, b3] = t.run(plain, p1, p2, p3, x = rows(n));
    check_equal(a, b);
    check_equal(a1, b1);
    check_equal(a2, b2);
    check_equal(a3, b3);
  }
}

TEST_CASE("calls in graphs: second order, and a gradient in the body") {
  function f(layer);
  const auto loss = sum(f(f(x, w1), w2));
  const auto twice = gradient(sum(square(gradient(loss, w1))), w2);
  const auto plain = sum(layer(layer(x, w1), w2));
  const auto plain_twice = gradient(sum(square(gradient(plain, w1))), w2);
  function slope([](auto h, auto w) { return gradient(sum(square(matmul(h, w))), w); });
  const auto of_body = slope(x, w1) + slope(x, w2);
  const auto plain_of_body = gradient(sum(square(matmul(x, w1))), w1) + gradient(sum(square(matmul(x, w2))), w2);
  session s(twice, plain_twice, of_body, plain_of_body);
  s.initialize(8);
  const auto [a, c] = s.run(twice, of_body, x = rows(5));
  const auto [b, d] = s.run(plain_twice, plain_of_body, x = rows(5));
  check_equal(a, b);
  check_equal(c, d);
}

TEST_CASE("calls in graphs: several results, some unused, and results that are fed") {
  function f([](auto h, auto w) {
    const auto z = matmul(h, w);
    return std::tuple{etch::tanh(z), z, sum(z)};
  });
  const auto [a, b, c] = f(x, w1);
  const auto [d, e, g] = f(a, w2);
  const auto all = sum(d) + c;
  session s(all, a, e, g);
  s.initialize(2);
  const auto fed = rows(3);
  const auto [value, values_of_a] = s.run(all, a, x = fed);
  const double again = s.run(sum(d), a = values_of_a) + s.run(c, x = fed);
  CHECK(value == doctest::Approx(again).epsilon(1e-13));
}

TEST_CASE("calls in graphs: a literal that a body gives is a literal") {
  constexpr placeholder<"bytes", std::uint8_t> bytes;
  function f([](auto h, auto c) { return std::tuple{sum(h) * 2_c, c * 1_c}; });
  const auto [a, b] = f(x, 0.7_c);
  const auto product = a * b;
  const auto more = bytes + std::get<1>(f(x, 4_c));
  session s(product, more);
  xt::xtensor<double, 2> fed = xt::ones<double>({1, 4});
  CHECK(s.run(product, x = fed) == 8 * 0.7);  // not 0.7f
  static_assert(std::is_same_v<decltype(s.run(more, bytes = std::uint8_t{3})), std::uint8_t>);
  CHECK(s.run(more, bytes = std::uint8_t{3}) == 7);
}

TEST_CASE("calls in graphs: effects happen once for each run, in order, and not at all where nobody asks") {
  std::ostringstream out;
  std::ostream* const before = print_to(&out);
  constexpr auto count = variable<"count">(literal<0.f>);
  function f([=](auto h) { return print<"in f: {}">(sum(h)) + sum(h * h) * 0_c; });
  function g([=](auto h) { return after(sum(h), assign(count, count + 1_c)); });
  const auto first = f(x);
  const auto second = f(x * 2_c);
  session s(first, second, g(x), count);
  s.initialize();
  xt::xtensor<double, 2> fed = xt::ones<double>({1, 4});
  s.run(first, second, x = fed);
  CHECK(out.str() == "in f: 4\nin f: 8\n");
  s.run(second, x = fed);
  CHECK(out.str() == "in f: 4\nin f: 8\nin f: 8\n");
  s.run(g(x), g(x), x = fed);
  s.run(g(x), x = fed);
  CHECK(s.get(count) == 2.f);
  print_to(before);
}

TEST_CASE("calls in graphs: one whose graph no other has is part of what calls it") {
  function f(layer);
  CHECK(calls_and_plans_of(f(x, w1)) == std::pair{0, 0});
  CHECK(calls_and_plans_of(f(sum(x, axis<0>, keep_dims), w1) + f(x, w2)) == std::pair{0, 0});  // of other extents
  CHECK(calls_and_plans_of(f(x, w1) + f(x, w2)) == std::pair{2, 1});
}

TEST_CASE("calls in graphs: in other calls") {
  function f(layer);
  function two([&](auto h, auto w) { return f(f(h, w), w); });
  const auto nested = two(two(x, w1), w2);
  const auto plain_nested = layer(layer(layer(layer(x, w1), w1), w2), w2);
  CHECK(calls_and_plans_of(nested) == std::pair{2, 1});
  session s(nested, plain_nested);
  s.initialize(6);
  const auto a = s.run(nested, x = rows(4));
  const auto b = s.run(plain_nested, x = rows(4));
  check_equal(a, b);
}

TEST_CASE("calls in graphs: in the steps of a loop, and in those of its gradient") {
  function f(layer);
  const auto in_loop = scan([&](auto h, auto w) { return f(f(h, w), w); }, x, stack(axis<0>, w1, w2, w3));
  const auto plain = scan([](auto h, auto w) { return layer(layer(h, w), w); }, x, stack(axis<0>, w1, w2, w3));
  const auto d1 = gradient(sum(in_loop), w1);
  const auto p1 = gradient(sum(plain), w1);
  using plan = compiled_for<decltype(in_loop), decltype(d1)>;
  CHECK(calls_and_plans<plan::part<0, 0>>() == std::pair{2, 1});
  CHECK(calls_and_plans<plan::part<1, 0>>() == std::pair{2, 1});
  session s(in_loop, plain, d1, p1);
  s.initialize(6);
  const auto [a, d] = s.run(in_loop, d1, x = rows(4));
  const auto [b, p] = s.run(plain, p1, x = rows(4));
  check_equal(a, b);
  check_equal(d, p);
}

TEST_CASE("calls in graphs: loops and branches in a body") {
  const auto body = [](auto h, auto w) {
    const auto last = scan([](auto s, auto row) { return etch::tanh(s * row + s); }, h, w);
    return cond(sum(last) > 0_c, [=] { return last * 3_c; }, [=] { return etch::exp(last); });
  };
  const auto four = [](auto& g) { return g(g(g(g(x, w1), w2), w3), w1); };
  function f(body);
  const auto y = four(f);
  const auto plain = four(body);
  const auto d = gradient(sum(y), w2);
  const auto p = gradient(sum(plain), w2);
  CHECK(calls_and_plans_of(y) == std::pair{4, 1});
  CHECK(calls_and_plans_of(y, d).second < calls_and_plans_of(y, d).first);
  session s(y, plain, d, p);
  for (const std::uint64_t seed : {0u, 1u, 2u, 3u}) {
    s.initialize(seed);
    const auto [a, c] = s.run(y, d, x = rows(4));
    const auto [b, e] = s.run(plain, p, x = rows(4));
    check_equal(a, b);
    check_equal(c, e);
  }
}

TEST_CASE("calls in graphs: a loop that calls what calls loops") {
  function inner([](auto h, auto w) { return scan([](auto s, auto row) { return s * 0.9_c + row; }, h, w); });
  const auto body = [](auto& g) { return [&](auto h, auto w) { return etch::tanh(g(g(h, w), w * 2_c)); }; };
  const auto plain_inner = [](auto h, auto w) { return scan([](auto s, auto row) { return s * 0.9_c + row; }, h, w); };
  const auto y = scan(body(inner), x, stack(axis<0>, w1, w2, w3));
  const auto plain = scan(body(plain_inner), x, stack(axis<0>, w1, w2, w3));
  const auto d = gradient(sum(square(y)), w2);
  const auto p = gradient(sum(square(plain)), w2);
  using plan = compiled_for<decltype(y)>;
  CHECK(calls_and_plans<plan::part<0, 0>>() == std::pair{2, 1});
  session s(y, plain, d, p);
  s.initialize(9);
  const auto [a, c] = s.run(y, d, x = rows(4));
  const auto [b, e] = s.run(plain, p, x = rows(4));
  check_equal(a, b);
  check_equal(c, e);
}

TEST_CASE("calls in graphs: calls in the loop of a body that is called itself") {
  function f(layer);
  function steps([&](auto h, auto w) { return scan([&](auto s, auto row) { return f(f(s, w), w * row); }, h, w); });
  const auto plain_steps = [](auto h, auto w) { return scan([=](auto s, auto row) { return layer(layer(s, w), w * row); }, h, w); };
  const auto y = steps(steps(x, w1), w2);
  const auto plain = plain_steps(plain_steps(x, w1), w2);
  using plan = compiled_for<decltype(y)>;
  CHECK(calls_and_plans<plan>() == std::pair{2, 1});
  CHECK(calls_and_plans<plan::part<0, 0>::part<0, 0>>() == std::pair{2, 1});
  session s(y, plain);
  s.initialize(2);
  const auto a = s.run(y, x = rows(3));
  const auto b = s.run(plain, x = rows(3));
  check_equal(a, b);
}

TEST_CASE("calls in graphs: what a body reads only in a branch is given to its plan") {
  const auto body = [](auto h, auto w) {
    const auto chosen = cond(sum(h) > 0_c, [=] { return etch::tanh(matmul(h, w) + h); }, [=] { return matmul(h, w) * 0.5_c; });
    return chosen + sum(w, axis<0>);
  };
  const auto of = [](auto& g) {
    return scan([&](auto s, auto w) { return g(g(s, w2), w2) * sum(w); }, g(g(x, w1), w3), stack(axis<0>, w1, w2));
  };
  function f(body);
  const auto in_steps = of(f);
  const auto plain = of(body);
  session s(in_steps, plain);
  for (const std::uint64_t seed : {0u, 1u, 2u, 3u}) {
    s.initialize(seed);
    const auto a = s.run(in_steps, x = rows(4));
    const auto b = s.run(plain, x = rows(4));
    check_equal(a, b);
  }
}

TEST_CASE("calls in graphs: one weight in all calls, whose gradient they add up outside of them") {
  function f(layer);
  const auto four = [](auto& g) { return g(g(g(g(x, w1), w1), w1), w1); };
  const auto loss = sum(square(four(f)));
  const auto plain = sum(square(four(layer)));
  const auto d = gradient(loss, w1);
  const auto p = gradient(plain, w1);
  CHECK(calls_and_plans_of(loss, d) == std::pair{7, 2});  // the first call's gradient makes none of x
  session s(loss, plain, d, p);
  s.initialize(7);
  const auto [a, c] = s.run(loss, d, x = rows(5));
  const auto [b, e] = s.run(plain, p, x = rows(5));
  CHECK(a == doctest::Approx(b).epsilon(1e-13));
  check_equal(c, e);
}

TEST_CASE("calls in graphs: what only a branch calls is computed in the branch") {
  function f(layer);
  const auto of = [](auto& g) {
    const auto chosen = cond(sum(x) > 0_c, [&] { return g(x, w1) + 1_c; }, [&] { return g(x, w2); });
    return std::tuple{chosen, g(chosen, w3)};
  };
  const auto [a, b] = of(f);
  const auto [p, q] = of(layer);
  const auto d = gradient(sum(a) + sum(b * b), w1);
  const auto e = gradient(sum(p) + sum(q * q), w1);
  CHECK(calls_and_plans_of(a, b).first == 1);  // the branch; the call behind it is the only one there
  session s(a, b, d, p, q, e);
  s.initialize(4);
  for (const double scale : {1., -1.}) {
    const xt::xtensor<double, 2> fed = xt::ones<double>({3, 4}) * scale;
    const auto [v1, v2, v3] = s.run(a, b, d, x = fed);
    const auto [u1, u2, u3] = s.run(p, q, e, x = fed);
    check_equal(v1, u1);
    check_equal(v2, u2);
    check_equal(v3, u3);
  }
}

TEST_CASE("calls in graphs: a call that waits for a node outside that waits for it is no call, but right") {
  function f([](auto a, auto b) { return std::tuple{etch::exp(a * 2_c) + 1_c, etch::tanh(b * 3_c) + 1_c}; });
  // The second argument is made of the first result of the same call: two calls to the program, whose parts are nodes of one graph.
  const auto [p, q] = f(x, x);
  const auto [r, t] = f(p, q);
  session s(r, t);
  const auto fed = rows(2);
  const auto [a, b] = s.run(r, t, x = fed);
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(a.data()[i] == doctest::Approx(std::exp(2 * (std::exp(2 * fed.data()[i]) + 1)) + 1));
    CHECK(b.data()[i] == doctest::Approx(std::tanh(3 * (std::tanh(3 * fed.data()[i]) + 1)) + 1));
  }
}

TEST_CASE("calls in graphs: 100 calls are one plan") {
  function f([](auto h) { return etch::tanh(h * 0.5_c + 0.25_c) * h; });
  const auto y = [&]<int... I>(std::integer_sequence<int, I...>) {
    const auto rounds = [&]<int Left>(auto self, auto h, std::integral_constant<int, Left>) {
      if constexpr (Left == 0)
        return h;
      else
        return self(self, f(h), std::integral_constant<int, Left - 1>{});
    };
    return rounds(rounds, x, std::integral_constant<int, sizeof...(I)>{});
  }(std::make_integer_sequence<int, 100>{});
  CHECK(calls_and_plans_of(y) == std::pair{100, 1});
  session s(y);
  xt::xtensor<double, 2> fed = xt::ones<double>({1, 4});
  double expected = 1;
  for (int i = 0; i < 100; ++i) expected = std::tanh(expected * 0.5 + 0.25) * expected;
  CHECK(s.run(y, x = fed)(0, 0) == doctest::Approx(expected));
}

TEST_CASE("captured: one graph has one value of a name") {
  float next = 3;
  function f([&](auto h) {
    const auto c = captured<"c", float>([&] { return next++; });
    return h * c;
  });
  function g([&](auto h) { return f(h) + f(h * 2_c); });
  CHECK_THROWS_WITH_AS(g(10.f), "captured \"c\": one graph has two values of that name; name them apart", error);
  function once([&](auto h) { return f(h) + f(h); });
  // f(h) has been traced as the first or as the second call of g.
  const float value = once(10.f).item();
  CHECK((value == 2 * 10 * 3.f || value == 2 * 10 * 4.f));
}
