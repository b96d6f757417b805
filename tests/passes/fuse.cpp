// SPDX-License-Identifier: MIT
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <etch/backend/cpu/target.hpp>
#include <etch/backend/gpu/target.hpp>

#include "graph/sketch.hpp"
#include "passes/plan_interpreter.hpp"

/// Which nodes share a kernel.
namespace etch {
namespace {

using namespace etch::literals;

const char* name_of_kind(cluster_kind k) {
  switch (k) {
    case cluster_kind::map: return "map";
    case cluster_kind::sweep: return "sweep";
    case cluster_kind::scan: return "scan";
    case cluster_kind::contraction: return "contraction";
    case cluster_kind::opaque: return "opaque";
    case cluster_kind::copy: return "copy";
    case cluster_kind::call: return "call";
  }
  return "";
}

/// One line per cluster, in the order in which they were started: its kind and the ops of its nodes.
std::string clusters_of(const graph& tidied, const target_description& target = cpu::target::description) {
  graph g = tidied;
  const fusion f = fuse(g, target);
  std::string text;
  for (int c = 0; c < f.clusters.size(); ++c) {
    if (!f.alive(c)) continue;
    text += name_of_kind(f.clusters[c].kind);
    for (int n = 0; n < g.size(); ++n)
      if (f[n].cluster == c) text += std::string(" ") + g[n].op->name;
    text += "\n";
  }
  return text;
}
std::string clusters_of(const sketch& s) { return clusters_of(interpreter::prepared(s.g)); }

/// Whether the clusters can run one after another.
bool has_cycle(const graph& tidied) {
  graph g = tidied;
  const fusion f = fuse(g, cpu::target::description);
  const auto count = static_cast<std::size_t>(f.clusters.size());
  std::vector<std::vector<int>> needs(count);
  for (int n = 0; n < g.size(); ++n)
    for (int k = 0; k < g[n].count && f[n].cluster >= 0; ++k) {
      const int h = f[g.operand(n, k)].home;
      if (h >= 0 && h != f[n].cluster) needs[static_cast<std::size_t>(f[n].cluster)].push_back(h);
    }
  std::vector<char> done(count, 0);
  for (std::size_t round = 0; round < count; ++round)
    for (std::size_t c = 0; c < count; ++c) {
      bool ready = true;
      for (int h : needs[c]) ready = ready && done[static_cast<std::size_t>(h)] != 0;
      if (ready) done[c] = 1;
    }
  for (char d : done)
    if (d == 0) return true;
  return false;
}

TEST_CASE("OPTG-08: a chain of elementwise ops is one kernel") {
  sketch s;
  const ref x = s.placeholder("x", {4, 5}), b = s.placeholder("b", {5});
  s.fetch({tanh(exp(x + b) * 2_c) - x});
  CHECK(clusters_of(s) == "map add exp multiply tanh subtract\n");
}

TEST_CASE("OPTG-08: softmax is one kernel") {
  sketch s;
  s.fetch({softmax(s.placeholder("x", {4, 5}))});
  CHECK(clusters_of(s) == "sweep max subtract exp sum divide multiply\n");
}

TEST_CASE("OPTG-08: softmax of what is computed is one kernel with it") {
  sketch s;
  s.fetch({softmax(s.placeholder("x", {4, 5}) * s.placeholder("scale", {5}))});
  CHECK(clusters_of(s) == "sweep multiply max subtract exp sum divide multiply\n");
}

TEST_CASE("OPTG-08: layer norm is one kernel") {
  sketch s;
  const ref x = s.placeholder("x", {4, 5}), scale = s.placeholder("scale", {5}), offset = s.placeholder("offset", {5});
  const ref centred = x - sum(x, axis<1>, keep_dims) * 0.2_c;
  const ref spread = sum(centred * centred, axis<1>, keep_dims) * 0.2_c;
  s.fetch({centred * rsqrt(spread + 1e-5_c) * scale + offset});
  CHECK(clusters_of(s) == "sweep sum multiply subtract multiply sum multiply add rsqrt multiply multiply add\n");
}

TEST_CASE("OPTG-08: bias and activation go into the product's kernel") {
  sketch s;
  const ref x = s.placeholder("x", {8, 4}), w = s.placeholder("w", {4, 6}), b = s.placeholder("b", {6});
  s.fetch({relu(matmul(x, w) + b)});
  CHECK(clusters_of(s) == "contraction matmul add maximum\n");
}

TEST_CASE("OPTG-08: a product's operands are computed before it") {
  sketch s;
  const ref x = s.placeholder("x", {8, 4}), w = s.placeholder("w", {4, 6});
  s.fetch({tanh(matmul(exp(x), w))});
  CHECK(clusters_of(s) == "map exp\ncontraction matmul tanh\n");
}

TEST_CASE("OPTG-08: the state of an optimizer is updated by one kernel") {
  sketch s;
  const ref w = s.variable("w", {6}), m = s.variable("m", {6}), v = s.variable("v", {6}), g = s.placeholder("g", {6});
  const ref next_m = m * 0.9_c + g * 0.1_c;
  const ref next_v = v * 0.999_c + g * g * 0.001_c;
  s.fetch({s.group({s.assign(m, next_m), s.assign(v, next_v), s.assign(w, w - 0.01_c * next_m / (sqrt(next_v) + 1e-8_c))})});
  const std::string text = clusters_of(s);
  CHECK(text.find('\n') == text.size() - 1);
  CHECK(text.substr(0, 4) == "map ");
  const plan p = interpreter::plan_of(s.g, {hash_of("g")});
  CHECK(p.steps.size() == 1);
  int arena = 0;
  for (int b = 0; b < p.buffers.size(); ++b) arena += p.buffers[b].kind == storage::arena ? 1 : 0;
  CHECK(arena == 0);  // each value goes straight into its variable
}

TEST_CASE("OPTG-08: a reduction over rows and one over columns are two kernels") {
  sketch s;
  const ref x = s.placeholder("x", {4, 5});
  const ref y = exp(x);
  s.fetch({sum(y, axis<0>), sum(y, axis<1>)});
  const std::string text = clusters_of(s);
  CHECK(text.find("sweep exp sum\n") != std::string::npos);
  CHECK(text.find("sweep sum\n") != std::string::npos);
}

TEST_CASE("OPTG-08: elementwise ops around a reduction of another kernel make no cycle") {
  // y = exp(x), r = the sum of y's columns through a product, z = y + r: y and z share x and y, and r lies between them.
  sketch s;
  const ref x = s.placeholder("x", {4, 4});
  const ref y = exp(x);
  const ref r = matmul(y, x);
  s.fetch({y + r, y * x});
  CHECK_FALSE(has_cycle(interpreter::prepared(s.g)));
  CHECK(clusters_of(s) == "map exp multiply\ncontraction matmul add\n");
}

TEST_CASE("OPTG-08: a diamond through a reduction to a scalar") {
  sketch s;
  const ref x = s.placeholder("x", {4, 5});
  const ref y = exp(x);
  const ref total = sum(y);  // all axes: every element is needed before the first can be divided
  const ref z = y / total;
  s.fetch({z * x});
  CHECK_FALSE(has_cycle(interpreter::prepared(s.g)));
  CHECK(clusters_of(s) == "sweep exp sum divide multiply\n");
}

TEST_CASE("OPTG-08: two maps that would wait for each other are not merged") {
  sketch s;
  const ref x = s.placeholder("x", {3, 3}), w = s.placeholder("w", {3, 3});
  const ref a = exp(x);
  const ref b = emit<struct cumsum>(words(0, 0), a);
  const ref c = sin(b);
  const ref d = emit<struct cumsum>(words(1, 0), c * w);
  s.fetch({a + c, a + d, c + d});
  CHECK_FALSE(has_cycle(interpreter::prepared(s.g)));
  const plan p = interpreter::plan_of(s.g, {hash_of("x"), hash_of("w")});
  CHECK(interpreter::fault_of(p, std::vector<std::int64_t>(8, 0)) == "");
}

TEST_CASE("OPTG-08: scans of one axis and direction are one kernel with maps on both sides, others and reductions are not") {
  constexpr std::int64_t forwards = 0, backwards = scan_backwards;
  const auto scan = [](ref x, std::int64_t axis, std::int64_t options) { return emit<struct cumsum>(words(axis, options), x); };
  sketch s;
  const ref x = s.placeholder("x", {4, 6}), w = s.placeholder("w", {4, 6}), row = s.placeholder("row", {6});
  const ref inner = scan(exp(x), 1, forwards), wave = sin(inner), outer = scan(inner * row, 1, scan_exclusive);
  s.fetch({wave + outer, emit<struct linear_recurrence>(words(1, 0), tanh(inner), w)});
  CHECK(clusters_of(s) == "scan exp cumsum sin multiply cumsum add tanh linear_recurrence\n");
  sketch t;
  const ref y = t.placeholder("y", {4, 6});
  const ref down = scan(y, 0, forwards), up = scan(y, 0, backwards);
  t.fetch({down + up, scan(exp(y), 1, forwards) * 2_c});
  CHECK(clusters_of(t) == "scan cumsum\nscan cumsum add\nscan exp cumsum multiply\n");
  sketch r;
  const ref z = r.placeholder("z", {4, 6}), most = emit<struct max>(words(2, 1), z);
  r.fetch({emit<struct sum>(words(2, 0), scan(z - most, 1, forwards))});
  CHECK(clusters_of(r) == "sweep max subtract\nscan cumsum\nsweep sum\n");
  sketch u;  // what the second needs of the first lies along another axis: the map between them goes with one of them
  const ref a = scan(u.placeholder("a", {4, 6}), 0, forwards);
  u.fetch({scan(sin(a), 1, forwards)});
  CHECK(clusters_of(u) == "scan cumsum sin\nscan cumsum\n");
}

TEST_CASE("OPTG-02: each draw is a kernel of its own") {
  sketch s;
  s.fetch({s.draw(1, {3}) + s.draw(1, {3})});
  CHECK(clusters_of(s) == "opaque random_uniform\nopaque random_uniform\nmap add\n");
}

TEST_CASE("OPTG-03: views cost no kernel; what cannot be one is copied") {
  sketch s;
  const ref x = s.placeholder("x", {4, 6});
  s.fetch({exp(transpose(x)) * 2_c, sin(slice(x, section<from_start, to_end, -1>))});
  CHECK(clusters_of(s) == "map exp multiply\nmap sin\n");
  sketch t;
  const ref y = t.placeholder("y", {4, 6});
  t.fetch({exp(t.reshape(transpose(y), {8, 3}))});
  CHECK(clusters_of(t) == "copy reshape\nmap exp\n");
}

TEST_CASE("OPTG-08: a kernel does not grow beyond the slots of a program") {
  // Every intermediate is fetched, so every node needs a store.
  sketch s;
  ref x = s.placeholder("x", {5});
  for (int i = 0; i < 60; ++i) {
    x = i % 2 == 0 ? sin(x) : x + 0.5_c;
    s.fetch({x});
  }
  const plan p = interpreter::plan_of(s.g, {hash_of("x")});
  for (int i = 0; i < p.steps.size(); ++i) {
    CHECK(p.steps[i].access_count <= cpu::target::description.limits.map_slots);
    CHECK(p.steps[i].word_count / 2 <= 256);
  }
  CHECK(interpreter::fault_of(p, std::vector<std::int64_t>(8, 0)) == "");
}

TEST_CASE("OPTG-08: a kernel that reads many operands does not grow beyond the slots of a program") {
  sketch s;
  std::vector<hash_t> fed;
  ref total = s.placeholder("x0", {5});
  for (int i = 1; i < 50; ++i) {
    total = total + s.placeholder("x" + std::to_string(i), {5});
    s.fetch({total});
  }
  for (int i = 0; i < 50; ++i) fed.push_back(hash_of(("x" + std::to_string(i)).c_str()));
  const plan p = interpreter::plan_of(s.g, fed);
  for (int i = 0; i < p.steps.size(); ++i) CHECK(p.steps[i].access_count <= cpu::target::description.limits.map_slots);
  CHECK(interpreter::fault_of(p, std::vector<std::int64_t>(8, 0)) == "");
}

TEST_CASE("OPTG-08: nodes of one dtype width share a kernel, cheap conversions join it") {
  sketch s;
  const ref x = s.placeholder("x", {8}, dtype::float64), i = s.placeholder("i", {8}, dtype::int32);
  s.fetch({exp(x) * i});
  CHECK(clusters_of(s).find("exp") != std::string::npos);
  CHECK_FALSE(has_cycle(interpreter::prepared(s.g)));
}

TEST_CASE("OPTG-08: the target says what a kernel holds, and whether it has vectors of one width") {
  sketch s;
  const ref x = s.placeholder("x", {8}, dtype::float64), y = s.placeholder("y", {8}, dtype::float32);
  const ref a = exp(x), b = emit<cast>(words(static_cast<int>(dtype::float64)), tanh(y));
  s.fetch({a + b});
  const graph g = interpreter::prepared(s.g);
  CHECK(clusters_of(g) == "map exp\nmap tanh\nmap cast add\n");
  CHECK(clusters_of(g, gpu::target::description) == "map exp tanh cast add\n");
  target_description narrow = gpu::target::description;
  narrow.limits.nodes = 2;
  CHECK(clusters_of(g, narrow) == "map exp add\nmap tanh cast\n");
}

TEST_CASE("OPTG-08: no cycle among the kernels of random graphs") {
  std::mt19937 engine(5);
  int clusters = 0, nodes = 0;
  for (int trial = 0; trial < 300; ++trial) {
    sketch s;
    std::vector<ref> square = {s.placeholder("x", {3, 3}), s.placeholder("w", {3, 3})};
    const auto any_of = [&] { return square[engine() % square.size()]; };
    const int count = 5 + static_cast<int>(engine() % 25);
    for (int i = 0; i < count; ++i) switch (engine() % 9) {
        case 0: square.push_back(exp(any_of())); break;
        case 1: square.push_back(any_of() + any_of()); break;
        case 2: square.push_back(any_of() * any_of()); break;
        case 3: square.push_back(any_of() - sum(any_of(), axis<1>, keep_dims)); break;
        case 4: square.push_back(any_of() - max(any_of(), axis<0>)); break;
        case 5: square.push_back(matmul(any_of(), any_of())); break;
        case 6: square.push_back(transpose(any_of())); break;
        case 7: square.push_back(emit<struct cumsum>(words(0, 0), any_of())); break;
        default: square.push_back(where(any_of() < any_of(), any_of(), any_of())); break;
      }
    for (int i = 0; i < 3; ++i) s.fetch({any_of()});
    s.fetch({square.back()});
    graph g = interpreter::prepared(s.g);
    REQUIRE_FALSE(has_cycle(g));
    const fusion f = fuse(g, cpu::target::description);
    for (int c = 0; c < f.clusters.size(); ++c) clusters += f.alive(c) ? 1 : 0;
    nodes += g.size();
  }
  MESSAGE(nodes, " nodes in ", clusters, " kernels");
  CHECK(clusters < nodes);
}

}  // namespace
}  // namespace etch
