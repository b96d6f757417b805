// SPDX-License-Identifier: MIT
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <etch/backend/cpu/target.hpp>
#include <etch/passes/verify.hpp>

#include "graph/sketch.hpp"
#include "passes/plan_interpreter.hpp"
#include "verify/order.hpp"
#include "verify/plan.hpp"

/// Graphs at each limit of kernels, programs and tables, and past it: at the edge the plan gives what the graph does, past it
/// there are more kernels, or a sentence says what does not fit. Nothing wraps.
namespace etch {
namespace {

using namespace etch::literals;
using interpreter::environment;

/// Limits that only programs' own bits and the tables' sizes bound.
constexpr target_description boundless = [] {
  target_description target = cpu::target::description;
  cluster_limits& limits = target.limits;
  limits.nodes = limits.reads = limits.slots = 1 << 20;
  limits.instructions = 1 << 30;
  return target;
}();
constexpr cluster_limits cpu_limits = cpu::target::description.limits;

/// Random values, the same ones for a name.
interpreter::tensor values_of(std::vector<std::int64_t> extents, unsigned seed = 1) {
  std::mt19937 generator(seed);
  interpreter::tensor t{extents, {}};
  for (std::int64_t i = 0; i < t.count(); ++i) t.data.push_back(static_cast<double>(generator() % 512) / 256.0 - 1);
  return t;
}

/// The plan for this target, sound.
plan planned(const sketch& s, const environment& e, const target_description& target) {
  graph g = interpreter::prepared(s.g);
  REQUIRE(!verify(g, graph_stage::materialise));
  fusion f = fuse(g, target);
  const sequence order = order_steps(g, f);
  REQUIRE(!verify(g, f, order));
  std::vector<hash_t> fed;
  for (const auto& feed : e.feeds) fed.push_back(feed.first);
  const plan p = make_plan(g, f, order, target, fed.data(), static_cast<int>(fed.size()));
  const plan_fault fault = verify(p, e.extents.data());
  REQUIRE_MESSAGE(!fault, sentence(fault.broken), " ", fault.at, " ", fault.part);
  return p;
}
/// The same, and it gives what the graph does.
plan checked(const sketch& s, const environment& e, const target_description& target = cpu::target::description) {
  const plan p = planned(s, e, target);
  CHECK(interpreter::close(interpreter::plan_run(p, e).result(), interpreter::evaluate(s.g, e)));
  return p;
}
std::string refusal(const sketch& s, const environment& e, const target_description& target) {
  try {
    planned(s, e, target);
  } catch (const char* text) {
    return text;
  }
  return "";
}
int instructions(const plan& p) { return p.steps[0].word_count / 2; }
int sections(const plan& p) {
  int most = 0;
  for (int k = 0; k < p.program_words.size(); k += 2) {
    const int section = decode_instruction(p.program_words[k], 0).section;
    if (section + 1 > most) most = section + 1;
  }
  return most;
}

/// tanh, so often.
struct chain : sketch {
  environment e;
  explicit chain(int length) {
    ref y = placeholder("x", {3});
    for (int i = 0; i < length; ++i) y = tanh(y);
    fetch({y});
    e.feeds[hash_of("x")] = values_of({3});
  }
};
/// Five chains that take turns, of so many nodes together: wherever it is cut, five values are needed behind the cut.
struct braid : sketch {
  environment e;
  explicit braid(int length) {
    const ref x = placeholder("x", {3});
    ref y[5];
    for (int i = 0; i < length; ++i) y[i % 5] = i == 0 ? tanh(x) : i < 5 ? y[0] + constant_of(0.25 * i) : tanh(y[i % 5]);
    for (const ref& r : y) fetch({r});
    e.feeds[hash_of("x")] = values_of({3});
  }
};
/// h - max(h) along rows of 70, so often: each round is one more sweep of the kernel.
struct centred : sketch {
  environment e;
  explicit centred(int rounds, std::int64_t rows = 3) {
    ref h = placeholder("x", {rows, 70});
    for (int i = 0; i < rounds; ++i) h = h - emit<struct max>(words(2, 1), h);
    fetch({h});
    e.feeds[hash_of("x")] = values_of({rows, 70});
  }
};
/// The sum of so many arrays.
struct total : sketch {
  environment e;
  explicit total(int arrays) {
    ref y = placeholder("x0", {4});
    e.feeds[hash_of("x0")] = values_of({4}, 0);
    for (int i = 1; i < arrays; ++i) {
      const std::string name = "x" + std::to_string(i);
      e.feeds[hash_of(name.c_str())] = values_of({4}, static_cast<unsigned>(i));
      y = y + placeholder(name, {4});
    }
    fetch({y});
  }
};

TEST_CASE("LIM-01: nodes per kernel") {
  for (int length : {39, 40, 41, 79, 80, 81, 200})
    CHECK(checked(chain(length), chain(length).e).steps.size() == (length + 39) / 40);
  for (int length : {40, 41, 191, 192, 193, 383}) {
    CAPTURE(length);
    CHECK((checked(braid(length), braid(length).e).steps.size() == 1) == (length <= 192));
  }
}

TEST_CASE("LIM-01: operands and results per kernel") {
  for (int arrays : {18, 19, 20, 21, 22, 23, 40, 41, 60, 100}) {
    const total s(arrays);
    const plan p = checked(s, s.e);
    CHECK(p.steps.size() == 1 + (arrays - 2) / (cpu_limits.reads - 1));
    for (int i = 0; i < p.steps.size(); ++i) CHECK(p.steps[i].access_count <= cpu_limits.reads + 3);
  }
  // Results: each link of the chain is fetched, so each is a store.
  for (int fetches : {29, 30, 31, 32, 33, 61, 62, 63, 64, 65, 124, 125}) {
    sketch s;
    ref y = s.placeholder("x", {4});
    for (int i = 0; i < fetches; ++i) s.fetch({y = tanh(y)});
    environment e;
    e.feeds[hash_of("x")] = values_of({4});
    const plan p = checked(s, e);
    CAPTURE(fetches);
    CHECK(p.steps.size() == 1 + (fetches - 1) / 62);
    for (int i = 0; i < p.steps.size(); ++i) CHECK(p.steps[i].access_count <= cpu_limits.map_slots);
  }
  // Of rows.
  for (int fetches : {29, 30, 31, 32, 33, 40}) {
    sketch s;
    ref y = emit<struct sum>(words(2, 1), s.placeholder("x", {3, 70}));
    for (int i = 0; i < fetches; ++i) s.fetch({y = tanh(y)});
    environment e;
    e.feeds[hash_of("x")] = values_of({3, 70});
    const plan p = checked(s, e);
    CHECK((p.steps.size() > 1) == (fetches > 30));
    CHECK(p.steps[0].access_count <= cpu_limits.slots);
  }
}

TEST_CASE("LIM-01: an operand that is read again is one") {
  // Each round reads both arrays: 2 operands, whatever the number of rounds.
  for (int rounds : {9, 10, 12, 13}) {
    sketch s;
    const ref a = s.placeholder("a", {4}), b = s.placeholder("b", {4});
    ref y = tanh(a);
    for (int i = 0; i < rounds; ++i) y = sin(y * a) - b;
    s.fetch({y});
    environment e;
    e.feeds[hash_of("a")] = values_of({4}, 1);
    e.feeds[hash_of("b")] = values_of({4}, 2);
    const plan p = checked(s, e);
    CHECK(p.steps.size() == 1);
    CHECK(p.steps[0].access_count == 3);
  }
}

TEST_CASE("LIM-01: nodes times sweeps per kernel") {
  for (int rounds : {1, 7, 8, 9, 14, 15, 40, 100}) {
    CAPTURE(rounds);
    const centred s(rounds);
    const plan p = checked(s, s.e);
    CHECK((rounds > 8) == (p.steps.size() > 1));
  }
}

TEST_CASE("LIM-02: sections per program") {
  // Round r ends in section 2r, of 64.
  const int last = max_sections / 2 - 1;
  for (int rounds : {14, last - 1, last}) {
    const centred s(rounds);
    const plan p = checked(s, s.e, boundless);
    CHECK(p.steps.size() == 1);
    CHECK(sections(p) == 2 * rounds + 1);
  }
  const centred s(last + 1);
  CHECK(refusal(s, s.e, boundless) == "etch: a kernel has more sweeps than its program can number");
  const centred more(2 * max_sections);
  CHECK(refusal(more, more.e, boundless) == "etch: a kernel has more sweeps than its program can number");
  // A sum per row in the very last section.
  sketch row;
  ref h = row.placeholder("x", {3, 70});
  for (int i = 0; i < last; ++i) h = h - emit<struct max>(words(2, 1), h);
  row.fetch({tanh(emit<struct sum>(words(2, 0), h))});
  const plan p = checked(row, s.e, boundless);
  CHECK(p.steps.size() == 1);
  CHECK(sections(p) == max_sections);
}

TEST_CASE("LIM-02: instructions and registers per program") {
  // A load, the ops, a store: the last register is the last that 14 bits number.
  for (int length : {1000, max_instructions - 3, max_instructions - 2}) {
    const chain s(length);
    const plan p = checked(s, s.e, boundless);
    CHECK(p.steps.size() == 1);
    CHECK(instructions(p) == length + 2);
  }
  const chain s(max_instructions - 1);
  CHECK(refusal(s, s.e, boundless) == "etch: a kernel has more instructions or operands than its program can number");
  const chain more(max_instructions + 5000);
  CHECK(refusal(more, more.e, boundless) == "etch: a kernel has more instructions or operands than its program can number");
  CHECK(checked(more, more.e).steps.size() == (max_instructions + 5000 + 39) / 40);
}

/// So many placeholders joined, twice the first.
void join(sketch& s, environment& e, int count) {
  std::vector<int> in;
  for (int i = 0; i < count; ++i) {
    const std::string name = "x" + std::to_string(i);
    in.push_back(s.placeholder(name, {1}).node);
    e.feeds[hash_of(name.c_str())] = {{1}, {static_cast<double>(i)}};
  }
  s.fetch({ref{&s.g, s.g.push(info_of<struct concat>, words(0), type_of(dtype::float64, {count}), in.data(), count)}});
}

TEST_CASE("LIM-02: accesses per step") {
  sketch s, past;
  environment e, past_e;
  join(s, e, max_slots - 1);
  const plan p = planned(s, e, cpu::target::description);
  CHECK(p.steps[0].access_count == max_slots);
  const interpreter::tensor r = interpreter::plan_run(p, e).result().fetches[0];
  for (int i = 0; i < max_slots - 1; ++i) REQUIRE(r.data[static_cast<std::size_t>(i)] == i);
  join(past, past_e, max_slots);
  CHECK(refusal(past, past_e, cpu::target::description) ==
        "etch: a kernel has more instructions or operands than its program can number");
}

TEST_CASE("LIM-02: operands of a call on nodes") {
  sketch s;
  const ref x = s.placeholder("x", {2});
  ref in[detail::max_ref_operands + 1];
  for (ref& r : in) r = x;
  const ref joined = append(info_of<struct concat>, words(0), in, detail::max_ref_operands);
  CHECK(joined.type().extents[0] == 2 * detail::max_ref_operands);
  s.fetch({tanh(joined)});
  environment e;
  e.feeds[hash_of("x")] = values_of({2});
  checked(s, e);
  CHECK_THROWS_AS(append(info_of<struct concat>, words(0), in, detail::max_ref_operands + 1), const char*);
  CHECK_THROWS_AS(append(info_of<struct concat>, words(0), joined.type(), in, detail::max_ref_operands + 1), const char*);
}

TEST_CASE("LIM-03: eight axes, in every kind of step") {
  const auto run = [](auto make) {
    sketch s;
    const ref x = s.placeholder("x", {2, 3, 2, 1, 2, 2, 3, 2});
    s.fetch({make(s, x)});
    environment e;
    e.feeds[hash_of("x")] = values_of({2, 3, 2, 1, 2, 2, 3, 2});
    checked(s, e, boundless);
    checked(s, e);
  };
  const words backwards(7, 6, 5, 4, 3, 2, 1, 0), mixed(3, 1, 7, 0, 2, 6, 5, 4);
  run([&](sketch&, ref x) { return tanh(emit<struct transpose>(mixed, x)); });
  run([&](sketch& s, ref x) { return s.broadcast(tanh(x), {2, 3, 2, 4, 2, 2, 3, 2}) + x; });
  for (int mask : {0x55, 0xaa, 0x81, 0x7f, 0xfe, 0xff, 0x08})
    for (int keep : {0, 1})
      run([&](sketch&, ref x) { return tanh(emit<struct sum>(words(mask, keep), emit<struct transpose>(backwards, tanh(x)))); });
  run([&](sketch&, ref x) { return x - emit<struct max>(words(0x55, 1), x); });
  run([&](sketch&, ref x) { return matmul(x, matrix_transpose(x)); });
  run([&](sketch&, ref x) { return emit<struct cumsum>(words(4, 1), emit<struct transpose>(mixed, x)); });
  words every;  // three words for each of the axes: as many as there may be
  for (int i = 0; i < max_rank; ++i) {
    every.push_back(-1);
    every.push_back(to_end);
    every.push_back(-1);
  }
  CHECK(every.count == words::capacity);
  run([&](sketch&, ref x) { return emit<struct slice>(every, tanh(x)); });
  run([&](sketch&, ref x) { return emit<struct concat>(words(7), x, emit<struct slice>(every, x)); });
}

TEST_CASE("LIM-04: names of extents, and what is made of them") {
  // Eight names, one per axis; a ninth is unknown, and so the table is exhausted, which a session refuses.
  const auto make = [](sketch& s, int names, std::vector<std::int64_t>& counts) {
    tensor_type t = type_of(dtype::float64, {});
    for (int i = 0; i < names && i < max_rank; ++i) {
      t.extents[t.rank++] = s.g.extents.symbol(static_cast<hash_t>(i + 1), "n");
      counts.push_back(1 + i % 3);
    }
    const ref x = s.placeholder("x", t);
    s.fetch({x - emit<struct max>(words(0x2a, 1), x)});
  };
  sketch s;
  environment e;
  e.extents.clear();
  std::vector<std::int64_t> counts;
  make(s, extent_table::max_symbols, counts);
  for (std::int64_t c : counts) e.extents.push_back(c);
  e.feeds[hash_of("x")] = values_of(counts);
  CHECK_FALSE(checked(s, e).extents.exhausted());
  CHECK(s.g.extents.symbol(9, "ninth") == unknown_extent);
  CHECK(s.g.extents.exhausted());

  // Terms of one sum: four, and no fifth.
  extent_table table;
  extent_value sum = 1;
  for (int i = 1; i < polynomial::max_terms; ++i) sum = table.sum(sum, table.symbol(static_cast<hash_t>(i), "n"));
  CHECK(table.evaluate(sum, std::vector<std::int64_t>{10, 100, 1000, 0, 0, 0, 0, 0}.data()) == 1111);
  CHECK_FALSE(table.exhausted());
  CHECK(table.sum(sum, table.symbol(7, "m")) == unknown_extent);
  CHECK(table.exhausted());

  // 48 sums and products; the 49th is unknown.
  extent_table full;
  const extent_value n = full.symbol(1, "n");
  for (int i = 1; i < extent_table::max_polynomials; ++i)
    REQUIRE(full.evaluate(full.sum(n, i), std::vector<std::int64_t>(8, 5).data()) == 5 + i);
  CHECK_FALSE(full.exhausted());
  CHECK(full.sum(n, extent_table::max_polynomials) == unknown_extent);
  CHECK(full.exhausted());
}

TEST_CASE("LIM-05: orders of more kernels than a question visits") {
  // Two long chains of kernels that meet: whether they may merge is asked across more vertices than are visited.
  sketch s;
  const ref x = s.placeholder("x", {3, 2});
  ref a = x, b = x;
  for (int i = 0; i < partial_order::most_visits + 40; ++i) {
    a = tanh(emit<struct cumsum>(words(i % 2, 0), a));
    b = sin(emit<struct cumsum>(words(1 - i % 2, 0), i % 7 == 0 ? tanh(a + b) : b));
  }
  s.fetch({a + b, a * b});
  environment e;
  e.feeds[hash_of("x")] = values_of({3, 2});
  CHECK(checked(s, e).steps.size() > 2 * partial_order::most_visits);
}

}  // namespace
}  // namespace etch
