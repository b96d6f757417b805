// SPDX-License-Identifier: MIT
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/function.hpp>
#include <etch/print.hpp>
#include <xtensor/xfixed.hpp>

/// Calls of traced functions: what is traced when, what is printed when, what comes out.
namespace {

using namespace etch;
using namespace etch::literals;

/// What is printed while it lives, by graphs and by the test.
struct printed {
  std::ostringstream text;
  std::ostream* before = print_to(&text);
  ~printed() { print_to(before); }
};

template <class T, int Rank>
std::string text_of(const tensor<T, Rank>& t) {
  std::ostringstream s;
  s << t;
  return s.str();
}

}  // namespace

TEST_CASE("AT-8, FUN-03, FUN-04, FUN-05, PRN-01, PRN-02, PRN-03: what is traced, and what is printed") {
  printed out;
  function f([&](auto x) {
    out.text << "The function is running on the host\n";
    return print(x);
  });
  f(tensor(1));
  f(tensor(2));
  f(xt::xtensor<int, 0>(2));
  f(tensor(0.1f));
  f(tensor(0.2f));
  f(1_c);
  f(2_c);
  f(1_c);
  f(0.1_c);
  f(0.2_c);
  f(0.1_c);
  CHECK(out.text.str() ==
        "The function is running on the host\n1\n2\n2\n"
        "The function is running on the host\n0.1\n0.2\n"
        "The function is running on the host\n1\n"
        "The function is running on the host\n2\n1\n"
        "The function is running on the host\n0.1\n"
        "The function is running on the host\n0.2\n0.1\n");
  CHECK(f.trace_count() == 6);
}

TEST_CASE("AT-10, FUN-02, FUN-07, RND-04, AG-03, AG-06: a loop in a traced function prints in each call") {
  printed out;
  function my_add([&](auto a, auto b) {
    out.text << "tracing\n";
    const auto printing = for_range<3>([](auto i, auto s) { return after(s, print(i)); }, 0_c);
    return after(a + b, printing);
  });
  const auto first = my_add(tensor(1.f), tensor(2.f));
  CHECK(out.text.str() == "tracing\n0\n1\n2\n");
  CHECK(text_of(first) == "etch.tensor(3.0, shape=(), dtype=float32)");
  const auto second = my_add(tensor(3.f), tensor(4.f));
  CHECK(out.text.str() == "tracing\n0\n1\n2\n0\n1\n2\n");
  CHECK(second.item() == 7.f);
  const auto third = my_add(tensor(1), tensor(2));
  CHECK(out.text.str() == "tracing\n0\n1\n2\n0\n1\n2\ntracing\n0\n1\n2\n");
  CHECK(text_of(third) == "etch.tensor(3, shape=(), dtype=int32)");
}

TEST_CASE("FUN-01: making a function traces nothing") {
  int traces = 0;
  function f([&](auto x) {
    ++traces;
    return x + 1_c;
  });
  CHECK(traces == 0);
  CHECK(f.trace_count() == 0);
  CHECK(f(1).item() == 2);
  CHECK(traces == 1);
}

TEST_CASE("AT-9, FUN-12, EAG-06: a list of the program's gets one symbol, from the trace; eagerly it gets values") {
  std::vector<std::string> list;
  const auto append = [&](auto x) {
    if constexpr (expression<decltype(x)>)
      list.push_back(tensor_name(x));
    else
      list.push_back(text_of(x));
    return x;
  };
  append(tensor(5.f));
  append(tensor(6.f));
  CHECK(list == std::vector<std::string>{"etch.tensor(5.0, shape=(), dtype=float32)", "etch.tensor(6.0, shape=(), dtype=float32)"});
  list.clear();
  function traced(append);
  traced(tensor(5.f));
  traced(tensor(6.f));
  CHECK(list == std::vector<std::string>{"argument_0:0"});
}

TEST_CASE("on_trace: hooks run while tracing only") {
  int hooks = 0;
  const auto body = [&](auto x) {
    on_trace([&] { ++hooks; });
    return x * 2_c;
  };
  CHECK(body(tensor(2.f)).item() == 4.f);
  CHECK(hooks == 0);
  CHECK_FALSE(is_tracing());
  function f(body);
  CHECK(f(2.f).item() == 4.f);
  CHECK(f(3.f).item() == 6.f);
  CHECK(hooks == 1);
  CHECK_FALSE(is_tracing());
}

TEST_CASE("AT-13, RND-01, RND-02: what the host draws is kept by the trace, what the graph draws is new in each call") {
  std::mt19937 host(5);
  function host_random([&] {
    return captured<"noise", float, 3, 3>([&] {
      xt::xtensor<float, 2> values({3, 3});
      for (float& v : values) v = static_cast<float>(host()) * 1e-9f;
      return values;
    });
  });
  function graph_random([] { return random_normal<"draw", float>(shape<3, 3>{}); });
  const std::string first = text_of(host_random()), second = text_of(host_random());
  CHECK(first == second);
  CHECK(host_random()(0, 0) != host_random()(0, 1));
  CHECK(text_of(graph_random()) != text_of(graph_random()));
  function again([] { return random_normal<"draw", float>(shape<3, 3>{}); });
  function from_seed([] { return random_normal<"draw", float>(shape<3, 3>{}); });
  from_seed.initialize(7);
  const std::string seed_0 = text_of(again());
  CHECK(text_of(from_seed()) != seed_0);
  again.initialize(7);
  from_seed.initialize(7);
  CHECK(text_of(again()) == text_of(from_seed()));
}

TEST_CASE("AT-13c, FUN-09: an input signature") {
  printed out;
  const auto x = variable<"x">(literal<1.f>);
  int traces = 0;
  function add_print(
      [&](auto y) {
        ++traces;
        return print(x + y);
      },
      input_signature<tensor_spec<float>>);
  add_print(tensor(3.f));
  CHECK(out.text.str() == "4\n");
  add_print(3_c);  // a literal that is a float scalar's value
  add_print(3.5f);
  CHECK(out.text.str() == "4\n4\n4.5\n");
  CHECK(traces == 1);

  function rows([](auto a) { return sum(a, axis<1>); }, input_signature<tensor_spec<float, any<"n">, 2>>);
  const tensor<float, 1> sums = rows(tensor<float, 2>{{1, 2}, {3, 4}, {5, 6}});
  CHECK(text_of(sums) == "etch.tensor([ 3.  7. 11.], shape=(3,), dtype=float32)");
  CHECK_THROWS_WITH_AS(rows(tensor<float, 2>{{1, 2, 3}}), "feed \"argument_0\": axis 1: expected extent 2, got 3", error);
}

TEST_CASE("FUN-04: arrays, spans, braces of xtensor and numbers are tensors") {
  function f([](auto x, auto y) { return x * y; });
  const xt::xtensor<double, 1> a = {1, 2, 3};
  const std::vector<double> b = {4, 5, 6};
  CHECK(text_of(f(a, b)) == "etch.tensor([ 4. 10. 18.], shape=(3,), dtype=float64)");
  CHECK(text_of(f(tensor<double, 1>(a), b)) == "etch.tensor([ 4. 10. 18.], shape=(3,), dtype=float64)");
  CHECK(f.trace_count() == 1);
  CHECK(text_of(f(a, 2.0)) == "etch.tensor([2. 4. 6.], shape=(3,), dtype=float64)");
  CHECK(f.trace_count() == 2);
  const xt::xtensor_fixed<double, xt::xshape<3>> fixed = {1, 1, 1};
  CHECK(text_of(f(fixed, a)) == "etch.tensor([1. 2. 3.], shape=(3,), dtype=float64)");
  CHECK(f.trace_count() == 3);
  const eager::variable<double, 1> v{tensor<double, 1>(a)};
  CHECK(text_of(f(v, a)) == "etch.tensor([1. 4. 9.], shape=(3,), dtype=float64)");
  CHECK(f.trace_count() == 3);
}

TEST_CASE("FUN-03: integers of C++ that are one dtype are arguments of one kind") {
  function f([](auto x) { return x + x; });
  CHECK(f(1L).item() == 2);
  CHECK(f(2LL).item() == 4);
  CHECK(f(std::vector<long>{3})(0) == 6);
  CHECK(f(std::vector<long long>{4})(0) == 8);
  CHECK(f(tensor<long long, 1>{5})(0) == 10);
  CHECK(f.trace_count() == 2);
}

TEST_CASE("FUN-14, SES-07: several values come as a tuple") {
  function f([](auto x) { return std::tuple{x + 1_c, sum(x), astype<bool>(x)}; });
  const auto [a, b, c] = f(tensor<int, 1>{0, 2});
  CHECK(text_of(a) == "etch.tensor([1 3], shape=(2,), dtype=int32)");
  CHECK(text_of(b) == "etch.tensor(2, shape=(), dtype=int32)");
  CHECK(text_of(c) == "etch.tensor([False  True], shape=(2,), dtype=bool)");
}

TEST_CASE("FUN-05: empty objects are constants of the trace") {
  function f([](auto x, auto as) { return x + zeros<int>(as); });
  CHECK(text_of(f(tensor<int, 1>{1, 2}, shape<2, 1>{})) == "etch.tensor(\n[[1 2]\n [1 2]], shape=(2, 2), dtype=int32)");
  CHECK(text_of(f(tensor<int, 1>{1, 2}, shape<2>{})) == "etch.tensor([1 2], shape=(2,), dtype=int32)");
  CHECK(f.trace_count() == 2);
}

TEST_CASE("FUN-18, EAG-11, SES-19: one body eagerly, in a session and as a function") {
  const auto body = [](auto x, auto w) { return etch::tanh(matmul(x, w) + 0.5_c) * 2_c; };
  const tensor<float, 2> x = {{0.1f, -0.7f}, {2.f, 0.3f}}, w = {{1.f, 0.25f}, {-0.5f, 3.f}};
  function f(body);
  constexpr placeholder<"x", float, 2, 2> xs;
  constexpr placeholder<"w", float, 2, 2> ws;
  session s(body(xs, ws));
  const tensor<float, 2> eagerly = body(x, w), by_call = f(x, w);
  const tensor<float, 2> in_session = tensor<float, 2>(s.run(body(xs, ws), xs = x, ws = w));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      CHECK(by_call(i, j) == doctest::Approx(eagerly(i, j)).epsilon(1e-6));
      CHECK(by_call(i, j) == doctest::Approx(in_session(i, j)).epsilon(1e-6));
    }
}

TEST_CASE("FUN-17: the expressions of a trace, for prints and plans") {
  function f([](auto a, auto b) { return matmul(a, b) + 1_c; });
  const tensor<float, 2> a = {{1, 2}}, b = {{1}, {2}};
  const std::string text = to_text(f.expressions(a, b));
  CHECK(text.find("argument_0") != std::string::npos);
  CHECK(text.find("matmul") != std::string::npos);
  CHECK(f.trace_count() == 0);
}

TEST_CASE("a function that has been moved from says so") {
  etch::function f([](auto x) { return x + 1_c; });
  auto g = std::move(f);
  CHECK(g(2.f).item() == 3);
  const char* const refused = "function: it has been moved from";
  CHECK_THROWS_WITH_AS(f(2.f), refused, etch::error);
  constexpr placeholder<"x", float> x;
  CHECK_THROWS_WITH_AS((void)f(x), refused, etch::error);
  CHECK_THROWS_WITH_AS(f.initialize(), refused, etch::error);
  CHECK_THROWS_WITH_AS(f.set_executor(nullptr), refused, etch::error);
  CHECK_THROWS_WITH_AS((void)f.trace_count(), refused, etch::error);
  CHECK_THROWS_WITH_AS((void)f.variables(2.f), refused, etch::error);
  CHECK(g.trace_count() == 1);
}
