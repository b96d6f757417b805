// SPDX-License-Identifier: MIT
#pragma once
#include <type_traits>

#include <etch/core/attributes.hpp>

/// The handle of a node in a graph under construction: the operand that op objects see when a pass calls them.
namespace etch {

struct op_info;
class graph;

/// Calling an op on refs appends a node to their graph. What it does is defined in `graph/build.hpp`.
struct ref {
  graph* owner = nullptr;
  int node = -1;

  /// False for "no gradient" and for an optional operand that is not there.
  constexpr bool valid() const { return node >= 0; }
  /// By value: what an op appends may move the types of its graph.
  constexpr tensor_type type() const;
};

/// Appends a node whose type follows from the op's own rules; promotes the operands' dtypes where the op does so.
constexpr ref append(const op_info& op, const words& attributes, const ref* operands, int count);
/// Appends a node of a given type: for ops whose shape does not follow from their operands.
constexpr ref append(const op_info& op, const words& attributes, const tensor_type& type, const ref* operands, int count);
/// The table that the named extents of a graph refer to.
constexpr extent_table& extents_of(graph& owner);
constexpr extent_table& extents_of(const ref& x);
/// A scalar constant.
constexpr ref append_constant(graph& owner, dtype type, double value);

/// A handle of a value whose type is known as data only, and what gradient rules are generic in: nodes of a graph under construction
/// are such, eager values that a tape has kept are others. A handle type H has `valid()` and `type()` as ref does; besides, found by
/// argument-dependent look-up, with `op_tag<Op>` in front,
///     H emit_node(op_tag<Op>, attributes, const H* operands, count)    what the op gives for them
///     H emit_node_as(op_tag<Op>, attributes, tensor_type, H operand)   the same, of a given type
///     H emit_constant(H beside, scalar)
///     extent_table& extents_of(H)                                      where sums and products of extents are kept
template <class T>
inline constexpr bool is_handle = std::is_same_v<T, ref>;
template <class T>
concept handle = is_handle<T>;
template <class Op>
struct op_tag {};

/// Whether every element of x is that number, known before any run.
constexpr bool is_constant(ref x, double value);
/// Operand k of x, where x is made by `op`; not valid otherwise.
constexpr ref operand_of(ref x, const op_info& op, int k);
/// How many attributes x has; attribute k of x.
constexpr int attribute_count_of(ref x);
constexpr std::int64_t attribute_of(ref x, int k);

}  // namespace etch
