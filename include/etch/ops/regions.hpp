// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>

#include <etch/base/hash_index.hpp>
#include <etch/base/vector.hpp>
#include <etch/core/expression.hpp>

/// Ops that run sub-graphs, the bodies of loops and branches, and what gradients compute again. In expressions, and in the graph that they
/// are flattened into, a region's operands are also the parameters and the values of its bodies, and what belongs to a body is what depends
/// on its parameters, or what nothing but a branch needs. The pass `nest_regions` makes each body a graph of its own, whose nodes have its
/// number and whose parameters stand for the operands of the region: what it is given, then what it has captured.
///
/// Before that, parameters have levels, so that those of a loop within a loop are others: a loop's is the least above those of all loops that
/// its body is made of. Loops of one level may share parameters: what their bodies have in common is one node, and each runs its own copy.
namespace etch {

namespace detail {
struct region : op_defaults {
  static constexpr op_kind kind = op_kind::region;
  static constexpr int arity = -1;
  static constexpr bool differentiable = false;  // by a rule of one operand; the pass `gradient` knows regions
  static constexpr dtype_rule operands = dtype_rule::free;
  static constexpr tensor_type infer(inference&, const tensor_type*, int, const words&) { return {}; }
};
/// A value of a region: what it is, the region's builder says.
struct region_value : op_defaults {
  static constexpr op_kind kind = op_kind::region;
  static constexpr bool differentiable = false;
  static constexpr dtype_rule operands = dtype_rule::free;
  static constexpr tensor_type infer(inference&, const tensor_type*, int, const words&) { return {}; }
};
}  // namespace detail

/// Stands in a body for what each run of it is given. Attributes: the region's level (0 where bodies are graphs), a number.
struct region_parameter : source_defaults {
  static constexpr const char* name = "parameter";
  static constexpr op_role role = op_role::parameter;
  static constexpr attribute_names names = {{"level"}, {"number"}};
};

/// Runs its body once for each element of its sequences along their first axis, from the last one on where it is reversed, and, where
/// it has a condition, as long as that is true. Operands: first values of the states, the sequences; then, in expressions, a parameter for
/// each of both, the states' next values, the condition, perhaps; in graphs what the bodies read beside. Without sequences it goes on until
/// the condition ends it. Attributes: the level, or the first body; how many states and sequences there are; a loop_mode. The first body
/// gives the next states, then what is stacked, the second one the condition.
struct region_loop : detail::region {
  static constexpr const char* name = "loop";
  static constexpr op_role role = op_role::loop;
  static constexpr attribute_names names = {{"level"}, {"states"}, {"sequences"}, {"mode"}};
};

/// Runs one of several bodies, all of which have as many values. Operands: a bool, of which the first body is that of true, or the number
/// of a body, of which the last is also that of all numbers out of range; in expressions the values of each, in graphs what they read.
/// Attributes: how many bodies; how many values each has, or the first body.
struct region_branch : detail::region {
  static constexpr const char* name = "branch";
  static constexpr op_role role = op_role::branch;
  static constexpr attribute_names names = {{"regions"}, {"values"}};
};

/// Runs its body once. What the body makes of its parameters is planned apart, and a gradient makes it again instead of reading what the
/// forward pass made. Operands: the arguments; in expressions a parameter for each, and the values, in graphs what the body reads beside.
/// Attributes: the level, or the body; how many arguments.
struct region_recompute : detail::region {
  static constexpr const char* name = "recompute";
  static constexpr op_role role = op_role::recompute;
  static constexpr attribute_names names = {{"level"}, {"arguments"}};
};

namespace detail {
/// What a stack of floats has where a loop has made no step at all.
struct half_of_floats {
  char bytes[8] = {};
  std::int64_t size = 0;

  explicit half_of_floats(dtype type) : size(size_of_dtype(type)) {
    const float narrow = 0.5f;
    const double wide = 0.5;
    if (type == dtype::float64)
      std::memcpy(bytes, &wide, sizeof wide);
    else  // of bfloat16 the upper half of a float
      std::memcpy(bytes, reinterpret_cast<const char*>(&narrow) + 4 - size, static_cast<std::size_t>(size));
  }
};
}  // namespace detail

/// A value of a region: of a loop a state after the last step, or in graphs a stack; else a value of the body that has run. Operand: the
/// region. Attribute: which of the values that its bodies give.
struct region_result : detail::region_value {
  static constexpr const char* name = "result";
  static constexpr op_role role = op_role::result;
  static constexpr int arity = 1;
  static constexpr attribute_names names = {{"number"}};
};

/// The values that a node of a loop's body has in all steps, along a new first axis, at the places of the sequences' elements. Of
/// steps that a condition prevents those of floats are the last step's, or 1/2 where there is none, all others 0. Operands: the loop, the node. In
/// expressions only.
struct region_stack : detail::region_value {
  static constexpr const char* name = "stack";
  static constexpr op_role role = op_role::stack;
  static constexpr int arity = 2;
};

/// Its operand, as a value of the body that reads it: so that what is made of it is of that body. Attribute: the levels, by bit. Only the pass
/// `with_local_gradients` makes it.
struct region_local : detail::region_value {
  static constexpr const char* name = "local";
  static constexpr op_role role = op_role::local;
  static constexpr int arity = 1;
};

/// Its first operand, with the first extents of the second, of which it takes its own to be those: where a function is traced, arguments may
/// have any extents until the ops of its body are asked. What is traced again then has none of these. Elsewhere it says whose shape
/// `zeros_like` has. Graphs have the first operand alone. Attribute: how many axes.
struct region_alike : detail::region_value {
  static constexpr const char* name = "alike";
  static constexpr op_role role = op_role::alike;
  static constexpr int arity = 2;
  static constexpr attribute_names names = {{"axes"}};
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    if (!context.agree_in_first(static_cast<int>(w[0]), in[0], in[1])) return context.fail(reason::extents_differ, in[0]);
    tensor_type r = in[0];
    for (int i = 0; i < w[0]; ++i) r.extents[i] = in[1].extents[i];
    return r;
  }
};

/// A call of a function. Operands: the arguments, the values of the body. Attribute: how many arguments. Graphs have the values; of which
/// call nodes are is noted beside them, so that each of equal calls is one step that runs the same plan.
struct region_outline : detail::region {
  static constexpr const char* name = "function";
  static constexpr op_role role = op_role::outline;
  static constexpr attribute_names names = {{"arguments"}};
};

/// A region or a function's call whose sub-graphs have become graphs of their own. Operands: of a loop first values and sequences,
/// of a branch what chooses, of a recomputed block the arguments; then what the sub-graphs read. Attributes: a call_kind, its
/// number among the calls of the graph; of a loop how many states and sequences, whether it is reversed, of a branch 0, the dtype
/// of what chooses, 0, of a function the number of the first call of the same sub-graph (of a recomputed block its own), 0, 0; how
/// many sub-graphs. Only passes make it.
struct region_call : detail::region {
  static constexpr const char* name = "call";
  static constexpr op_role role = op_role::call;
  static constexpr int word_count = 6;
};

/// The last of a loop's attributes, by bit.
namespace loop_mode {
inline constexpr std::int64_t reversed = 1, recomputes = 2, has_condition = 4;
}

namespace detail {

/// Which attribute of a region says what its first body is.
constexpr int body_word(const op_info& op) { return op.role == op_role::branch ? 1 : 0; }
/// How many bodies a region with these attributes has, where bodies are graphs: of a loop the steps', and the condition.
constexpr int body_count(const op_info& op, const std::int64_t* attributes) {
  if (op.role == op_role::branch) return static_cast<int>(attributes[0]);
  return op.role == op_role::loop && (attributes[3] & loop_mode::has_condition) != 0 ? 2 : 1;
}

/// The first of region_call's attributes.
enum class call_kind : std::int64_t { loop, loop_with_condition, branch, function };

/// Levels are bits of a word.
inline constexpr int deepest_level = 62;

/// The least level above those of all regions with parameters that these are made of.
template <hash_t... Roots>
inline constexpr int level_above = [] {
  int level = 0;
  vector<const record*> stack;
  hash_index seen;
  (stack.push_back(record_address<Roots>), ...);
  while (!stack.empty()) {
    const record* const r = stack.back();
    stack.pop_back();
    if (seen.find(r->content) >= 0) continue;
    seen.insert(r->content, 0);
    if (has_parameters(r->op->role) && r->words[0] >= level) level = static_cast<int>(r->words[0]) + 1;
    for (int k = 0; k < r->count; ++k) stack.push_back(r->operands[k]);
  }
  return level;
}();

template <int Level, int Number, class T, class Shape>
using parameter_of = decltype(make_expression<region_parameter, T, Shape, attributes<Level, Number>>());

}  // namespace detail

}  // namespace etch
