// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/definition.hpp>
#include <etch/core/op.hpp>
#include <etch/core/shape.hpp>

/// What stands behind the hash of an expression: a record, which passes read in place of types.
namespace etch {

struct record;
struct source_place;

/// What a slot has beside a type: the name, and for a variable how it starts.
struct slot_info {
  const char* name = "";
  bool trainable = false;
  const record* initial = nullptr;  ///< a variable's initial value
  bool is_state = false;            ///< of an optimizer
  bool orders_host = false;         ///< it has no value of its own, but orders what the host does in a run
};

/// Whether a layer in a scope may have the name, and with it the variables, of another one. A session checks it.
enum class reuse : std::uint8_t {
  inherited,  ///< as the scope around it says; automatic where there is none
  automatic,  ///< whoever comes first makes the variables
  never,      ///< a layer made twice, on different arguments, is a compile error
  always      ///< a layer is a compile error unless one that is not told this makes the same
};

/// A call of a scope.
struct scope_call {
  hash_t id = 0;  ///< the same for all of its results
  reuse policy = reuse::inherited;
  const hash_t* arguments = nullptr;  ///< contents: what is outside
  int count = 0;
};

/// A name that an expression has been given, or a scope's path: beside the graph, since it changes no node.
struct naming {
  const char* text = "";
  const record* of = nullptr;         ///< what is named, which may have a name, too
  const record* unnamed = nullptr;    ///< the same without any
  source_place* place = nullptr;      ///< where the name stands in the program
  const scope_call* scope = nullptr;  ///< null where this is a name
};

/// An expression as a value: what `flatten` reads. The operands are found by pointer, so no template recursion is left.
struct record {
  hash_t hash = 0;     ///< of the expression as it is written: what the compiler knows it by
  hash_t content = 0;  ///< of what it is, whatever it and its operands are named: what a graph knows it by
  const op_info* op = nullptr;
  dtype type = dtype::none;
  hash_t type_hash = 0;  ///< of dtype and shape
  tensor_type (*shape)(extent_table&, dtype) = nullptr;
  const std::int64_t* words = nullptr;
  int word_count = 0;
  const record* const* operands = nullptr;  ///< without names; behind them as they are written
  int count = 0;
  const slot_info* slot = nullptr;
  const naming* name = nullptr;  ///< null where the expression is not what `named` gives
};

template <hash_t Hash>
constexpr const record& record_of() {
  return defined<expression_key, Hash>::value;
}

namespace detail {
constexpr const record* unnamed(const record* r) { return r->name == nullptr ? r : r->name->unnamed; }

/// What errors at run time call an expression: a slot, or what is named; null where it is neither.
constexpr const char* name_in_errors(const record* r) {
  while (r->name != nullptr && r->name->scope != nullptr) r = r->name->of;
  return r->name != nullptr ? r->name->text : r->slot != nullptr ? r->slot->name : nullptr;
}

/// The content of a node of that hash: this is the hash where no operand is named.
constexpr hash_t content_of(hash_t hash, hash_t node, const record* const* operands, int count) {
  bool is_plain = true;
  for (int k = 0; k < count && is_plain; ++k) is_plain = operands[k]->content == operands[count + k]->hash;
  if (is_plain) return hash;
  hash_t content = node;
  for (int k = 0; k < count; ++k) content = mix(content, operands[k]->content);
  return content;
}
}  // namespace detail

namespace detail {

/// A variable, since nvcc takes no address of a call's result in a constant.
template <hash_t Hash>
inline constexpr const record* record_address = &defined<expression_key, Hash>::value;

template <auto E>
constexpr hash_t hash_extent() {
  if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(E)>>)
    return mix(1, static_cast<hash_t>(static_cast<std::int64_t>(E)));
  else
    return mix(2, hash_of(extent_text<std::remove_cvref_t<decltype(E)>>::text));
}
/// h and more hashes. Not by a fold: clang takes 256 operands of one.
template <class... Hashes>
constexpr hash_t combine(hash_t h, Hashes... more) {
  const hash_t all[] = {more..., 0};
  for (int i = 0; i < static_cast<int>(sizeof...(Hashes)); ++i) h = mix(h, all[i]);
  return h;
}

template <class Shape>
inline constexpr hash_t shape_hash = 0;
template <auto... E>
inline constexpr hash_t shape_hash<shape<E...>> = combine(sizeof...(E), hash_extent<E>()...);

/// Of a tensor's dtype and shape.
template <class T, class Shape>
inline constexpr hash_t type_hash = mix(static_cast<hash_t>(dtype_of<T>), shape_hash<Shape>);

constexpr hash_t hash_of_node(hash_t op, hash_t type, const std::int64_t* attributes, int count) {
  hash_t h = mix(op, type);
  for (int i = 0; i < count; ++i) h = mix(h, static_cast<hash_t>(attributes[i]));
  return h;
}
/// Of a node but its operands.
template <class Op, class T, class Shape, class Attributes>
inline constexpr hash_t node_hash = hash_of_node(info_of<Op>.id, type_hash<T, Shape>, Attributes::at, Attributes::count);

template <hash_t Hash>
inline constexpr hash_t content_with = record_address<Hash>->content;

/// What stands behind the hash of a list of expressions.
template <hash_t... Hashes>
struct expression_list {
  static constexpr int size = sizeof...(Hashes);
  static constexpr hash_t contents[sizeof...(Hashes) + 1] = {record_address<Hashes>->content..., 0};
  /// As they are written.
  static constexpr const record* records[sizeof...(Hashes) + 1] = {record_address<Hashes>..., nullptr};
};

/// What stands behind an expression's hash.
template <class Op, class T, class Shape, class Attributes, hash_t Hash, hash_t... Operands>
struct definition {
  using shape_type = Shape;
  using value_type = T;
  static constexpr const record* operands[2 * sizeof...(Operands) + 1] = {unnamed(record_address<Operands>)...,
                                                                          record_address<Operands>..., nullptr};
  static constexpr record value = {Hash,
                                   content_of(Hash, node_hash<Op, T, Shape, Attributes>, operands, sizeof...(Operands)),
                                   &info_of<Op>,
                                   dtype_of<T>,
                                   type_hash<T, Shape>,
                                   &Shape::value,
                                   Attributes::at,
                                   Attributes::count,
                                   operands,
                                   sizeof...(Operands)};
};

}  // namespace detail

/// Some expressions, in order, as one hash: what is made from 500 of them has a name as short as what is made from one. With all
/// their hashes in the name of each of 500 kernels, g++ 12 spent more than half of its time on names.
template <hash_t... Hashes>
inline constexpr hash_t list_of =
    define<list_key, detail::combine(sizeof...(Hashes), Hashes...), detail::expression_list<Hashes...>>::hash;

}  // namespace etch
