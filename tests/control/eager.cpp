// SPDX-License-Identifier: MIT
#include <cmath>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/tape.hpp>

#include "session/message_of.hpp"

/// Loops and branches called with tensors: at once what the same generic code is in a graph.
namespace etch {
namespace {

using namespace etch::literals;

using number = tensor<float, 0>;
using row = tensor<float, 1>;
using table = tensor<float, 2>;

constexpr placeholder<"s", float> s;
constexpr placeholder<"v", float, any<"n">> v;
constexpr placeholder<"m", float, any<"n">, 3> m;

/// Whether an array of a session is the same as a tensor.
template <class Array, class T, int Rank>
bool same(const Array& array, const tensor<T, Rank>& t) {
  if constexpr (Rank == 0) {
    return array == t.item();
  } else {
    for (int i = 0; i < Rank; ++i)
      if (static_cast<std::int64_t>(array.shape()[static_cast<std::size_t>(i)]) != t.extent(i)) return false;
    return std::equal(array.begin(), array.end(), t.data());
  }
}

constexpr auto filtered = [](auto first, auto xs) {
  return scan(
      [](auto state, auto x) {
        auto next = 0.75_c * state + tanh(x);
        return std::pair{next, next * next};
      },
      first, xs);
};

}  // namespace

TEST_CASE("AG-02, EAG-11: a scan of tensors is that of the graph, with states, outputs and gradients") {
  constexpr auto last = std::get<0>(filtered(s, v));
  constexpr auto all = std::get<1>(filtered(s, v));
  constexpr auto loss = last * sum(all);
  constexpr auto to_s = gradient(loss, s);
  constexpr auto to_v = gradient(loss, v);
  session graph(last, all, to_s, to_v);
  const xt::xtensor<float, 1> values = {0.5f, -1, 2, 0.25f};
  const auto [l, a, ds, dv] = graph.run(last, all, to_s, to_v, s = 0.5f, v = values);

  const number first = 0.5f;
  const row xs = {0.5f, -1, 2, 0.25f};
  tape t;
  const auto [el, ea] = filtered(first, xs);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(ea)>, row>);
  CHECK(l == doctest::Approx(el.item()).epsilon(1e-6));
  CHECK(ea.extent(0) == 4);
  const auto [es, ev] = t.gradient(el * sum(ea), first, xs);
  CHECK(ds == doctest::Approx(es.item()).epsilon(1e-6));
  for (int i = 0; i < 4; ++i) {
    CHECK(a(static_cast<std::size_t>(i)) == doctest::Approx(ea(i)).epsilon(1e-6));
    CHECK(dv(static_cast<std::size_t>(i)) == doctest::Approx(ev(i)).epsilon(1e-6));
  }
}

TEST_CASE("EAG-11: a state that begins as a number takes dtype and shape of what the body makes of it") {
  const auto sums = [](auto xs) { return scan([](auto state, auto x) { return state + x; }, 0_c, xs); };
  constexpr auto rows = sums(m);
  session graph(rows);
  const auto wanted = graph.run(rows, m = {{1, 2, 3}, {4, 5, 6}});
  const row got = sums(table{{1, 2, 3}, {4, 5, 6}});
  CHECK(same(wanted, got));
  CHECK(sums(row{1, 2, 3}).item() == 6);
  CHECK(sums(row()).item() == 0);
  CHECK(message_of([&] { sums(table()); }) ==
        "scan: its state begins as a number and gets its shape in the first step, but no step is made");
}

TEST_CASE("EAG-11: states and outputs are tuples; sequences are several; reverse begins with the last elements") {
  const auto both = [](auto a, auto b, auto xs, auto rows) {
    return scan(
        [](auto state, auto x, auto y) {
          const auto [p, q] = state;
          return std::pair{std::tuple{p + x, q * 0.5_c + y}, std::tuple{p, sum(q) * y, x > 0_c}};
        },
        std::tuple{a, b}, xs, rows, reverse, recompute);
  };
  constexpr placeholder<"w", float, 3> w;
  constexpr auto graph = both(s, w, v, m);
  constexpr auto last = std::get<0>(graph);
  constexpr auto outputs = std::get<1>(graph);
  session run(last, outputs);
  const auto [l, o] = run.run(last, outputs, s = 1, w = {1, 2, 3}, v = {1, -2}, m = {{1, 0, 1}, {2, 2, 2}});
  const auto [el, eo] = both(number(1), row{1, 2, 3}, row{1, -2}, table{{1, 0, 1}, {2, 2, 2}});
  CHECK(same(std::get<0>(l), std::get<0>(el)));
  CHECK(same(std::get<1>(l), std::get<1>(el)));
  CHECK(same(std::get<0>(o), std::get<0>(eo)));
  CHECK(same(std::get<1>(o), std::get<1>(eo)));
  CHECK(same(std::get<2>(o), std::get<2>(eo)));
}

TEST_CASE("EAG-11: for_range and while_loop, with and without a bound") {
  const auto powers = [](auto x) { return for_range<5>([x](auto i, auto state) { return state * x + astype<float>(i); }, x); };
  const auto halved = [](auto x) {
    return while_loop([](auto state) { return state > 1_c; }, [](auto state) { return state * 0.5_c; }, x);
  };
  const auto bounded = [](auto x) {
    return while_loop<4>([](auto state) { return state > 1_c; }, [](auto state) { return std::pair{state * 0.5_c, state}; }, x);
  };
  constexpr auto a = powers(s);
  constexpr auto b = halved(s);
  constexpr auto da = gradient(a, s);
  constexpr auto c = bounded(s);
  session graph(a, b, da, std::get<0>(c), std::get<1>(c));
  for (const float value : {0.5f, 6.f, 100.f}) {
    const auto [ga, gb, gda, gc, gd] = graph.run(a, b, da, std::get<0>(c), std::get<1>(c), s = value);
    const number x = value;
    tape t;
    const number ea = powers(x);
    CHECK(same(ga, ea));
    CHECK(gda == doctest::Approx(t.gradient(ea, x).item()));
    CHECK(same(gb, halved(x)));
    const auto [ec, ed] = bounded(x);
    CHECK(same(gc, ec));
    CHECK(same(gd, ed));
  }
}

TEST_CASE("AG-01, EAG-11: a branch is chosen at once; the other is not called; gradients go through the one that was") {
  int calls = 0;
  const auto chosen = [&calls](auto x) { return cond(x > 0_c, [&] { return ++calls, exp(x); }, [=] { return -x; }); };
  constexpr auto in_graph = cond(s > 0_c, [] { return exp(s); }, [] { return -s; });
  constexpr auto slope = gradient(in_graph, s);
  session graph(in_graph, slope);
  for (const float value : {-2.f, 0.5f}) {
    const auto [y, dy] = graph.run(in_graph, slope, s = value);
    const number x = value;
    calls = 0;
    tape t;
    const number e = chosen(x);
    CHECK(calls == (value > 0 ? 1 : 0));
    CHECK(y == doctest::Approx(e.item()));
    CHECK(dy == doctest::Approx(t.gradient(e, x).item()));
  }
  const eager::variable flag(tensor<bool, 0>(true));
  const auto [a, b] = cond(
      flag, [](auto p, auto q) { return std::tuple{p, q}; }, [](auto, auto q) { return std::tuple{0_c, q + 1_c}; }, number(3),
      row{1, 2});
  CHECK(a.item() == 3);
  CHECK(b(1) == 2);
  // Decided by the compiler.
  const row t = {1, 2};
  CHECK(cond(literal<true>, [&] { return t * 2_c; }, [&] { return t; })(1) == 4);
}

TEST_CASE("AG-01, EAG-11: a case for each number, the last for all that are out of range") {
  const number x = 1.5f;
  const float expected[] = {1.5f, 3, -1.5f};
  for (const int k : {0, 1, 2, 3, 100, -1})
    CHECK(switch_case(
              tensor<int, 0>(k), [&] { return x; }, [&] { return 2_c * x; }, [&] { return -x; })
              .item() == expected[k >= 0 && k < 3 ? k : 2]);
}

TEST_CASE("EAG-11: blocks without variables of their own are repeated, and loops stand in loops") {
  const auto blocks = [](auto x) { return repeat<3, "block">([](auto, auto h) { return h + tanh(h); }, x); };
  constexpr auto graph = blocks(v);
  session run(graph);
  const auto wanted = run.run(graph, v = {0.5f, -1, 2});
  const row got = blocks(row{0.5f, -1, 2});
  for (int i = 0; i < 3; ++i) CHECK(wanted(static_cast<std::size_t>(i)) == doctest::Approx(got(i)));

  const auto nested = [](auto xs) {
    return scan(
        [](auto state, auto x) {
          return cond(
              x > 0_c, [=] { return for_range<3>([=](auto, auto inner) { return inner + x; }, state); },
              [=] { return state * 2_c; });
        },
        1.0_c, xs);
  };
  constexpr auto in_graph = nested(v);
  constexpr auto slope = gradient(in_graph, v);
  session other(in_graph, slope);
  const auto [y, dy] = other.run(in_graph, slope, v = {0.5f, -1, 2});
  const row xs = {0.5f, -1, 2};
  tape t;
  const number e = nested(xs);
  const row de = t.gradient(e, xs);
  CHECK(y == e.item());
  for (int i = 0; i < 3; ++i) CHECK(dy(static_cast<std::size_t>(i)) == doctest::Approx(de(i)));
}

TEST_CASE("EAG-07, EAG-11: extents that do not fit are thrown by the loop") {
  const auto sum_of_three = [](auto state, auto x, auto y) { return state + x + y; };
  CHECK(message_of([&] { scan(sum_of_three, number(0), row{1, 2}, row{1, 2, 3}); }) ==
        "scan: sequences that are scanned together have one length: 2 and 3");
  CHECK(message_of([&] { scan([](auto state, auto x) { return concat(axis<0>, state, x); }, row{1}, table{{1}, {2}}); }) ==
        "scan: a loop's state keeps its shape: (1) becomes (2)");
  CHECK(message_of([&] { scan([](auto state, auto x) { return std::pair{state, x}; }, number(1), table()); }) ==
        "scan: no step is made, so that the shape of its outputs is not known");
  const tensor<float> unknown = table{{1, 2}, {3, 4}};
  CHECK(scan([](auto state, auto x) { return state + x; }, tensor<float>(row{0, 0}), unknown).size() == 2);
}

TEST_CASE("EAG-07, EAG-11: outputs of a rank that is known at run time have at most one axis less than there may be") {
  const auto give = [](const auto& output) { return [&output](auto state, auto x) { return std::tuple{state + x, output}; }; };
  const tensor<float> most = broadcast_to(number(1), shape<1, 1, 1, 1, 1, 1, 1, 2>{});
  CHECK(message_of([&] { scan(give(most), number(0), row{1, 2}); }) ==
        "scan: an output of 8 axes has no room for that of the steps, there may be at most 8");
  const tensor<float> fewer = broadcast_to(number(1), shape<1, 1, 1, 1, 1, 1, 2>{});
  const auto [state, outputs] = scan(give(fewer), number(0), row{1, 2});
  CHECK(state.item() == 3);
  CHECK(outputs.shape() == std::vector<std::int64_t>{2, 1, 1, 1, 1, 1, 1, 2});
}

TEST_CASE("EAG-07, EAG-11: a sequence of a rank that is known at run time is no scalar") {
  const tensor<float> scalar = number(3), some = row{1, 2};
  const auto total = [](auto state, auto... x) { return (state + ... + x); };
  CHECK(message_of([&] { scan(total, tensor<float>(number(0)), scalar); }) ==
        "scan: sequence 0 is a scalar, which has no axis along which it is scanned");
  CHECK(message_of([&] { scan(total, tensor<float>(number(0)), some, scalar); }) ==
        "scan: sequence 1 is a scalar, which has no axis along which it is scanned");
  CHECK(scan(total, tensor<float>(number(0)), some).item() == 3);
}

}  // namespace etch
