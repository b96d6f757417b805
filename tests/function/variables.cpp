// SPDX-License-Identifier: MIT
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/function.hpp>
#include <etch/print.hpp>

/// Variables of traced functions: whose they are, when they are made, who sees their updates; functions in functions.
namespace {

using namespace etch;
using namespace etch::literals;

template <class T, int Rank>
std::string text_of(const tensor<T, Rank>& t) {
  std::ostringstream s;
  s << t;
  return s.str();
}

}  // namespace

TEST_CASE("AT-11, FUN-11: updates of a variable are seen outside") {
  constexpr auto a = variable<"a">(literal<0.f>);
  function g([=] { return after(a, assign(a, a + 1_c)); });
  CHECK(text_of(g()) == "etch.tensor(1.0, shape=(), dtype=float32)");
  CHECK(text_of(g()) == "etch.tensor(2.0, shape=(), dtype=float32)");
  CHECK(text_of(g()) == "etch.tensor(3.0, shape=(), dtype=float32)");
  CHECK(g.variables().at("a").get<float>()[0] == 3.f);
}

TEST_CASE("FUN-11: variables are restored before the first call, which sees them") {
  constexpr auto count = variable<"count">(literal<1.f>);
  int traces = 0;
  const auto body = [&](auto x) { return ++traces, assign_add(count, x); };
  function known(body, input_signature<tensor_spec<float>>);
  CHECK(known.variables().at("count").get<float>()[0] == 1);
  known.variables().at("count").set(5.f);
  CHECK(traces == 0);
  CHECK(known(2.f).item() == 7);
  CHECK(traces == 1);
  known.initialize();
  CHECK(known(2.f).item() == 3);

  function without([=] { return assign_add(count, 1_c); });
  without.variables().at("count").set(5.f);
  CHECK(without().item() == 6);

  function open(body);
  CHECK_THROWS_WITH_AS(
      open.variables(),
      "function: its variables are not known before its first call; give it an input_signature, or ask for those of a "
      "call, f.variables(x)",
      error);
  open.variables(2.f).at("count").set(5.f);
  CHECK(open.trace_count() == 0);
  CHECK(open(2.f).item() == 7);
  CHECK(open.variables().size() == 1);

  // Random ones are those that a call would have made.
  constexpr auto w = variable<"w">(random_normal<"w">(shape<3>{}));
  const auto scaled = [=](auto x) { return w * x; };
  function asked(scaled);
  function called(scaled);
  asked.initialize(7);
  called.initialize(7);
  const std::vector<float> drawn = asked.variables(1.f).at("w").get<float>();
  called(1.f);
  CHECK(called.variables().at("w").get<float>() == drawn);
}

TEST_CASE("FUN-11: a function on a session's variables") {
  constexpr auto a = variable<"a">(literal<10.f>);
  constexpr auto b = variable<"b">(literal<1.f>);
  session s(a);
  function g([=](auto x) { return assign_add(a, x); }, s);
  CHECK_THROWS_WITH_AS(g(1.f), "run: variable \"a\" has no value; call initialize() or set() first", error);
  s.initialize();
  CHECK(g(2.f).item() == 12.f);
  CHECK(s.get(a) == 12.f);
  s.set(a, 1.f);
  CHECK(g(2.f).item() == 3.f);
  CHECK_THROWS_WITH_AS(g.initialize(), "function: its variables are a session's, which initializes them", error);
  function h([=](auto x) { return b * x; }, s);
  CHECK_THROWS_WITH_AS(h(1.f), "function: the session lacks the variable \"b\"", error);
  CHECK(h.trace_count() == 0);
  s.close();
  CHECK(g(2.f).item() == 5.f);  // as a bound step, it keeps them
}

TEST_CASE("AT-13b, FUN-10: variables are made by the first trace only") {
  std::ostringstream out;
  std::ostream* const before = print_to(&out);
  // Made outside or inside of the body, a variable is known by its name: it is one variable, however often the body is called.
  const auto x = variable<"x">(literal<1.f>);
  function outer_variable([=] { return print(assign_add(x, 1_c)); });
  outer_variable();
  CHECK(out.str() == "2\n");
  function inner_variable([] { return print(assign_add(variable<"x">(literal<1.f>), 1_c)); });
  inner_variable();
  inner_variable();
  CHECK(out.str() == "2\n2\n3\n");
  print_to(before);
  // What a second trace makes is refused.
  function two([](auto i) {
    if constexpr (std::is_same_v<typename decltype(i)::value_type, float>)
      return i + variable<"y">(literal<1.f>);
    else
      return astype<float>(i) + variable<"z">(literal<1.f>);
  });
  CHECK(two(1.f).item() == 2.f);
  for (int again = 0; again < 2; ++again)
    CHECK_THROWS_WITH_AS(
        two(1), "function: its trace for these arguments makes the variable \"z\", which its first trace has not made", error);
  CHECK(two(2.f).item() == 3.f);
  CHECK(two.trace_count() == 1);
}

TEST_CASE("FUN-10: a layer in a function makes its variables in the first trace, and a later one shares them") {
  function f([](auto x) { return nn::dense<"layer", 2>(x); }, input_signature<tensor_spec<float, any<"n">, 3>>);
  f.initialize(3);
  const tensor<float, 2> x = {{1, 2, 3}};
  const std::string first = text_of(f(x));
  CHECK(text_of(f(x)) == first);
  CHECK(f.variables().size() == 2);
  CHECK(f.variables().at("layer/kernel").shape()[0] == 3);
  CHECK_THROWS_AS(f(tensor<float, 2>{{1, 2, 3, 4}}), error);
}

TEST_CASE("a later trace may print, and an earlier need not") {
  std::ostringstream out;
  std::ostream* const before = print_to(&out);
  const auto v = variable<"v">(literal<1.f>);
  function f([=](auto i) {
    if constexpr (std::is_same_v<typename decltype(i)::value_type, float>)
      return i + v;
    else
      return print(astype<float>(i) + v);
  });
  f(1.f);
  f(1);
  print_to(before);
  CHECK(out.str() == "2\n");
}

TEST_CASE("FUN-02: a body that throws while it is traced is traced by the next call") {
  bool throws = true;
  function f([&](auto x) {
    if (throws) throw std::runtime_error("not now");
    return x + 1_c;
  });
  CHECK_THROWS_WITH(f(1), "not now");
  CHECK_FALSE(is_tracing());
  throws = false;
  CHECK(f(1).item() == 2);
}

TEST_CASE("functions nest: the inner one is traced while the outer one is, once for each kind of arguments") {
  int inner_traces = 0, outer_traces = 0;
  function inner([&](auto x) {
    ++inner_traces;
    return x * x;
  });
  function outer([&](auto x) {
    ++outer_traces;
    return inner(x) + inner(inner(x));
  });
  CHECK(outer(2.f).item() == 4.f + 16.f);
  CHECK(outer(3.f).item() == 9.f + 81.f);
  CHECK(outer_traces == 1);
  CHECK(inner_traces == 2);  // for x, and for x * x
  CHECK(inner(5.f).item() == 25.f);
  CHECK(inner_traces == 3);
}

TEST_CASE("functions in graphs, and their gradients") {
  function f([](auto x) { return x * etch::tanh(x); });
  constexpr placeholder<"x", float> x;
  const auto y = f(x) * 2_c;
  const auto dy = gradient(y, x);
  session s(y, dy);
  const auto [value, slope] = s.run(y, dy, x = 0.5f);
  CHECK(value == doctest::Approx(2 * 0.5 * std::tanh(0.5)));
  CHECK(slope == doctest::Approx(2 * (std::tanh(0.5) + 0.5 * (1 - std::tanh(0.5) * std::tanh(0.5)))));
  function derivative([](auto t) { return gradient(t * etch::tanh(t), t); });
  CHECK(2 * derivative(0.5f).item() == slope);
}

TEST_CASE("TAPE-04: a training step as a function learns what a session's does, bit by bit") {
  const auto step = [](auto images, auto labels) {
    const auto logits = nn::dense<"logits", 3>(etch::tanh(nn::dense<"hidden", 8>(images)));
    const auto loss = mean(nn::sparse_softmax_cross_entropy(logits, labels));
    return std::tuple{loss, optimizers::adam(0.01_c).minimize(loss)};
  };
  constexpr placeholder<"images", float, any<"n">, 4> images;
  constexpr placeholder<"labels", std::int32_t, any<"n">> labels;
  const auto [loss, train] = step(images, labels);
  session s(loss, train);
  s.initialize(5);
  function f(step, input_signature<tensor_spec<float, any<"n">, 4>, tensor_spec<std::int32_t, any<"n">>>);
  f.initialize(5);
  xt::xtensor<float, 2> x({6, 4});
  xt::xtensor<std::int32_t, 1> y = xt::zeros<std::int32_t>({6});
  for (std::size_t i = 0; i < 24; ++i) x.data()[i] = static_cast<float>((i * 5) % 7) / 7.f;
  for (std::size_t i = 0; i < 6; ++i) y.data()[i] = static_cast<std::int32_t>(i % 3);
  float first = 0, last = 0;
  for (int i = 0; i < 200; ++i) {
    const float expected = s.run(loss, train, images = x, labels = y);
    last = std::get<0>(f(x, y)).item();
    REQUIRE(last == expected);
    if (i == 0) first = last;
  }
  CHECK(last < 0.5f * first);
}

TEST_CASE("threads may call one function, and the first calls may be at the same time") {
  std::atomic<int> traces = 0;
  constexpr auto w = variable<"w">(literal<2.f>);
  function f([&](auto x) {
    ++traces;
    return sum(x * w);
  });
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        const tensor<float, 1> x = {static_cast<float>(t), static_cast<float>(i)};
        if (f(x).item() != 2.f * static_cast<float>(t + i)) ++wrong;
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(wrong == 0);
  CHECK(f.trace_count() == 1);
}
