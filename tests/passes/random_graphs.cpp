// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <etch/backend/cpu/target.hpp>
#include <etch/backend/gpu/target.hpp>
#include <etch/passes/verify.hpp>
#include <etch/passes/verify_memory.hpp>

#include "graph/sketch.hpp"
#include "passes/plan_interpreter.hpp"
#include "verify/order.hpp"
#include "verify/plan.hpp"
#include "verify/graph_sentences.hpp"

/// Random graphs: whatever the passes make of them computes what they compute, and every plan is sound. A failure prints
/// the seed and the graph.
namespace etch {
namespace {

using namespace etch::literals;
using interpreter::environment;

/// How a graph grows: to how many nodes, counted when they are made, and of which kinds.
struct growth {
  int least = 4, most = 40;
  bool effects = false;
  /// Elementwise ops and sums along rows of one shape: what becomes large kernels.
  bool one_shape = false;
};

/// Grows a graph node by node. Numbers stay of moderate size, for every op is bounded or its result is made so.
class generator {
 public:
  generator(unsigned seed, const growth& how) : engine_(seed), how_(how), effects_(how.effects) {
    if (pick(3) == 0) {
      named_ = s.g.extents.symbol(1, "n");
      e.extents[0] = 1 + pick(4);
    }
    const int slots = 2 + pick(3);
    for (int i = 0; i < slots; ++i) add_slot(i);
    const int count = how.least + pick(how.most - how.least + 1);
    // Fewer where the extents that are made of a name become many: a graph has room for a number of them.
    while (s.g.size() < count && s.g.extents.polynomial_count() < extent_table::max_polynomials / 3)
      how.one_shape ? add_alike() : add_node();
    if (effects_) add_effects();
    const int fetches = 1 + pick(4);
    for (int i = 0; i < fetches; ++i) s.fetch({any()});
    s.fetch({nodes_.back(), nodes_[nodes_.size() - 1 - static_cast<std::size_t>(pick(2))]});
    if (step_ >= 0) s.g.fetches.push_back(step_);
  }

  sketch s;
  environment e;

 private:
  int pick(int below) { return static_cast<int>(engine_() % static_cast<unsigned>(below)); }
  double number() { return std::uniform_real_distribution<double>(-2, 2)(engine_); }
  extent_value extent() {
    const int k = pick(6);
    return k == 0 ? 1 : k == 1 && named_ != 0 ? named_ : 2 + pick(3);
  }
  ref any() { return nodes_[static_cast<std::size_t>(pick(static_cast<int>(nodes_.size())))]; }
  /// Large values grow no further.
  void keep(ref r) {
    std::int64_t elements = 1;
    for (int i = 0; i < r.type().rank; ++i) elements *= s.g.extents.evaluate(r.type().extents[i], e.extents.data());
    if (r.type().type == dtype::float64 && elements <= 2000) nodes_.push_back(r);
  }

  interpreter::tensor filled(const tensor_type& t) {
    interpreter::tensor x;
    for (int i = 0; i < t.rank; ++i) x.extents.push_back(s.g.extents.evaluate(t.extents[i], e.extents.data()));
    for (std::int64_t i = 0; i < x.count(); ++i) x.data.push_back(number());
    return x;
  }
  void add_slot(int i) {
    tensor_type t;
    t.type = dtype::float64;
    t.rank = how_.one_shape ? 2 : pick(4);
    for (int k = 0; k < t.rank; ++k) t.extents[k] = how_.one_shape ? 3 + 2 * k : extent();
    const std::string name = "x" + std::to_string(i);
    if (effects_ && i < 2) {
      for (int k = 0; k < t.rank; ++k)
        if (!is_static(t.extents[k])) t.extents[k] = 3;
      variables_.push_back(s.variable(name, t));
      e.variables[hash_of(name.c_str())] = filled(t);
      nodes_.push_back(variables_.back());
    } else {
      nodes_.push_back(s.placeholder(name, t));
      e.feeds[hash_of(name.c_str())] = filled(t);
    }
  }

  bool broadcasts(ref a, ref b) {
    inference context{s.g.extents};
    rules::broadcast(context, a.type(), b.type());
    return context.failure == reason::none;
  }
  /// A node that broadcasts with r; r itself where none is found.
  ref beside(ref r) {
    for (int tries = 0; tries < 6; ++tries) {
      const ref b = any();
      if (broadcasts(r, b)) return b;
    }
    return r;
  }

  void add_node() {
    const ref x = any();
    switch (pick(18)) {
      case 0: return keep(tanh(x));
      case 1: return keep(sin(x));
      case 2: return keep(-x);
      case 3: return keep(sigmoid(x) * s.constant_of(pick(3)));
      case 4: return keep((x + beside(x)) * s.constant_of(0.5));
      case 5: return keep(tanh(x * beside(x)));
      case 6: return keep(x - tanh(beside(x)));
      case 7: return keep(maximum(x, beside(x)));
      case 8: {
        const ref b = beside(x);
        return keep(where(x < b, x, b));
      }
      case 9: return keep(pow(sigmoid(x), s.constant_of(pick(4) - 1)));
      case 10: return keep(reduced(x));
      case 11: return keep(broadcast(x));
      case 12: return keep(reshaped(x));
      case 13: return keep(permuted(x));
      case 14: return keep(sliced(x));
      case 15: return keep(product(x));
      case 16: return keep(opaque(x));
      default: {
        // A row-wise normalisation: several reductions over the same axes.
        if (x.type().rank == 0) return;
        const words last(std::int64_t{1} << (x.type().rank - 1), 1);
        const ref shifted = exp(tanh(x) - emit<struct max>(last, tanh(x)));
        return keep(shifted / emit<struct sum>(last, shifted));
      }
    }
  }
  /// One of the last nodes mostly, so that many are needed; all but sums along rows have the shape of the first.
  void add_alike() {
    const int size = static_cast<int>(nodes_.size());
    const auto recent = [&] {
      return nodes_[static_cast<std::size_t>(size - 1 - pick(pick(4) == 0 ? size : size < 6 ? size : 6))];
    };
    const ref x = recent(), y = recent();
    switch (pick(9)) {
      case 0: return keep(tanh(x));
      case 1: return keep(sin(x + y));
      case 2: return keep(-x);
      case 3: return keep(x * y);
      case 4: return keep((x - y) * s.constant_of(0.5));
      case 5: return keep(maximum(x, y));
      case 6: return keep(where(x < y, y, sigmoid(x)));
      case 7: return keep((x + nodes_[static_cast<std::size_t>(pick(2))]) * s.constant_of(0.5));
      default: {
        const words last(2, 1);
        if (x.type().rank < 2 || !x.type().same_shape(nodes_[0].type())) return;
        return keep(pick(2) == 0 ? emit<struct max>(last, x) : tanh(emit<struct sum>(last, x)));
      }
    }
  }
  ref reduced(ref x) {
    const std::int64_t mask = x.type().rank == 0 ? 0 : pick(1 << x.type().rank);
    const words w(mask, pick(2));
    switch (pick(4)) {
      case 0: return emit<struct max>(w, x);
      case 1: return emit<struct min>(w, x);
      case 2: return tanh(emit<struct prod>(w, x));
      default: return tanh(emit<struct sum>(w, x));
    }
  }
  ref broadcast(ref x) {
    tensor_type t = x.type();
    for (int i = 0; i < t.rank; ++i)
      if (t.extents[i] == 1 && pick(2) == 0) t.extents[i] = extent();
    if (t.rank < 4 && pick(2) == 0) {
      for (int i = t.rank++; i > 0; --i) t.extents[i] = t.extents[i - 1];
      t.extents[0] = extent();
    }
    return broadcast_to.to(x, t);
  }
  ref reshaped(ref x) {
    tensor_type t = x.type();
    if (pick(2) == 0 && t.rank < 4) {  // a new axis of extent 1
      const int at = pick(t.rank + 1);
      for (int i = t.rank++; i > at; --i) t.extents[i] = t.extents[i - 1];
      t.extents[at] = 1;
    } else if (t.rank > 1) {  // two axes become one
      const int at = pick(t.rank - 1);
      t.extents[at] = s.g.extents.product(t.extents[at], t.extents[at + 1]);
      for (int i = at + 1; i + 1 < t.rank; ++i) t.extents[i] = t.extents[i + 1];
      --t.rank;
    }
    return reshape.to(x, t);
  }
  ref permuted(ref x) {
    words w;
    for (int i = 0; i < x.type().rank; ++i) w.push_back(i);
    for (int i = x.type().rank; i-- > 1;) std::swap(w.at[i], w.at[pick(i + 1)]);
    return emit<struct transpose>(w, x);
  }
  ref sliced(ref x) {
    words w;
    for (int i = 0; i < x.type().rank; ++i) {
      const extent_value n = x.type().extents[i];
      const bool whole = !is_static(n) || n < 2;
      const std::int64_t step = pick(3) == 0 ? -1 : 1;
      w.push_back(step < 0 ? -1 : whole ? 0 : pick(static_cast<int>(n)));
      w.push_back(to_end);
      w.push_back(whole || pick(4) != 0 ? step : 2 * step);
    }
    return emit<struct slice>(w, x);
  }
  /// As it is, or a value that nothing else needs.
  ref operand(ref x) {
    const int way = pick(3);
    return way == 0 ? x : way == 1 ? sin(x * s.constant_of(0.25 * (1 + pick(9)))) : (x - sin(x)) * s.constant_of(0.5);
  }
  ref product(ref x) {
    if (x.type().rank < 2) return x;
    for (int tries = 0; tries < 6; ++tries) {
      const ref y = any();
      if (y.type().rank < 2) continue;
      tensor_type a = x.type(), b = y.type();
      inference context{s.g.extents};
      const tensor_type in[] = {a, b};
      matmul.infer(context, in, 2, words());
      if (context.failure == reason::none) return tanh(matmul(operand(x), operand(y)));
    }
    return tanh(matmul(x, matrix_transpose(x)));
  }
  ref opaque(ref x) {
    if (x.type().rank == 0) return s.draw(static_cast<hash_t>(pick(3)), {2, 2});
    const int axis = pick(x.type().rank);
    switch (pick(6)) {
      case 4: return sum_of_parts(x, axis);
      case 0: return tanh(emit<struct cumsum>(words(axis, pick(4)), x));
      case 2: return with_margins(x);
      case 3: return joined(x, axis);
      case 1: {
        words w;
        for (int i = 0; i < x.type().rank; ++i) {
          w.push_back(pick(2));
          w.push_back(pick(2));
          w.push_back(1);
        }
        return emit<struct pad>(w, x);
      }
      default: return emit<struct concat>(words(axis), x, x);
    }
  }

  /// With another node, where one of its shape but for that axis is found.
  ref joined(ref x, int axis) {
    ref parts[3] = {x, x, x};
    int count = 1;
    for (int tries = 0; tries < 20 && count < 3; ++tries) {
      const ref y = any();
      tensor_type t = y.type();
      if (t.rank != x.type().rank) continue;
      t.extents[axis] = x.type().extents[axis];
      if (t == x.type()) parts[count++] = pick(2) == 0 ? y : sin(y);
    }
    return emit_of(words(axis), parts, pick(4) == 0 ? 1 : count < 2 ? 2 : count);
  }
  static ref emit_of(const words& w, const ref* parts, int count) { return append(info_of<struct concat>, w, parts, count); }
  /// As the gradient of what reads slices: each between zeros, all added up.
  ref sum_of_parts(ref x, int axis) {
    const extent_value n = x.type().extents[axis];
    if (!is_static(n)) return x;
    ref total{};
    for (int k = 2 + pick(3); k-- > 0;) {
      const std::int64_t begin = pick(static_cast<int>(n)), end = begin + 1 + pick(static_cast<int>(n - begin));
      words w;
      for (int i = 0; i < x.type().rank; ++i) {
        w.push_back(i == axis ? begin : 0);
        w.push_back(i == axis ? n - end : 0);
        w.push_back(1);
      }
      const ref part = emit<struct pad>(w, sin(part_of(x, axis, begin, end) * s.constant_of(k)));
      total = total.owner == nullptr ? part : total + part;
    }
    return total;
  }
  /// A sum of some of what lies around each element, behind margins of zeros or of the outermost elements.
  ref with_margins(ref x) {
    const tensor_type type = x.type();
    ref larger = pick(3) == 0 ? sin(x) : x;
    words zeros;
    std::vector<bool> is_padded;
    for (int i = 0; i < type.rank; ++i) {
      const extent_value n = type.extents[i];
      is_padded.push_back(is_static(n) && pick(4) != 0);
      const bool repeats = is_padded.back() && n > 0 && pick(2) == 0;
      for (int k = 0; k < 3; ++k) zeros.push_back(k == 2 || (is_padded.back() && !repeats) ? 1 : 0);
      if (!repeats) continue;
      const ref parts[] = {part_of(larger, i, 0, 1), larger, part_of(larger, i, n - 1, n)};
      larger = emit_of(words(i), parts, 3);
    }
    larger = emit<struct pad>(zeros, larger);
    ref total{};
    for (int k = 2 + pick(3); k-- > 0;) {
      words w;
      for (int i = 0; i < type.rank; ++i) {
        const std::int64_t begin = is_padded[static_cast<std::size_t>(i)] ? pick(3) : 0;
        w.push_back(begin);
        w.push_back(is_static(type.extents[i]) ? begin + type.extents[i] : to_end);
        w.push_back(1);
      }
      const ref part = emit<struct slice>(w, larger);
      total = total.owner == nullptr ? part : total * 0.5_c - tanh(part);
    }
    return pick(3) == 0 ? total : total + beside(total);
  }
  ref part_of(ref x, int axis, std::int64_t begin, std::int64_t end) {
    words w;
    for (int i = 0; i < x.type().rank; ++i) {
      w.push_back(i == axis ? begin : 0);
      w.push_back(i == axis ? end : to_end);
      w.push_back(1);
    }
    return emit<struct slice>(w, x);
  }

  /// What is made of some parts of a variable to another part of it, or of something else.
  ref assign_part(ref v) {
    words to;
    std::vector<std::int64_t> room, extents;
    tensor_type type = v.type().with(dtype::float64);
    for (int i = 0; i < v.type().rank; ++i) {
      const std::int64_t n = v.type().extents[i];
      if (!is_static(n)) return s.assign(v, tanh(v));
      const int length = 1 + pick(static_cast<int>(n)), begin = pick(static_cast<int>(n) - length + 1);
      to.push_back(begin);
      to.push_back(begin + length);
      to.push_back(1);
      room.push_back(n - length + 1);
      extents.push_back(length);
      type.extents[i] = length;
    }
    ref value{};
    for (int reads = 1 + pick(3); reads-- > 0;) {
      words from;
      for (std::size_t i = 0; i < room.size(); ++i) {
        const std::int64_t begin = pick(static_cast<int>(room[i]));
        from.push_back(begin);
        from.push_back(begin + extents[i]);
        from.push_back(1);
      }
      const ref part = pick(6) == 0 ? etch::broadcast_to.to(s.constant_of(0.5), type) : emit<struct slice>(from, v);
      value = value.owner == nullptr ? part : value + part * 0.25_c;
    }
    if (pick(2) == 0) value = tanh(value);
    if (pick(6) == 0) keep(value);
    return s.assign(v, to, value);
  }

  /// Assignments of computed values, and reads after them.
  void add_effects() {
    std::vector<ref> operations;
    const int pure = static_cast<int>(nodes_.size());
    // What is made of variables, as it is when one of them has been assigned, or two.
    const auto operation = [&] { return operations[static_cast<std::size_t>(pick(static_cast<int>(operations.size())))]; };
    const auto add_later = [&] {
      if (operations.empty()) return;
      const ref y = nodes_[static_cast<std::size_t>(pick(pure))];
      const ref later = s.after(y, pick(2) == 0 ? operation() : s.group({operation(), operation()}));
      keep(pick(2) == 0 ? later : sin(later));
    };
    for (const ref& v : variables_) {
      for (int k = pick(3); k-- > 0;) add_later();
      if (pick(4) == 0) continue;
      ref value = v;
      for (int tries = 0; tries < 10; ++tries) {
        const ref c = any();
        if (c.type() == v.type()) value = c;
      }
      if (value.node == v.node && pick(2) == 0) value = tanh(v);
      if (pick(3) == 0) {
        operations.push_back(assign_part(v));
        if (pick(3) == 0) keep(sin(s.after(v, operations.back())));
        continue;
      }
      operations.push_back(s.assign(v, value));
      if (pick(2) == 0) keep(tanh(operations.back()));
      if (pick(2) == 0) keep(sin(s.after(v, operations.back())));
    }
    for (int k = pick(4); k-- > 0;) add_later();
    for (int i = 0; i < 3; ++i) add_node();
    if (operations.empty()) return;
    ref in[8];
    for (std::size_t i = 0; i < operations.size(); ++i) in[i] = operations[i];
    step_ = append(info_of<struct group>, words(), in, static_cast<int>(operations.size())).node;
  }

  std::mt19937 engine_;
  growth how_;
  bool effects_;
  extent_value named_ = 0;
  std::vector<ref> nodes_, variables_;
  int step_ = -1;
};

/// What `verify` finds wrong after a pass; empty if nothing is.
std::string fault_of(const graph& g, graph_stage stage) {
  const graph_fault f = verify(g, stage);
  return f ? std::string(sentence(f.broken)) + ": " + std::to_string(f.at) + "\n" + to_string(g) : "";
}

std::string text_of(const plan_fault& f) {
  return f ? std::string(sentence(f.broken)) + ": " + std::to_string(f.at) + ", " + std::to_string(f.part) : "";
}

/// ETCH_RANDOM_GRAPHS=100000 searches longer than the tests do.
int trials() {
  const char* text = std::getenv("ETCH_RANDOM_GRAPHS");
  return text != nullptr ? std::atoi(text) : 400;
}

/// What the trials had, all in all.
struct totals {
  int graphs = 0, nodes = 0, tidied_nodes = 0, steps = 0, returned = 0, parts = 0, largest_graph = 0, largest_kernel = 0,
      most_sweeps = 0, refused = 0, computed_operands = 0, split = 0, joined = 0;
  std::int64_t arena = 0, least = 0;
};

/// One graph through all passes: each result is verified, and evaluates to what the graph does.
void check_passes(const generator& made, const target_description& target, totals& all) {
  const graph& g = made.s.g;
  CAPTURE(to_string(g));
  REQUIRE(fault_of(g, graph_stage::flatten) == "");
  const interpreter::outcome expected = interpreter::evaluate(g, made.e);

  effect_failure failure;
  const graph ordered = order_effects(g, failure);
  REQUIRE(!failure);
  REQUIRE(fault_of(ordered, graph_stage::order_effects) == "");
  REQUIRE(interpreter::close(interpreter::evaluate(ordered, made.e), expected));
  const graph tidied = tidy(ordered);
  REQUIRE(fault_of(tidied, graph_stage::tidy) == "");
  REQUIRE(interpreter::close(interpreter::evaluate(tidied, made.e), expected));
  // Splitting at once where it may be done at all, in one half of the graphs.
  const graph split = split_index_sets(tidied, g.size() % 2 == 0 ? 0 : 512);
  REQUIRE(fault_of(split, graph_stage::tidy) == "");
  REQUIRE(interpreter::close(interpreter::evaluate(split, made.e), expected));
  all.split += split.size() != tidied.size() ? 1 : 0;
  const graph ready = materialise(split);
  REQUIRE(fault_of(ready, graph_stage::materialise) == "");
  REQUIRE(interpreter::close(interpreter::evaluate(ready, made.e), expected));

  std::vector<hash_t> fed;
  for (const auto& feed : made.e.feeds) fed.push_back(feed.first);
  graph clustered = ready;
  fusion f = fuse(clustered, target);
  const sequence in_order = order_steps(clustered, f);
  REQUIRE(text_of(verify(clustered, f, in_order)) == "");
  const plan p = make_plan(clustered, f, in_order, target, fed.data(), static_cast<int>(fed.size()));
  if (p.extents.exhausted()) {  // who compiles such a graph is told so
    ++all.refused;
    return;
  }
  REQUIRE(text_of(verify(p, made.e.extents.data())) == "");
  for (int i = 0; i < p.steps.size(); ++i) {
    const plan_step& s = p.steps[i];
    REQUIRE(target.key_of({s, p.accesses.data() + s.first_access, p.extents_pool.data()}) == p.kernels[s.kernel].key);
  }
  const std::string fault = interpreter::fault_of(p, made.e.extents);
  REQUIRE_MESSAGE(fault == "", fault);
  REQUIRE(interpreter::close(interpreter::plan_run(p, made.e).result(), expected));

  // A plan of the same graph is the same plan.
  graph same = ready;
  fusion g_again = fuse(same, target);
  const plan again = make_plan(same, g_again, order_steps(same, g_again), target, fed.data(), static_cast<int>(fed.size()));
  REQUIRE(again.program_words.size() == p.program_words.size());
  for (int i = 0; i < p.program_words.size(); ++i) REQUIRE(again.program_words[i] == p.program_words[i]);

  const interpreter::arena a(p, made.e.extents);
  std::vector<lifetime> placed;
  for (const lifetime& l : a.places)
    if (l.bytes > 0) placed.push_back(l);
  REQUIRE(find_misplaced(placed.data(), static_cast<int>(placed.size()), a.bytes) == -1);

  ++all.graphs;
  all.nodes += g.size();
  all.tidied_nodes += tidied.size();
  all.steps += p.steps.size();
  for (int n = 0; n < clustered.size(); ++n) all.joined += in_order.is_joined(n) ? 1 : 0;
  for (int i = 0; i < p.steps.size(); ++i) all.returned += p.steps[i].returned;
  for (int i = 0; i < p.steps.size(); ++i) all.computed_operands += p.steps[i].packed == 0 ? 0 : p.steps[i].packed == 3 ? 2 : 1;
  for (int i = 0; i < ready.assignments.size(); ++i) all.parts += ready.assignments[i].word_count > 0 ? 1 : 0;
  all.arena += a.bytes;
  all.least += a.least;
  if (g.size() > all.largest_graph) all.largest_graph = g.size();
  for (int c = 0; c < f.clusters.size(); ++c) {
    if (!f.alive(c)) continue;
    if (f.clusters[c].size > all.largest_kernel) all.largest_kernel = f.clusters[c].size;
    if (f.clusters[c].sweeps > all.most_sweeps) all.most_sweeps = f.clusters[c].sweeps;
    REQUIRE(f.clusters[c].size <= (f.clusters[c].kind == cluster_kind::map ? target.limits.map_nodes : target.limits.nodes));
    REQUIRE((f.clusters[c].kind == cluster_kind::opaque || f.clusters[c].reads <= target.limits.reads + 2));
  }
}

totals check_graphs(const growth& how, const target_description& target, int count) {
  totals all;
  for (int trial = 0; trial < count; ++trial) {
    CAPTURE(trial);
    const generator made(static_cast<unsigned>(trial), how);
    check_passes(made, target, all);
  }
  MESSAGE(all.graphs, " graphs, ", all.nodes, " nodes, tidied ", all.tidied_nodes, ", in ", all.steps, " steps; largest graph ",
          all.largest_graph, ", largest kernel ", all.largest_kernel, " nodes, ", all.most_sweeps, " sweeps; ", all.refused,
          " refused, ", all.split, " split, ", all.joined, " values in joins; arena / largest live set ",
          static_cast<double>(all.arena) / static_cast<double>(all.least));
  CHECK(all.tidied_nodes < all.nodes);
  CHECK(static_cast<double>(all.arena) <= 1.05 * static_cast<double>(all.least));
  CHECK(all.refused <= all.graphs / 20);
  return all;
}

constexpr const target_description& cpu_target = cpu::target::description;
/// What a kernel of 60 nodes needs; the CPU's 40 are the best for speed, nothing else.
constexpr target_description wide = [] {
  target_description target = cpu_target;
  target.limits = {60, 40, 80, 1000, 60, 80, 4};
  return target;
}();

TEST_CASE("OPTG-08: on random graphs every pass keeps the values, and plans are sound") {
  const totals all = check_graphs({4, 40}, cpu_target, trials());
  CHECK(all.split >= all.graphs / 40);
  CHECK(all.joined >= all.graphs / 20);
}

/// As the CPU's, but the smallest operands of products are computed while they are packed.
constexpr target_description packing = [] {
  target_description target = cpu_target;
  target.operands = {1, 1000};
  return target;
}();

TEST_CASE("on random graphs operands of products are computed where they are packed") {
  const totals all = check_graphs({4, 40, true}, packing, trials());
  CHECK(all.computed_operands >= all.graphs / 60);
  check_graphs({60, 200}, packing, trials() / 8);
}

TEST_CASE("VAR-03: on random graphs with assignments and draws too") {
  const totals all = check_graphs({4, 40, true}, cpu_target, trials());
  CHECK(all.parts >= all.graphs / 8);
  CHECK(all.returned >= all.graphs / 40);
}

TEST_CASE("OPTG-08: on random graphs of 200 nodes, with kernels of up to 60") {
  const totals all = check_graphs({60, 200}, wide, trials() / 4);
  CHECK(all.largest_graph >= 195);
  check_graphs({60, 200, true}, cpu_target, trials() / 4);
  const totals large = check_graphs({100, 200, false, true}, wide, trials() / 4);
  CHECK(large.largest_graph >= 195);
  CHECK(large.largest_kernel == 60);
  CHECK(large.most_sweeps >= 6);
  // Elementwise kernels may have more nodes than those that sweep.
  CHECK(check_graphs({100, 200, true, true}, cpu_target, trials() / 4).largest_kernel > cpu_target.limits.nodes);
}

TEST_CASE("plans for a target without vectors are sound, too") {
  check_graphs({4, 40, true}, gpu::target::description, trials() / 2);
  check_graphs({60, 200, true}, gpu::target::description, trials() / 8);
}

}  // namespace
}  // namespace etch
