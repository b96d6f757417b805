// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "graph/sketch.hpp"
#include "passes/plan_interpreter.hpp"

/// Plans of hand-written graphs: what is stored where, and in which order.
namespace etch {
namespace {

using namespace etch::literals;
using interpreter::environment;
using interpreter::tensor;

tensor counting(std::vector<std::int64_t> extents, double first = 1) {
  tensor t{extents, {}};
  for (std::int64_t i = 0; i < t.count(); ++i) t.data.push_back(first + 0.25 * static_cast<double>(i));
  return t;
}
int arena_buffers(const plan& p) {
  int n = 0;
  for (int b = 0; b < p.buffers.size(); ++b) n += p.buffers[b].kind == storage::arena ? 1 : 0;
  return n;
}
int shared_buffers(const plan& p) {
  int n = 0;
  for (int b = 0; b < p.buffers.size(); ++b) n += p.buffers[b].shares >= 0 ? 1 : 0;
  return n;
}
/// The plan, after it has been run and found equal to the graph.
plan checked_plan(const sketch& s, const environment& e) {
  std::vector<hash_t> fed;
  for (const auto& feed : e.feeds) fed.push_back(feed.first);
  const plan p = interpreter::plan_of(s.g, fed);
  const std::string fault = interpreter::fault_of(p, e.extents);
  CHECK_MESSAGE(fault == "", fault);
  if (fault.empty()) CHECK(interpreter::close(interpreter::plan_run(p, e).result(), interpreter::evaluate(s.g, e)));
  return p;
}
environment x_of(std::vector<std::int64_t> extents) {
  environment e;
  e.feeds[hash_of("x")] = counting(extents);
  return e;
}
/// By a kernel of its own.
ref sorted(ref x) { return emit<struct sort>(words(0, -1), x); }

TEST_CASE("OPTG-03: values inside of a kernel need no memory") {
  sketch s;
  const ref x = s.placeholder("x", {4, 5});
  s.fetch({softmax(tanh(x) * 2_c)});
  const plan p = checked_plan(s, x_of({4, 5}));
  CHECK(p.steps.size() == 1);
  CHECK(arena_buffers(p) == 0);
}

TEST_CASE("OPTG-03: a map writes over an operand that nothing reads later") {
  sketch s;
  const ref x = s.placeholder("x", {4, 5});
  s.fetch({sorted(exp(sorted(x)))});
  const plan p = checked_plan(s, x_of({4, 5}));
  CHECK(p.steps.size() == 3);
  CHECK(arena_buffers(p) == 2);
  CHECK(shared_buffers(p) == 1);
  CHECK(interpreter::arena(p, std::vector<std::int64_t>(8, 0)).bytes == (4 * 5 * 8 + 63) / 64 * 64);
}

TEST_CASE("OPTG-03: a map does not write over an operand that is read later") {
  sketch s;
  const ref x = s.placeholder("x", {4, 5});
  const ref a = sorted(x);
  const ref b = sorted(exp(a));
  s.fetch({matmul(b, transpose(a))});
  CHECK(shared_buffers(checked_plan(s, x_of({4, 5}))) == 0);
}

TEST_CASE("OPTG-03: a map does not write over an operand that it reads along other strides too") {
  sketch s;
  const ref a = sorted(s.placeholder("x", {4, 4}));
  s.fetch({sorted(a + transpose(a))});
  CHECK(shared_buffers(checked_plan(s, x_of({4, 4}))) == 0);
}

TEST_CASE("OPTG-03: a map does not write over an operand that broadcasts, or has another dtype") {
  sketch s;
  const ref a = sorted(s.placeholder("x", {4, 1}));
  s.fetch({sorted(s.broadcast(s.constant_of(0), {4, 4}) + a * a)});
  checked_plan(s, x_of({4, 1}));
  sketch t;
  const ref b = sorted(t.placeholder("x", {4, 4}));
  const ref above = b > 2_c;
  t.fetch({where(slice(above, section<from_start, to_end, -1>), 1_c, sorted(t.placeholder("x2", {4, 4})))});
  environment e = x_of({4, 4});
  e.feeds[hash_of("x2")] = counting({4, 4}, 3);
  checked_plan(t, e);
}

TEST_CASE("OPTG-03: an operand that a kernel names twice is not read again after it was overwritten") {
  // The whole of a, as itself and as a slice of it: two nodes, one place in memory.
  sketch s;
  const ref a = sorted(s.placeholder("x", {4}));
  const ref b = a * 2_c;
  s.fetch({sorted(b), slice(a, section<>) + b});
  checked_plan(s, x_of({4}));
}

TEST_CASE("OPTG-03: an operand is loaded before a result is stored over it") {
  // The first result needs x only, and may take the place of a, which the second result still has to load.
  sketch s;
  const ref x = s.placeholder("x", {4});
  const ref a = sorted(x);
  const ref b = x + 1_c;
  s.fetch({sorted(b), tanh(b * a)});
  checked_plan(s, x_of({4}));
}

TEST_CASE("FEED-03: a feed that no fetch needs has no buffer") {
  sketch s;
  s.placeholder("unused", {3});
  s.fetch({exp(s.placeholder("x", {2}))});
  const hash_t fed[] = {hash_of("unused"), hash_of("x")};
  const plan p = schedule(interpreter::prepared(s.g), cpu::target::description, fed, 2);
  REQUIRE(p.feeds.size() == 2);
  CHECK(p.feeds[0].buffer == -1);
  CHECK(p.feeds[1].buffer >= 0);
  CHECK(p.feeds[1].content == hash_of("x"));
}

TEST_CASE("SES-09: a value that is fetched and used is computed once, into the caller's memory") {
  sketch s;
  const ref y = exp(s.placeholder("x", {3, 3}));
  s.fetch({y, matmul(y, y)});
  const plan p = checked_plan(s, x_of({3, 3}));
  CHECK(p.steps.size() == 2);
  CHECK(arena_buffers(p) == 0);
}

TEST_CASE("GRA-06: a plan with named extents runs at any size") {
  sketch s;
  const extent_value n = s.g.extents.symbol(1, "n");
  const ref x = s.placeholder("x", {n, 3});
  const ref mean = sum(x, axis<0>) / emit<size_of>(words(1), x);
  s.fetch({sorted(exp(sorted(x))) - mean, matmul(transpose(x), x), slice(x, section<from_start, to_end, -1>)});
  for (std::int64_t size : {1, 2, 7}) {
    environment e = x_of({size, 3});
    e.extents[0] = size;
    checked_plan(s, e);
  }
}

TEST_CASE("OPTG-08: flops are those of the formula") {
  sketch s;
  const ref x = s.placeholder("x", {8, 4}), w = s.placeholder("w", {4, 6});
  s.fetch({matmul(x, w) + s.placeholder("b", {6})});
  const plan p = interpreter::plan_of(s.g, {hash_of("x"), hash_of("w"), hash_of("b")});
  CHECK(p.flops.evaluate(p.extents, nullptr) == 2 * 8 * 4 * 6 + 8 * 6);
  CHECK(p.intermediate_bytes.evaluate(p.extents, nullptr) == 2 * 8 * 6 * 8);
}

TEST_CASE("OPTG-08: flops of many different extents are complete") {
  sketch s;
  const extent_value a = s.g.extents.symbol(1, "a"), b = s.g.extents.symbol(2, "b"), c = s.g.extents.symbol(3, "c");
  const ref x = s.placeholder("x", {a, b}), y = s.placeholder("y", {b, c}), z = s.placeholder("z", {a, c});
  s.fetch({sum(-x), sum(-y), sum(-z), matmul(x, y), -s.placeholder("u", {a}), -s.placeholder("v", {b}), -s.placeholder("w", {c})});
  const plan p = interpreter::plan_of(s.g, {hash_of("x"), hash_of("y"), hash_of("z"), hash_of("u"), hash_of("v"), hash_of("w")});
  const std::int64_t counts[] = {3, 5, 7};
  CHECK(p.flops.evaluate(p.extents, counts) == 2 * (3 * 5 + 5 * 7 + 3 * 7) + 2 * 3 * 5 * 7 + 3 + 5 + 7);
}

constexpr int steps_in_a_constant_expression() {
  graph g;
  tensor_type t;
  t.type = dtype::float64;
  t.rank = 2;
  t.extents[0] = t.extents[1] = 3;
  const ref x = append_placeholder(g, t, nullptr, 7);
  g.fetches.push_back(sum(exp(matmul(x, x)) * 2_c).node);
  const graph tidied = tidy(g);
  const graph ready = materialise(tidied);
  const hash_t fed[] = {7};
  const plan p = schedule(ready, cpu::target::description, fed, 1);
  return p.steps.size();
}

TEST_CASE("GRA-02: all of it is done by the compiler") {
  static_assert(steps_in_a_constant_expression() == 2);
  CHECK(steps_in_a_constant_expression() == 2);
}

}  // namespace
}  // namespace etch
