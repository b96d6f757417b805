// SPDX-License-Identifier: MIT
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <etch/passes/gradient.hpp>
#include <etch/passes/materialise.hpp>
#include <etch/passes/nest_regions.hpp>
#include <etch/passes/order_effects.hpp>
#include <etch/passes/simplify.hpp>
#include <etch/passes/verify.hpp>

#include "graph/sketch.hpp"
#include "verify/graph_sentences.hpp"

/// Each invariant of graphs, broken in a graph that is right otherwise: `verify` says which it is, and where.
namespace etch {
namespace {

using namespace etch::literals;

/// The nth node of an op.
int find(const graph& g, const op_info& op, int nth = 0) {
  for (int n = 0; n < g.size(); ++n)
    if (g.is(n, op) && nth-- == 0) return n;
  FAIL("the graph lacks ", op.name);
  return -1;
}
ref sum_over(std::int64_t mask, ref x) { return emit<struct sum>(words(mask, 1), x); }

using corruption = std::function<int(graph&)>;  // gives the place where the fault must be found

struct broken_graph {
  graph_invariant expected;
  const char* what;
  graph_stage stage;
  corruption corrupt;
};

tensor_type matrix(extent_value rows, extent_value columns, dtype d = dtype::float64) { return type_of(d, {rows, columns}); }

/// A flattened graph whose nodes have everything that can be broken.
void flatten_into(sketch& s) {
  const extent_value n = s.g.extents.symbol(1, "n");
  const ref x = s.placeholder("x", {4, 6}), v = s.variable("v", {4, 6}), named = s.placeholder("named", {n, 6});
  const ref y = x * s.constant_of(2) + v;
  const ref part = emit<struct slice>(words(1, 3, 1, 0, to_end, 2), y);  // [2, 3]
  const ref placed = emit<struct pad>(words(1, 0, 1, 2, 1, 1), part);    // [3, 6]
  const ref back = emit_as<struct slice>(words(1, to_end, 1, 2, to_end, 1), part.type(), placed);
  const ref gradient_of_slice = emit_as<struct pad>(words(1, 0, 1, 0, 0, 2), y.type(), back);
  const ref parts[] = {x, y, v, gradient_of_slice};
  const ref joined = append(info_of<struct concat>, words(0), parts, 4);
  const ref named_part = emit<struct slice>(words(1, to_end, 1), named);
  const ref named_whole = emit_as<struct pad>(words(1, 0, 1, 0, 0, 1), named.type(), named_part);
  const ref index = {&s.g, s.g.push(info_of<iota>, words(1), matrix(4, 6), nullptr, 0)};
  const ref condition = emit<cast>(words(static_cast<int>(dtype::boolean)), index);
  const ref chosen = where(condition, y, s.broadcast(sum_over(2, x), {4, 6}));
  const ref product = matmul(chosen, emit<struct transpose>(words(1, 0), x));
  const ref assigned = s.assign(v, chosen);
  const ref small[] = {s.constant_of(7, dtype::int32), s.constant_of(7, dtype::uint8), s.constant_of(1, dtype::boolean)};
  const ref slope = emit<gradient_op>(words(), sum_over(3, product), x);
  const ref state = s.parameter(0, 0, {6}), row = s.parameter(0, 1, {6}), start = s.placeholder("start", {6});
  const ref loop = s.region(info_of<region_loop>, words(0, 1, 1, 0), {start, x, state, row, state * s.constant_of(0.25) + row});
  const ref last = s.value_of(info_of<region_result>, words(0), {loop}, {6});
  const ref rows = s.value_of(info_of<region_stack>, words(), {loop, state}, {4, 6});
  const ref choice = s.placeholder("choice", {}, dtype::boolean);
  const ref branch = s.region(info_of<region_branch>, words(2, 1), {choice, last, start});
  const ref either = s.value_of(info_of<region_result>, words(0), {branch}, {6});
  s.fetch({product, joined, s.reshape(chosen, {24}), named_part, small[0], small[1], small[2], s.group({assigned}), slope,
           emit<size_of>(words(3), y), named_whole, rows, either});
}
/// What each pass makes of a graph, in their order.
struct stages {
  // The slots are the sketch's: it lives as long as the graphs.
  sketch s;
  graph ordered, expanded, tidied, ready;
  stages() {
    const ref x = s.placeholder("x", {4, 6}), v = s.variable("v", {4, 6}), w = s.variable("w", {4, 4});
    const ref product = matmul(x * v, transpose(tanh(x)));
    const ref first = s.assign(v, x + v), second = s.assign(w, product);
    s.fetch({product, s.group({first, second}), s.after(v, first), s.broadcast(s.constant_of(3), {2, 2}), x,
             emit<gradient_op>(words(), sum_over(3, product), x), emit<struct cumsum>(words(0, 0), tanh(x))});
    effect_failure unordered;
    ordered = order_effects(s.g, unordered);
    gradient_failure failed;
    expanded = expand_gradients(ordered, failed);
    tidied = tidy(expanded);
    ready = materialise(tidied);
    REQUIRE(!failed);
    REQUIRE(!unordered);
  }
};

void set_type(graph& g, int n, const tensor_type& t) { g.nodes[n].type = g.type_id(t); }
void set_word(graph& g, int n, int k, std::int64_t word) { g.pool[g[n].first_word + k] = word; }
void set_operand(graph& g, int n, int k, int operand) { g.operands[g[n].first_operand + k] = operand; }

/// Gives node n a type; there it must be found.
corruption typed(const op_info& op, const tensor_type& t, int nth = 0) {
  return [&op, t, nth](graph& g) {
    const int n = find(g, op, nth);
    set_type(g, n, t);
    return n;
  };
}
corruption worded(const op_info& op, int k, std::int64_t word, int nth = 0) {
  return [&op, k, word, nth](graph& g) {
    const int n = find(g, op, nth);
    set_word(g, n, k, word);
    return n;
  };
}

std::vector<broken_graph> broken_graphs() {
  using i = graph_invariant;
  const graph_stage any = graph_stage::flatten, nested = graph_stage::nest_regions;
  const op_info &product = info_of<struct matmul>, &number = info_of<struct constant>;
  return {
      {i::types_have_a_dtype_and_at_most_8_axes, "nine axes", any, [](graph& g) { return g.types[2].rank = 9, 2; }},
      {i::types_have_a_dtype_and_at_most_8_axes, "axes below none", any, [](graph& g) { return g.types[0].rank = -1, 0; }},
      {i::types_have_a_dtype_and_at_most_8_axes, "no dtype of ours", any,
       [](graph& g) { return g.types[1].type = static_cast<dtype>(dtype_count + 1), 1; }},
      {i::extents_are_counts_or_in_the_table, "a negative count", any, [](graph& g) { return g.types[0].extents[1] = -1, 0; }},
      {i::extents_are_counts_or_in_the_table, "a polynomial that is not there", any,
       [](graph& g) { return g.types[0].extents[0] = polynomial_reference(g.extents.polynomial_count()), 0; }},
      {i::extents_are_counts_or_in_the_table, "unknown, with room in the table", any,
       [](graph& g) { return g.types[0].extents[0] = unknown_extent, 0; }},
      {i::each_type_is_there_once, "twice", any, [](graph& g) { return g.types.push_back(g.types[1]), g.types.size() - 1; }},
      {i::nodes_have_ops, "none", any, [](graph& g) { return g.nodes[3].op = nullptr, 3; }},
      {i::operands_lie_in_their_pool, "behind its end", any,
       [&](graph& g) { return g.nodes[g.size() - 1].first_operand = g.operands.size(), g.size() - 1; }},
      {i::operands_lie_in_their_pool, "before its begin", any, [](graph& g) { return g.nodes[4].first_operand = -1, 4; }},
      {i::words_lie_in_their_pool, "behind its end", any, [&](graph& g) { return g.nodes[0].first_word = g.pool.size() + 1, 0; }},
      {i::words_lie_in_their_pool, "more than fit", any, [](graph& g) { return g.nodes[0].word_count = words::capacity + 1, 0; }},
      {i::types_are_in_the_table, "behind its end", any, [](graph& g) { return g.nodes[5].type = g.types.size(), 5; }},
      {i::operands_come_before_users, "itself", any,
       [&](graph& g) {
         const int n = find(g, product);
         set_operand(g, n, 0, n);
         return n;
       }},
      {i::operands_come_before_users, "a negative number", any,
       [&](graph& g) {
         const int n = find(g, product);
         set_operand(g, n, 1, -1);
         return n;
       }},
      {i::ops_have_as_many_operands_as_they_take, "one of two", any,
       [&](graph& g) {
         const int n = find(g, product);
         g.nodes[n].count = 1;
         return n;
       }},
      {i::ops_have_as_many_words_as_they_name, "one of two", any,
       [](graph& g) {
         const int n = find(g, info_of<struct sum>);
         g.nodes[n].word_count = 1;
         return n;
       }},
      {i::ops_have_as_many_words_as_they_name, "five, three per axis", any,
       [](graph& g) {
         const int n = find(g, info_of<struct slice>);
         g.nodes[n].word_count = 5;
         return n;
       }},
      {i::attributes_are_in_range, "a mask with an axis too many", any, worded(info_of<struct sum>, 0, 4)},
      {i::attributes_are_in_range, "a negative mask", any, worded(info_of<struct sum>, 0, -1)},
      {i::attributes_are_in_range, "a flag of 2", any, worded(info_of<struct sum>, 1, 2)},
      {i::attributes_are_in_range, "a dtype that is none", any, worded(info_of<cast>, 0, dtype_count)},
      {i::attributes_are_in_range, "an index along axis 2 of 2", any, worded(info_of<iota>, 0, 2)},
      {i::attributes_are_in_range, "an int32 of 2^31", any, worded(number, 0, std::int64_t{1} << 31, 1)},
      {i::attributes_are_in_range, "a byte of 256", any, worded(number, 0, 256, 2)},
      {i::attributes_are_in_range, "a truth of 2", any, worded(number, 0, 2, 3)},
      {i::attributes_are_in_range, "a begin that is not in the table", any,
       worded(info_of<struct slice>, 0, polynomial_reference(extent_table::max_polynomials))},
      {i::only_groups_and_regions_have_no_value, "a product without a value", any, typed(product, tensor_type{})},
      {i::only_groups_and_regions_have_no_value, "a group with one", any, typed(info_of<struct group>, matrix(4, 6))},
      {i::only_groups_and_regions_have_no_value, "a loop with one", any, typed(info_of<region_loop>, matrix(4, 6))},
      {i::regions_are_sound, "a loop at a level beyond the last", any, worded(info_of<region_loop>, 0, 63)},
      {i::regions_are_sound, "a loop of a level that its parameters have not", any, worded(info_of<region_loop>, 0, 1)},
      {i::regions_are_sound, "a loop with a state too many", any, worded(info_of<region_loop>, 1, 2)},
      {i::regions_are_sound, "a loop without end", any,
       [](graph& g) {
         const int n = find(g, info_of<region_loop>);
         g.nodes[n].count = 1;
         set_word(g, n, 1, 0);
         set_word(g, n, 2, 0);
         return n;
       }},
      {i::regions_are_sound, "a next state of another shape", any,
       [](graph& g) {
         const int n = find(g, info_of<region_loop>);
         set_operand(g, n, 4, g.operand(n, 1));
         return n;
       }},
      {i::regions_are_sound, "a parameter that is none", any,
       [](graph& g) {
         const int n = find(g, info_of<region_loop>);
         set_operand(g, n, 2, g.operand(n, 0));
         return n;
       }},
      {i::regions_are_sound, "a stack of another length", any, typed(info_of<region_stack>, matrix(5, 6))},
      {i::regions_are_sound, "a result of another shape", any, typed(info_of<region_result>, type_of(dtype::float64, {5}))},
      {i::regions_are_sound, "a result that there is not", any, worded(info_of<region_result>, 0, 1)},
      {i::regions_are_sound, "a branch with a value too many", any, worded(info_of<region_branch>, 1, 2)},
      {i::regions_are_sound, "a branch that a matrix chooses", any,
       [](graph& g) {
         const int n = find(g, info_of<region_branch>);
         set_operand(g, n, 0, 0);
         return n;
       }},
      {i::regions_are_sound, "a branch with values of two shapes", any,
       [](graph& g) {
         const int n = find(g, info_of<region_branch>);
         set_operand(g, n, 2, 0);
         return n;
       }},
      {i::parameters_stay_in_their_loops, "one that is fetched", any,
       [](graph& g) {
         const int n = find(g, info_of<region_parameter>);
         g.fetches.push_back(n);
         return n;
       }},
      {i::no_region_is_left, "a branch", graph_stage::materialise,
       [](graph& g) {
         const int in[] = {append_constant(g, dtype::boolean, 1).node, 0, 0};
         const int branch = g.push(info_of<region_branch>, words(2, 1), tensor_type{}, in, 3);
         g.fetches.push_back(g.push(info_of<region_result>, words(0), tensor_type(g.type(0)), &branch, 1));
         return branch;
       }},
      {i::bodies_read_nothing_else, "the graph around a body one of it", nested,
       [](graph& g) {
         const int n = find(g, product);
         REQUIRE(g[0].body > 0);
         set_operand(g, n, 0, 0);
         return n;
       }},
      {i::regions_are_sound, "a parameter for an operand that there is not", nested, worded(info_of<region_parameter>, 1, 9)},
      {i::regions_are_sound, "a parameter of another shape", nested,
       typed(info_of<region_parameter>, type_of(dtype::float64, {5}))},
      {i::regions_are_sound, "a body that there is not", nested,
       [](graph& g) {
         set_word(g, find(g, info_of<region_loop>), 0, 99);
         return find(g, info_of<region_parameter>);
       }},
      {i::regions_are_sound, "a body without the next state", nested,
       [](graph& g) {
         const int n = find(g, info_of<region_loop>);
         g.bodies[static_cast<int>(g.word(n, 0))].count = 0;
         return n;
       }},
      {i::regions_are_sound, "a body that gives a node of another", nested,
       [](graph& g) {
         const int n = find(g, info_of<region_loop>);
         g.results[g.bodies[static_cast<int>(g.word(n, 0))].first] = g.fetches[0];
         return n;
       }},
      {i::regions_are_sound, "branches that give as many values no longer", nested,
       [](graph& g) {
         const int n = find(g, info_of<region_branch>);
         g.bodies[static_cast<int>(g.word(n, 1))].count = 0;
         return n;
       }},
      {i::regions_are_sound, "a value that its bodies do not give", nested, worded(info_of<region_result>, 0, 7)},
      {i::slots_have_content, "a placeholder without", any, [](graph& g) { return g.nodes[0].content = 0, 0; }},
      {i::slots_have_content, "a variable without a slot", any,
       [](graph& g) {
         const int n = find(g, info_of<detail::variable_op>);
         g.nodes[n].slot = nullptr;
         return n;
       }},
      {i::types_are_what_the_op_infers, "another extent of a product", any, typed(product, matrix(4, 5))},
      {i::types_are_what_the_op_infers, "another dtype of a product", any, typed(product, matrix(4, 4, dtype::float32))},
      {i::types_are_what_the_op_infers, "another rank of a sum", any,
       typed(info_of<struct multiply>, type_of(dtype::float64, {4, 6, 1}))},
      {i::types_are_what_the_op_infers, "a number with an axis", any, typed(number, type_of(dtype::float64, {1}))},
      {i::types_are_what_the_op_infers, "a reshape to more elements", any, typed(info_of<struct reshape>, matrix(5, 5))},
      {i::types_are_what_the_op_infers, "a reshape to another dtype", any,
       typed(info_of<struct reshape>, matrix(6, 4, dtype::float32))},
      {i::types_are_what_the_op_infers, "a broadcast to another extent", any, typed(info_of<struct broadcast_to>, matrix(3, 6))},
      {i::types_are_what_the_op_infers, "a slice with more elements than it has", any, typed(info_of<struct slice>, matrix(3, 3))},
      {i::types_are_what_the_op_infers, "a slice up to a number with fewer", any, typed(info_of<struct slice>, matrix(1, 3))},
      {i::types_are_what_the_op_infers, "a gradient's slice with more than are left", any,
       typed(info_of<struct slice>, matrix(3, 3), 1)},
      {i::types_are_what_the_op_infers, "a slice of a named extent, one too long", any,
       [](graph& g) {
         const int n = find(g, info_of<struct slice>, 2);
         set_type(g, n, matrix(g.type(g.operand(n, 0)).extents[0], 6));
         return n;
       }},
      {i::types_are_what_the_op_infers, "a pad without room", any, typed(info_of<struct pad>, matrix(2, 6))},
      {i::types_are_what_the_op_infers, "a gradient's pad without room for the last", any,
       typed(info_of<struct pad>, matrix(4, 4), 1)},
      {i::types_are_what_the_op_infers, "a gradient's pad of a named extent, one too short", any,
       [](graph& g) {
         const int n = find(g, info_of<struct pad>, 2);
         set_type(g, n, matrix(g.type(g.operand(n, 0)).extents[0], 6));
         return n;
       }},
      {i::types_are_what_the_op_infers, "a concatenation that lacks an operand", any, typed(info_of<struct concat>, matrix(12, 6))},
      {i::types_are_what_the_op_infers, "a choice by no bools", any,
       [](graph& g) {
         const int n = find(g, info_of<struct where>);
         set_operand(g, n, 0, 0);
         return n;
       }},
      {i::types_are_what_the_op_infers, "a permutation that is none", any, worded(info_of<struct transpose>, 0, 0)},
      {i::types_are_what_the_op_infers, "an assignment of another shape", any,
       [](graph& g) {
         const int n = find(g, info_of<struct assign>);
         set_operand(g, n, 1, find(g, info_of<struct matmul>));
         return n;
       }},
      {i::assignments_are_of_variables, "of a product", any,
       [](graph& g) {
         const int n = find(g, info_of<struct assign>);
         set_operand(g, n, 0, g.operand(n, 1));
         return n;
       }},
      {i::fetches_are_nodes, "behind the last", any, [](graph& g) { return g.fetches[1] = g.size(), 1; }},
      {i::fetches_are_nodes, "no node", any, [](graph& g) { return g.fetches[2] = -1, 2; }},

      {i::no_gradient_is_left, "one", graph_stage::gradient,
       [](graph& g) {
         const int in[] = {0, 0};
         return g.push(info_of<gradient_op>, words(), g.type(0), in, 2);
       }},
      {i::every_node_is_needed, "a number that is not", graph_stage::tidy,
       [](graph& g) { return append_constant(g, dtype::float64, 99).node; }},
      {i::every_node_is_needed, "a group that is not", graph_stage::materialise,
       [](graph& g) { return g.push(info_of<struct group>, words(), tensor_type{}, nullptr, 0); }},
      {i::equal_nodes_are_one, "a product twice, the second with exchanged operands", graph_stage::tidy,
       [](graph& g) {
         const int n = find(g, info_of<struct multiply>);
         const int in[] = {g.operand(n, 1), g.operand(n, 0)};
         const int twin = g.push(info_of<struct multiply>, words(), g.type(n), in, 2);
         g.fetches.push_back(twin);
         return twin;
       }},
      {i::no_effect_is_left, "`after` is still there", graph_stage::order_effects,
       [](graph& g) {
         const assignment a = g.assignments[0];
         const int in[] = {a.variable, a.value};
         const int made = g.push(info_of<struct after>, words(), g.type(a.variable), in, 2);
         g.fetches.push_back(made);
         return made;
       }},
      {i::no_effect_is_left, "a variable assigned twice", graph_stage::order_effects,
       [](graph& g) {
         const assignment a = g.assignments[0];
         g.assignments.push_back(a);
         return a.value;
       }},
      {i::no_effect_is_left, "all of a variable assigned after all of it", graph_stage::materialise,
       [](graph& g) {
         const assignment a = g.assignments[0];
         g.assignments.push_back(a);
         return a.value;
       }},
      {i::values_are_assigned_to_variables_of_their_type, "a value of another shape", graph_stage::order_effects,
       [](graph& g) { return g.assignments[0].value = g.assignments[1].value, 0; }},
      {i::values_are_assigned_to_variables_of_their_type, "a value assigned to itself", graph_stage::order_effects,
       [](graph& g) { return g.assignments[1].variable = g.assignments[1].value, 1; }},
      {i::values_are_assigned_to_variables_of_their_type, "no node", graph_stage::materialise,
       [](graph& g) { return g.assignments[1].value = g.size(), 1; }},
      {i::values_are_assigned_to_variables_of_their_type, "a part that has no words", graph_stage::materialise,
       [](graph& g) { return g.assignments[1].word_count = 3, 1; }},
      {i::operands_of_kernels_lie_in_memory, "an assigned number", graph_stage::materialise,
       [](graph& g) {
         const int v = g.assignments[0].variable;
         return g.assignments[0].value = broadcast_to.to(append_constant(g, dtype::float64, 1), g.type(v)).node;
       }},
      {i::operands_of_kernels_lie_in_memory, "a product of a repeated number", graph_stage::materialise,
       [](graph& g) {
         const ref one = append_constant(g, dtype::float64, 1);
         const int many = broadcast_to.to(one, matrix(4, 4)).node, in[] = {many, many};
         const int made = g.push(info_of<struct matmul>, words(), matrix(4, 4), in, 2);
         g.fetches.push_back(made);
         return made;
       }},
      {i::fetches_are_computed_once, "a placeholder", graph_stage::materialise,
       [](graph& g) { return g.fetches.push_back(find(g, info_of<detail::placeholder_op>)), g.fetches.size() - 1; }},
      {i::fetches_are_computed_once, "a node twice", graph_stage::materialise,
       [](graph& g) { return g.fetches.push_back(g.fetches[0]), g.fetches.size() - 1; }},
  };
}

TEST_CASE("VER-01: each invariant of graphs that is broken is named, with its place") {
  sketch plain;
  flatten_into(plain);
  const stages passes;
  effect_failure unordered;
  const graph with_bodies = nest_regions(order_effects(plain.g, unordered));
  std::set<graph_invariant> seen;
  for (const broken_graph& b : broken_graphs()) {
    const graph& sound = b.stage == graph_stage::flatten         ? plain.g
                         : b.stage == graph_stage::nest_regions  ? with_bodies
                         : b.stage == graph_stage::gradient      ? passes.expanded
                         : b.stage == graph_stage::tidy          ? passes.tidied
                         : b.stage == graph_stage::order_effects ? passes.ordered
                                                                 : passes.ready;
    const std::string what = std::string(sentence(b.expected)) + ": " + b.what;
    CAPTURE(what);
    const graph_fault none = verify(sound, b.stage);
    REQUIRE_MESSAGE(!none, sentence(none.broken), " ", none.at);
    graph g = sound;
    const int place = b.corrupt(g);
    const graph_fault f = verify(g, b.stage);
    CHECK_MESSAGE(f.broken == b.expected, sentence(f.broken), " at ", f.at);
    CHECK(f.at == place);
    seen.insert(b.expected);
  }
  for (int k = 1; k <= static_cast<int>(graph_invariant::fetches_are_computed_once); ++k) {
    const auto i = static_cast<graph_invariant>(k);
    CHECK_MESSAGE(seen.count(i) == 1, "nothing breaks: ", sentence(i));
    CHECK(std::string(sentence(i)) != "");
  }
}

TEST_CASE("VER-01: what each pass gives is sound, and what it removes was there before it") {
  const stages passes;
  CHECK(!verify(passes.s.g, graph_stage::flatten));
  CHECK(verify(passes.s.g, graph_stage::order_effects).broken == graph_invariant::no_effect_is_left);
  CHECK(!verify(passes.ordered, graph_stage::order_effects));
  CHECK(verify(passes.ordered, graph_stage::gradient).broken == graph_invariant::no_gradient_is_left);
  CHECK(!verify(passes.expanded, graph_stage::gradient));
  CHECK(!!verify(passes.expanded, graph_stage::tidy));
  CHECK(!verify(passes.tidied, graph_stage::tidy));
  CHECK(verify(passes.tidied, graph_stage::materialise).broken == graph_invariant::operands_of_kernels_lie_in_memory);
  CHECK(!verify(passes.ready, graph_stage::materialise));
}

/// x * 2, its second operand replaced.
constexpr graph_fault constant_verdict(int operand) {
  graph g;
  tensor_type t;
  t.type = dtype::float32;
  t.rank = 1;
  t.extents[0] = 4;
  const ref x = append_placeholder(g, t, nullptr, 1);
  const ref y = x * append_constant(g, dtype::float32, 2);
  g.fetches.push_back(y.node);
  g.operands[g[y.node].first_operand + 1] = operand;
  return verify(g, graph_stage::flatten);
}
static_assert(!constant_verdict(1));
static_assert(constant_verdict(2).broken == graph_invariant::operands_come_before_users && constant_verdict(2).at == 2);

}  // namespace
}  // namespace etch
