// SPDX-License-Identifier: MIT
#include <initializer_list>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include <doctest/doctest.h>

#include <etch/graph/flatten.hpp>
#include <etch/graph/print.hpp>
#include <etch/graph/reachable.hpp>

#include "graph/doubled.hpp"
#include "graph/sketch.hpp"

/// Expressions to a graph: what is needed, once, in order, and nothing behind what is fed.
namespace etch {
namespace {

using namespace etch::literals;

constexpr placeholder<"x", float, 2, 3> x;
constexpr placeholder<"y", float, 3> y;

template <class... E>
graph flat(std::initializer_list<hash_t> fed, E...) {
  const record* const fetches[] = {detail::record_address<E::hash>...};
  return flatten(fetches, sizeof...(E), fed.begin(), static_cast<int>(fed.size()));
}

TEST_CASE("GRA-01: operands come first, and each node once") {
  constexpr auto h = exp(x);
  const graph g = flat({}, sum(h * y) + sum(h));
  CHECK(to_string(g) ==
        "%0 = placeholder \"x\" : float32[2, 3]\n"
        "%1 = exp %0 : float32[2, 3]\n"
        "%2 = sum axis=0,1 %1 : float32[]\n"
        "%3 = placeholder \"y\" : float32[3]\n"
        "%4 = multiply %1 %3 : float32[2, 3]\n"
        "%5 = sum axis=0,1 %4 : float32[]\n"
        "%6 = add %5 %2 : float32[]\n"
        "fetch %6\n");
  CHECK(is_ordered(g));
}

TEST_CASE("FEED-03: what the fetches do not need is not there") {
  constexpr auto unused = tanh(y);
  (void)unused;
  CHECK(to_string(flat({}, negative(x))) ==
        "%0 = placeholder \"x\" : float32[2, 3]\n"
        "%1 = negative %0 : float32[2, 3]\n"
        "fetch %1\n");
}

TEST_CASE("FEED-05: feeding a node that is no placeholder cuts the graph there") {
  constexpr auto a = add(2_c, 5_c);
  constexpr auto b = multiply(a, 3_c);
  CHECK(flat({}, b).size() == 5);
  const graph g = flat({decltype(a)::hash}, b);
  CHECK(to_string(g) ==
        "%0 = constant 3 : int32[]\n"
        "%1 = placeholder : int32[]\n"
        "%2 = multiply %1 %0 : int32[]\n"
        "fetch %2\n");
  CHECK(g[1].content == decltype(a)::hash);
}

TEST_CASE("FEED-05: a cut is one even where the node is reached by several ways") {
  constexpr auto h = exp(x * y);
  const graph g = flat({decltype(h)::hash}, h + sum(h), h * x);
  CHECK(count_of(g, info_of<struct exp>) == 0);
  CHECK(count_of(g, info_of<detail::placeholder_op>) == 2);
  // y is reached only through h.
  CHECK(to_string(g).find("\"y\"") == std::string::npos);
}

TEST_CASE("FEED-09: a fed node can be fetched") {
  constexpr auto h = exp(x);
  CHECK(to_string(flat({decltype(h)::hash}, h)) == "%0 = placeholder : float32[2, 3]\nfetch %0\n");
  CHECK(to_string(flat({decltype(x)::hash}, x)) == "%0 = placeholder \"x\" : float32[2, 3]\nfetch %0\n");
}

TEST_CASE("FEED-08: a feed that is not in the graph changes nothing") {
  CHECK(to_string(flat({decltype(tanh(y))::hash}, exp(x))) == to_string(flat({}, exp(x))));
}

TEST_CASE("GRA-01: fetches stand in the order in which they were asked for, repeated ones too") {
  const graph g = flat({}, exp(x), x, exp(x));
  CHECK(to_string(g).find("fetch %1 %0 %1\n") != std::string::npos);
  CHECK(g.size() == 2);
}

TEST_CASE("GRA-06: names are bound to the graph's own table") {
  constexpr placeholder<"images", float, any<"batch">, 4> images;
  constexpr placeholder<"labels", int, any<"batch">> labels;
  const graph g = flat({}, sum(images, axis<1>) + labels);
  CHECK(g.extents.symbol_count() == 1);
  CHECK(to_string(g).find("add %") != std::string::npos);
  CHECK(to_string(g).find("float32[batch]") != std::string::npos);
}

TEST_CASE("GRA-20: a node used twice at each of 200 levels is flattened in linear time") {
  const graph g = flat({}, doubled<200>(y));
  CHECK(g.size() == 201);
  CHECK(is_ordered(g));
}

TEST_CASE("VAR-06: reachable finds every node and variable") {
  constexpr auto v = variable<"v">(broadcast_to(0_c, shape<3>{}));
  constexpr auto w = variable<"w">(broadcast_to(1_c, shape<3>{}), not_trainable);
  constexpr auto e = group(assign(v, v + w));
  using root = detail::root_graph<decltype(e)::hash>;
  static_assert(root::size.variables == 2 && root::size.nodes == 5);
  static_assert(root::contains(decltype(w)::hash) && !root::contains(decltype(y)::hash));
  CHECK(root::value.variable_clash.first == nullptr);
}

TEST_CASE("index: the index finds what was put in, and only that") {
  std::mt19937_64 engine(7);
  hash_index index;
  std::unordered_map<hash_t, int> expected;
  CHECK(index.find(3) == -1);
  for (int i = 0; i < 3000; ++i) {
    // Equal low bits make long probe sequences.
    const hash_t h = (engine() << 20) | (engine() % 4);
    if (expected.emplace(h, i).second) index.insert(h, i);
  }
  index.insert(0, 123456);
  expected[0] = 123456;
  int wrong = 0;
  for (const auto& [h, i] : expected) wrong += index.find(h) == i ? 0 : 1;
  CHECK(wrong == 0);
  for (int i = 0; i < 1000; ++i) {
    const hash_t h = engine();
    if (expected.count(h) == 0) CHECK(index.find(h) == -1);
  }
}

TEST_CASE("index: of entries with one hash the first is found, however the index has grown") {
  // The upper halves of all hashes are at the end of a table of 16, so that entries go on at its front.
  hash_index index;
  for (int i = 0; i < 3000; ++i) {
    index.insert(hash_t{15} << 32 | 1, 2 * i);
    index.insert(hash_t{15} << 32 | static_cast<hash_t>(2 + i), 2 * i + 1);
    REQUIRE(index.find(hash_t{15} << 32 | 1) == 0);
  }
  std::mt19937_64 engine(11);
  for (int round = 0; round < 200; ++round) {
    hash_index other;
    std::unordered_map<hash_t, int> first;
    for (int i = 0; i < 100; ++i) {
      const hash_t h = (engine() % 20) << 32;
      first.emplace(h, i);
      other.insert(h, i);
    }
    int wrong = 0;
    for (const auto& [h, i] : first) wrong += other.find(h) == i ? 0 : 1;
    REQUIRE(wrong == 0);
  }
}

}  // namespace
}  // namespace etch
