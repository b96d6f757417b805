// SPDX-License-Identifier: MIT
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <etch/backend/cpu/target.hpp>
#include <etch/passes/verify_memory.hpp>

#include "graph/sketch.hpp"
#include "passes/plan_interpreter.hpp"
#include "verify/order.hpp"
#include "verify/plan.hpp"

/// Each invariant of plans, broken in a plan that is right otherwise: `verify` says which it is, and where.
namespace etch {
namespace {

using namespace etch::literals;

/// A graph whose plan has steps of every kind, values that are kept between sweeps, memory that is taken over, a variable that
/// is read and written.
void write_graph(sketch& s) {
  const ref x = s.placeholder("x", {40, 30}), v = s.variable("v", {40, 30});
  const ref running = emit<struct cumsum>(words(0, 0), exp(emit<struct cumsum>(words(1, 0), emit<struct sort>(words(0, -1), x))));
  const ref e = exp(x), rows = emit<struct sum>(words(2, 1), e);
  const ref y = e / rows;
  const ref small = emit<struct sum>(words(2, 0), s.reshape(running, {400, 3}));
  const ref product = matmul(transpose(running), v) + s.constant_of(1);
  const ref index = {&s.g, s.g.push(info_of<iota>, words(1), type_of(dtype::int64, {40, 30}), nullptr, 0)};
  s.fetch({y, emit<struct max>(words(2, 0), e), small, product, where(index < s.constant_of(3, dtype::int64), x, running),
           s.reshape(running, {1200})});
  const ref u = s.variable("u", {9, 8});
  const auto rows_from = [&](std::int64_t first) { return emit<struct slice>(words(first, first + 6, 1, 1, 7, 1), u); };
  s.fetch({s.group({s.assign(v, v + x), s.assign(u, words(1, 7, 1, 1, 7, 1), rows_from(0) - rows_from(2))})});
}

struct example {
  sketch s;
  graph g;
  fusion f;
  sequence order;
  plan p;

  example() {
    write_graph(s);
    g = interpreter::prepared(s.g);
    f = fuse(g, cpu::target::description);
    order = order_steps(g, f);
    const hash_t fed[] = {hash_of("x")};
    p = make_plan(g, f, order, cpu::target::description, fed, 1);
  }
};

/// Whether a step reads from a buffer of the arena what another writes there.
bool reads_result(const plan& p, int reader, int writer) {
  const auto access_of = [&](int step, int k) -> const access& { return p.accesses[p.steps[step].first_access + k]; };
  for (int k = 0; k < p.steps[reader].access_count; ++k)
    for (int j = 0; j < p.steps[writer].access_count; ++j) {
      const access &r = access_of(reader, k), &w = access_of(writer, j);
      if (r.buffer >= 0 && r.buffer == w.buffer && r.loads && w.stores && p.buffers[r.buffer].kind == storage::arena) return true;
    }
  return false;
}
/// The first step of a kind.
int step_of(const plan& p, cluster_kind kind) {
  for (int i = 0; i < p.steps.size(); ++i)
    if (p.steps[i].kind == kind) return i;
  FAIL("the plan lacks a kind of step");
  return -1;
}
struct place {
  int step = 0, part = 0;
};
instruction at(const plan& p, place w) {
  const int first = p.steps[w.step].first_word + 2 * w.part;
  return decode_instruction(p.program_words[first], p.program_words[first + 1]);
}
/// The nth instruction of an opcode, in steps of a kind.
place find(const plan& p, cluster_kind kind, opcode code, int nth = 0) {
  for (int i = 0; i < p.steps.size(); ++i)
    for (int k = 0; p.steps[i].kind == kind && 2 * k < p.steps[i].word_count; ++k)
      if (at(p, {i, k}).code == code && nth-- == 0) return {i, k};
  FAIL("the plan lacks an instruction");
  return {};
}
/// Changes an instruction of a plan.
place change(plan& p, place w, const std::function<void(instruction&)>& edit) {
  instruction i = at(p, w);
  edit(i);
  const int first = p.steps[w.step].first_word + 2 * w.part;
  p.program_words[first] = i.word();
  p.program_words[first + 1] = i.payload;
  return w;
}
access& access_at(plan& p, int step, int k) { return p.accesses[p.steps[step].first_access + k]; }
int slot_of(const plan& p, place w) { return at(p, w).slot; }
/// The step that returns a result.
int returning_step(const plan& p) {
  for (int i = 0; i < p.steps.size(); ++i)
    if (p.steps[i].returned > 0) return i;
  FAIL("no step returns a result");
  return -1;
}
/// A buffer of a kind that some step loads or stores.
int buffer_of(const plan& p, storage kind) {
  for (int b = 0; b < p.buffers.size(); ++b)
    if (p.buffers[b].kind == kind) return b;
  FAIL("the plan lacks a buffer");
  return -1;
}
int sharing_buffer(const plan& p) {
  for (int b = 0; b < p.buffers.size(); ++b)
    if (p.buffers[b].shares >= 0) return b;
  FAIL("no buffer takes over another's memory");
  return -1;
}

struct broken_plan {
  plan_invariant expected;
  const char* what;
  std::function<place(plan&)> corrupt;  // gives the place where the fault must be found; a part of -1 is not asked
};

std::vector<broken_plan> broken_plans() {
  using i = plan_invariant;
  constexpr cluster_kind map = cluster_kind::map, sweep = cluster_kind::sweep, product = cluster_kind::contraction,
                         opaque = cluster_kind::opaque;
  return {
      {i::ports_and_buffers_name_each_other, "a fetch of another's buffer",
       [](plan& p) { return p.fetches[0].buffer = p.fetches[1].buffer, place{0, 2}; }},
      {i::ports_and_buffers_name_each_other, "a variable without a buffer",
       [](plan& p) { return p.variables[0].buffer = -1, place{0, 1}; }},
      {i::ports_and_buffers_name_each_other, "a fetch's buffer that no fetch has",
       [](plan& p) {
         p.buffers.push_back(p.buffers[p.fetches[0].buffer]);
         return place{p.buffers.size() - 1, 2};
       }},
      {i::buffers_have_types_and_sizes, "no type",
       [](plan& p) {
         const int b = buffer_of(p, storage::arena);
         p.buffers[b].type = dtype::none;
         return place{b, -1};
       }},
      {i::buffers_have_types_and_sizes, "a negative size",
       [](plan& p) {
         const int b = buffer_of(p, storage::arena);
         p.buffers[b].elements = -8;
         return place{b, -1};
       }},
      {i::buffers_live_while_they_are_used, "it ends a step early",
       [](plan& p) {
         const int b = buffer_of(p, storage::arena);
         --p.buffers[b].last;
         return place{b, -1};
       }},
      {i::buffers_live_while_they_are_used, "it begins a step late",
       [](plan& p) {
         const int b = buffer_of(p, storage::arena);
         ++p.buffers[b].first;
         return place{b, -1};
       }},
      {i::shared_buffers_are_alike, "of itself",
       [](plan& p) {
         const int b = sharing_buffer(p);
         p.buffers[b].shares = b;
         return place{b, -1};
       }},
      {i::shared_buffers_are_alike, "of a fetch",
       [](plan& p) {
         const int b = sharing_buffer(p);
         p.buffers[b].shares = p.fetches[0].buffer;
         return place{b, -1};
       }},
      {i::shared_buffers_are_alike, "of a value that is read later",
       [](plan& p) {
         int later = -1;  // an arena buffer that lives on
         for (int b = 0; b < p.buffers.size(); ++b)
           if (p.buffers[b].kind == storage::arena && p.buffers[b].first >= 0 &&
               (later < 0 || p.buffers[b].last > p.buffers[later].last))
             later = b;
         const int b = sharing_buffer(p);
         REQUIRE(later != b);
         p.buffers[b].shares = later;
         return place{b, -1};
       }},
      {i::steps_lie_in_their_pools, "accesses behind the last",
       [](plan& p) { return p.steps[0].first_access = p.accesses.size(), place{0, -1}; }},
      {i::steps_lie_in_their_pools, "half an instruction",
       [&](plan& p) {
         const int s = step_of(p, map);
         --p.steps[s].word_count;
         return place{s, -1};
       }},
      {i::steps_lie_in_their_pools, "words before the first",
       [&](plan& p) {
         const int s = step_of(p, sweep);
         p.steps[s].first_word = -2;
         return place{s, -1};
       }},
      {i::steps_lie_in_their_pools, "more axes than a nest has",
       [](plan& p) { return p.steps[1].rank = max_nest_rank + 1, place{1, -1}; }},
      {i::steps_lie_in_their_pools, "attributes behind the last",
       [&](plan& p) {
         const int s = step_of(p, opaque);
         p.steps[s].first_attribute = p.attributes.size();
         return place{s, -1};
       }},
      {i::nests_have_axes_and_extents, "a sweep along nothing",
       [&](plan& p) {
         const int s = step_of(p, sweep);
         p.steps[s].kept = p.steps[s].rank;
         return place{s, -1};
       }},
      {i::nests_have_axes_and_extents, "a map that reduces",
       [&](plan& p) {
         const int s = step_of(p, map);
         --p.steps[s].kept;
         return place{s, -1};
       }},
      {i::nests_have_axes_and_extents, "a product that sums along nothing",
       [&](plan& p) {
         const int s = step_of(p, product);
         ++p.steps[s].kept;
         return place{s, -1};
       }},
      {i::nests_have_axes_and_extents, "a negative extent",
       [&](plan& p) {
         const int s = step_of(p, product);
         p.extents_pool[p.steps[s].first_extent] = -3;
         return place{s, -1};
       }},
      {i::nests_have_axes_and_extents, "a short row of another length",
       [](plan& p) {
         for (int s = 0; s < p.steps.size(); ++s)
           if (p.steps[s].short_row > 0) return ++p.steps[s].short_row, place{s, -1};
         FAIL("no short rows");
         return place{};
       }},
      {i::kernels_exist, "behind the last", [](plan& p) { return p.steps[2].kernel = p.kernels.size(), place{2, -1}; }},
      {i::kernels_exist, "one that begins with a later step",
       [](plan& p) { return p.kernels[p.steps[0].kernel].first_step = p.steps.size() - 1, place{0, -1}; }},
      {i::kernels_are_one_program, "the first step of a kernel has another",
       [](plan& p) {
         p.kernels[p.steps[1].kernel].first_step = 0;
         return place{1, -1};
       }},
      {i::kernels_are_one_program, "a step of another lag than its kernel is compiled for",
       [&](plan& p) {
         const int s = returning_step(p);
         ++p.steps[s].lag;
         return place{s, -1};
       }},
      {i::accesses_have_buffers_of_their_type, "behind the last",
       [](plan& p) { return access_at(p, 1, 0).buffer = p.buffers.size(), place{1, 0}; }},
      {i::accesses_have_buffers_of_their_type, "another type",
       [](plan& p) { return access_at(p, 1, 0).type = dtype::float32, place{1, 0}; }},
      {i::accesses_have_buffers_of_their_type, "a load of an index",
       [&](plan& p) {
         const place w = find(p, cluster_kind::scan, opcode::iota);
         change(p, w, [](instruction& in) { in.code = opcode::load; });
         return w;
       }},
      {i::accesses_have_strides, "fewer axes than the step",
       [&](plan& p) {
         const int s = step_of(p, product);
         --access_at(p, s, 2).rank;
         return place{s, 2};
       }},
      {i::accesses_have_strides, "a stride that is not in the table",
       [&](plan& p) {
         const int s = step_of(p, product);
         p.extents_pool[access_at(p, s, 0).first_stride] = polynomial_reference(0);
         return place{s, 0};
       }},
      {i::accesses_stay_in_their_buffers, "one too far",
       [&](plan& p) {
         const int s = step_of(p, sweep);
         ++access_at(p, s, 0).offset;
         return place{s, 0};
       }},
      {i::accesses_stay_in_their_buffers, "backwards from the first",
       [&](plan& p) {
         const int s = step_of(p, opaque);
         extent_value& stride = p.extents_pool[access_at(p, s, 0).first_stride];
         stride = -stride;
         return place{s, 0};
       }},
      {i::accesses_stay_in_their_buffers, "an operand of a product along a longer inner extent",
       [&](plan& p) {
         const int s = step_of(p, product);
         ++p.extents_pool[p.steps[s].first_extent + p.steps[s].kept];
         return place{s, 0};
       }},
      {i::results_go_back_behind_what_is_read, "a row too early",
       [&](plan& p) {
         const int s = returning_step(p);
         --p.steps[s].lag;
         --p.kernels[p.steps[s].kernel].key.lag;
         return place{s, p.steps[s].access_count - 1};
       }},
      {i::results_go_back_behind_what_is_read, "a row further on than is read later",
       [&](plan& p) {
         const int s = returning_step(p), k = p.steps[s].access_count - 1;
         access_at(p, s, k).offset += 8;
         return place{s, k};
       }},
      {i::results_go_back_behind_what_is_read, "more than are stored",
       [&](plan& p) {
         const int s = returning_step(p);
         p.steps[s].returned = p.steps[s].access_count;
         p.kernels[p.steps[s].kernel].key.returned = static_cast<std::int16_t>(p.steps[s].returned);
         return place{s, -1};
       }},
      {i::accesses_are_what_the_program_does, "a load that is not said",
       [&](plan& p) {
         const place w = find(p, sweep, opcode::load);
         access_at(p, w.step, slot_of(p, w)).loads = false;
         return place{w.step, slot_of(p, w)};
       }},
      {i::accesses_are_what_the_program_does, "a store that does not happen",
       [&](plan& p) {
         const place w = find(p, sweep, opcode::load);
         access_at(p, w.step, slot_of(p, w)).stores = true;
         return place{w.step, slot_of(p, w)};
       }},
      {i::steps_write_something, "a product that is not stored",
       [&](plan& p) {
         const place w = find(p, product, opcode::store);
         change(p, w, [](instruction& in) {
           in.code = opcode::load;
           in.a = 0;
         });
         access& a = access_at(p, w.step, slot_of(p, w));
         a.stores = false;
         a.loads = true;
         return place{w.step, -1};
       }},
      {i::fields_have_their_values, "an opcode that is none",
       [&](plan& p) { return change(p, find(p, map, opcode::apply), [](instruction& in) { in.code = static_cast<opcode>(8); }); }},
      {i::fields_have_their_values, "a mode that is none",
       [&](plan& p) { return change(p, find(p, map, opcode::load), [](instruction& in) { in.mode = static_cast<lane>(3); }); }},
      {i::fields_have_their_values, "a type that is none",
       [&](plan& p) { return change(p, find(p, map, opcode::apply), [](instruction& in) { in.type = dtype::none; }); }},
      {i::fields_have_their_values, "memory of no type",
       [&](plan& p) {
         return change(p, find(p, map, opcode::store), [](instruction& in) { in.memory = static_cast<dtype>(31); });
       }},
      {i::fields_have_their_values, "an op without an id",
       [&](plan& p) { return change(p, find(p, map, opcode::apply), [](instruction& in) { in.payload = 0; }); }},
      {i::unused_fields_are_zero, "an operand of a load",
       [&](plan& p) { return change(p, find(p, sweep, opcode::load), [](instruction& in) { in.a = 1; }); }},
      {i::unused_fields_are_zero, "a second operand of a reduction",
       [&](plan& p) { return change(p, find(p, sweep, opcode::reduce), [](instruction& in) { in.b = 1; }); }},
      {i::unused_fields_are_zero, "an option that scans have not",
       [](plan& p) { return change(p, find(p, cluster_kind::scan, opcode::scan), [](instruction& in) { in.c = 4; }); }},
      {i::unused_fields_are_zero, "a mode of an op",
       [&](plan& p) { return change(p, find(p, map, opcode::apply), [](instruction& in) { in.mode = lane::next; }); }},
      {i::sections_are_in_order, "a map with two",
       [&](plan& p) { return change(p, find(p, map, opcode::store), [](instruction& in) { in.section = 1; }); }},
      {i::sections_are_in_order, "a map that scans",
       [&](plan& p) { return change(p, find(p, map, opcode::apply), [](instruction& in) { in.code = opcode::scan, in.c = 0; }); }},
      {i::registers_are_defined_before_use, "a scan of itself",
       [](plan& p) {
         const place w = find(p, cluster_kind::scan, opcode::scan);
         return change(p, w, [&](instruction& in) { in.a = w.part; });
       }},
      {i::sections_are_in_order, "an instruction behind a later section",
       [&](plan& p) {
         const place w = find(p, sweep, opcode::load);
         change(p, w, [](instruction& in) { in.section = 4; });
         const int later = w.part + 1;
         REQUIRE(at(p, {w.step, later}).section < 4);
         return place{w.step, later};
       }},
      {i::sections_are_in_order, "a reduction per row",
       [&](plan& p) { return change(p, find(p, sweep, opcode::reduce), [](instruction& in) { in.section = 1; }); }},
      {i::sections_are_in_order, "a product's result that is not first",
       [&](plan& p) {
         const place w = find(p, product, opcode::immediate);
         return change(p, w, [](instruction& in) {
           in.code = opcode::accumulator;
           in.payload = 0;
         });
       }},
      {i::slots_are_accesses, "one more than there are",
       [&](plan& p) {
         const place w = find(p, map, opcode::load);
         return change(p, w, [&](instruction& in) { in.slot = p.steps[w.step].access_count; });
       }},
      {i::modes_are_those_of_strides, "the same element along the lanes",
       [&](plan& p) { return change(p, find(p, map, opcode::store), [](instruction& in) { in.mode = lane::same; }); }},
      {i::registers_are_defined_before_use, "its own",
       [&](plan& p) {
         const place w = find(p, map, opcode::apply);
         return change(p, w, [&](instruction& in) { in.a = w.part; });
       }},
      {i::registers_are_defined_before_use, "the last one",
       [&](plan& p) { return change(p, find(p, map, opcode::apply), [](instruction& in) { in.b = max_instructions - 1; }); }},
      {i::registers_are_defined_before_use, "a sum before its sweep has ended",
       [&](plan& p) {
         const place sum = find(p, sweep, opcode::reduce), most = find(p, sweep, opcode::reduce, 1);
         REQUIRE(sum.step == most.step);
         REQUIRE(at(p, sum).section == at(p, most).section);
         return change(p, most, [&](instruction& in) { in.a = sum.part; });
       }},
      {i::registers_are_defined_before_use, "a value per element of an earlier sweep",
       [&](plan& p) {
         const place sum = find(p, sweep, opcode::reduce);
         for (int k = sum.part + 1; 2 * k < p.steps[sum.step].word_count; ++k) {
           const instruction in = at(p, {sum.step, k});
           if (in.section == 2 && in.code == opcode::apply)
             return change(p, {sum.step, k}, [&](instruction& j) { j.a = at(p, sum).a; });
         }
         FAIL("nothing is computed in the second sweep");
         return place{};
       }},
      {i::registers_are_defined_before_use, "a store's",
       [&](plan& p) {
         const place w = find(p, sweep, opcode::store);
         for (int k = w.part + 1; 2 * k < p.steps[w.step].word_count; ++k)
           if (at(p, {w.step, k}).code == opcode::store) return change(p, {w.step, k}, [&](instruction& in) { in.a = w.part; });
         FAIL("one store only");
         return place{};
       }},
      {i::registers_have_the_type_that_is_used, "a sum of another type",
       [&](plan& p) { return change(p, find(p, sweep, opcode::reduce), [](instruction& in) { in.type = dtype::float32; }); }},
      {i::values_are_written_before_they_are_read, "the steps exchanged",
       [&](plan& p) {
         // Of the first two of which one reads what the other has just written; their kernels are exchanged with them.
         int at = 0;
         while (!reads_result(p, at + 1, at)) ++at;
         const plan_step first = p.steps[at];
         REQUIRE(p.steps[at + 1].kernel != first.kernel);
         p.steps[at] = p.steps[at + 1];
         p.steps[at + 1] = first;
         p.kernels[p.steps[at].kernel].first_step = at;
         p.kernels[p.steps[at + 1].kernel].first_step = at + 1;
         return place{at, -1};
       }},
      {i::values_are_written_once, "a step that is there twice",
       [](plan& p) {
         const plan_step s = p.steps[step_of(p, cluster_kind::opaque)];
         p.steps.push_back(s);
         return place{p.steps.size() - 1, 0};
       }},
      {i::values_are_written_once, "a feed",
       [&](plan& p) {
         const place w = find(p, sweep, opcode::store);
         access_at(p, w.step, slot_of(p, w)).buffer = p.feeds[0].buffer;
         return place{w.step, slot_of(p, w)};
       }},
      {i::fetches_are_written, "its step is missing",
       [&](plan& p) {
         const int b = p.fetches[3].buffer;  // the product's
         const int s = step_of(p, product);
         REQUIRE(access_at(p, s, 2).buffer == b);
         p.steps.resize(s);
         return place{3, -1};
       }},
  };
}

TEST_CASE("VER-02: each invariant of plans that is broken is named, with its place") {
  const example e;
  const plan_fault none = verify(e.p);
  REQUIRE_MESSAGE(!none, sentence(none.broken), " ", none.at, " ", none.part);
  std::set<plan_invariant> seen;
  for (const broken_plan& b : broken_plans()) {
    const std::string what = std::string(sentence(b.expected)) + ": " + b.what;
    CAPTURE(what);
    plan p = e.p;
    const place where = b.corrupt(p);
    const plan_fault f = verify(p);
    CHECK_MESSAGE(f.broken == b.expected, sentence(f.broken), " at ", f.at, ", ", f.part);
    if (where.step >= 0) CHECK(f.at == where.step);
    if (where.part >= 0) CHECK(f.part == where.part);
    seen.insert(b.expected);
  }
  for (int k = 1; k < static_cast<int>(plan_invariant::every_cluster_runs_once); ++k)
    CHECK_MESSAGE(seen.count(static_cast<plan_invariant>(k)) == 1, "nothing breaks: ", sentence(static_cast<plan_invariant>(k)));
}

TEST_CASE("VER-02: buffers that overlap while both are live, or have no place, are found") {
  lifetime sound[] = {{64, 0, 3, 0}, {64, 2, 5, 64}, {128, 4, 6, 128}, {0, 1, 9, 0}, {64, 4, 4, 0}};
  CHECK(find_misplaced(sound, 5, 256) == -1);
  const auto misplaced = [&](int which, const lifetime& l, std::int64_t bytes) {
    lifetime broken[5];
    for (int i = 0; i < 5; ++i) broken[i] = sound[i];
    broken[which] = l;
    return find_misplaced(broken, 5, bytes);
  };
  CHECK(misplaced(1, {64, 2, 5, 32}, 256) == 1);
  CHECK(misplaced(1, {64, 3, 5, 0}, 256) == 1);
  CHECK(misplaced(1, {64, 4, 5, 0}, 256) == 4);  // the later of two that begin together
  CHECK(misplaced(4, {64, 3, 4, 0}, 256) == 4);
  CHECK(misplaced(2, {128, 4, 6, -1}, 256) == 2);
  CHECK(misplaced(2, {128, 4, 6, 128}, 255) == 2);  // behind the arena's end
  CHECK(misplaced(2, {128, 6, 4, 128}, 256) == 2);  // ends before it begins
}

TEST_CASE("VER-02: an order of steps that gives other values is found") {
  const example e;
  REQUIRE(!verify(e.g, e.f, e.order));
  const auto step_with = [&](const op_info& op) {
    for (int n = 0; n < e.g.size(); ++n)
      for (int i = 0; e.g.is(n, op) && i < e.order.tasks.size(); ++i)
        if (e.order.tasks[i].cluster >= 0 && e.f.order.find(e.f[n].cluster) == e.order.tasks[i].cluster) return i;
    return -1;
  };
  const int count = e.order.tasks.size(), product = step_with(info_of<struct matmul>);
  REQUIRE(product >= 0);
  sequence s = e.order;
  s.tasks.resize(count - 1);
  CHECK(verify(e.g, e.f, s).broken == plan_invariant::every_cluster_runs_once);
  s = e.order;
  s.tasks.push_back(s.tasks[0]);
  CHECK(verify(e.g, e.f, s).broken == plan_invariant::every_cluster_runs_once);
  CHECK(verify(e.g, e.f, s).at == count);
  s = e.order;
  const task multiplies = s.tasks[product];
  for (int i = product; i > 0; --i) s.tasks[i] = s.tasks[i - 1];
  s.tasks[0] = multiplies;
  CHECK(verify(e.g, e.f, s).broken == plan_invariant::steps_follow_what_they_need);
  CHECK(verify(e.g, e.f, s).at == 0);
  // The product reads the variable that v + x overwrites: that step, moved before it.
  int writer = -1;
  for (int n = 0; n < e.g.size(); ++n)
    if (e.order.stored_in[n] >= 0)
      for (int i = 0; i < count; ++i)
        if (e.order.tasks[i].cluster == e.f.order.find(e.f[n].cluster)) writer = i;
  REQUIRE(writer > product);
  s = e.order;
  const task writes = s.tasks[writer];
  for (int i = writer; i > 0; --i) s.tasks[i] = s.tasks[i - 1];
  s.tasks[0] = writes;
  CHECK(verify(e.g, e.f, s).broken == plan_invariant::variables_are_read_before_they_are_written);
  CHECK(verify(e.g, e.f, s).at == product + 1);
}

TEST_CASE("VER-02: every field of an instruction keeps its bits") {
  // Nothing that a plan holds can break this: each word is the word of what it means.
  const int last_place = max_instructions - 1;
  for (int code = 0; code <= static_cast<int>(opcode::accumulator); ++code)
    for (int high = 0; high < 128; ++high) {
      instruction i;
      i.code = static_cast<opcode>(code);
      i.mode = high & 1 ? lane::strided : lane::same;
      i.type = high & 2 ? dtype::none : dtype::boolean;
      i.memory = high & 4 ? dtype::none : dtype::boolean;
      i.section = high & 8 ? max_sections - 1 : 0;
      i.a = high & 16 ? last_place : 0;
      i.b = high & 32 ? last_place : 0;
      i.c = i.slot = high & 64 ? last_place : 0;
      const instruction j = decode_instruction(i.word(), 5);
      CHECK((j.code == i.code && j.mode == i.mode && j.type == i.type && j.memory == i.memory && j.section == i.section &&
             j.a == i.a && j.b == i.b && j.c == i.c && j.slot == i.slot && j.payload == 5 && j.word() == i.word()));
    }
}

/// A chain of two steps, as a constant; `shift` moves what the second reads.
constexpr plan_fault constant_verdict(extent_value shift) {
  graph g;
  tensor_type t;
  t.type = dtype::float32;
  t.rank = 1;
  t.extents[0] = 4;
  const ref x = append_placeholder(g, t, nullptr, 1);
  const ref y = emit<struct cumsum>(words(0, 1), emit<struct cumsum>(words(0, 0), x) * append_constant(g, dtype::float32, 2));
  g.fetches.push_back(y.node);
  const hash_t fed[] = {1};
  plan p = schedule(g, cpu::target::description, fed, 1);
  p.accesses[p.steps[1].first_access].offset += shift;
  return verify(p);
}
static_assert(!constant_verdict(0));
static_assert(constant_verdict(1).broken == plan_invariant::accesses_stay_in_their_buffers && constant_verdict(1).at == 1);

}  // namespace
}  // namespace etch
