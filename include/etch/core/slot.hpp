// SPDX-License-Identifier: MIT
#pragma once
#include <initializer_list>

#include <etch/core/constant.hpp>

/// Typed slots: placeholders, which are fed at each call, and variables, whose values live in a session.
namespace etch {

namespace detail {

/// The op of a slot's node. Slots print as themselves; only graphs see these.
struct placeholder_op : op_defaults {
  static constexpr const char* name = "placeholder";
  static constexpr op_role role = op_role::placeholder;
  static constexpr op_kind kind = op_kind::source;
  static constexpr int arity = 0;
  static constexpr bool differentiable = false;
  static constexpr tensor_type infer(inference&, const tensor_type*, int, const words&) { return {}; }
};
struct variable_op : placeholder_op {
  static constexpr const char* name = "variable";
  static constexpr op_role role = op_role::variable;
  static constexpr attribute_names names = {{"trainable", attribute_kind::flag}};
};

template <class Slot, class T, class Shape, hash_t Hash>
struct placeholder_definition {
  using shape_type = Shape;
  using value_type = T;
  using name_type = typename Slot::name_type;
  static constexpr slot_info info = {Slot::text, false, nullptr};
  static constexpr record value = {Hash,    &info_of<placeholder_op>, dtype_of<T>, type_hash<T, Shape>, &Shape::value,
                                   nullptr, 0, nullptr, 0, &info};
};

template <class Name, class T, class Shape, hash_t Initial, bool Trainable, hash_t Hash>
struct variable_definition {
  using shape_type = Shape;
  using value_type = T;
  using name_type = Name;
  static constexpr slot_info info = {Name::text, Trainable, record_address<Initial>};
  using flags = attributes<Trainable ? 1 : 0>;
  static constexpr record value = {Hash,      &info_of<variable_op>, dtype_of<T>, type_hash<T, Shape>, &Shape::value,
                                   flags::at, flags::count, nullptr, 0, &info};
};

}  // namespace detail

/// A slot that must be fed: `constexpr placeholder<"images", float, any<"batch">, 784> images;`
template <fixed_string Name, class T, auto... Extents>
struct placeholder : expression_base {
  static_assert(element<T>, "placeholder: the element type is one of bool, uint8, int32, int64, float, double");
  using name_type = name_of<Name>;
  static constexpr const char* text = name_type::text;
  using value_type = T;
  using shape_type = canonical_shape<Extents...>;
  static constexpr int rank = shape_type::rank;
  static constexpr dtype type = dtype_of<T>;

 private:
  static constexpr hash_t content = mix(mix(hash_of("placeholder"), name_type::hash),
                                        detail::type_hash<T, shape_type>);

 public:
  static constexpr hash_t hash =
      define<expression_key, content, detail::placeholder_definition<placeholder, T, shape_type, content>>::hash;

  constexpr placeholder() = default;
  constexpr placeholder(const placeholder&) = default;

  template <detail::other_than<placeholder> Value>
  constexpr auto operator=(Value&& value) const {
    return detail::bind_value<placeholder, Value>(value);
  }
  template <class Element = T>
    requires(rank > 0)
  constexpr auto operator=(const nested_list<Element, rank>& values) const {
    return binding<placeholder, nested_list<Element, rank>>{values};
  }
  explicit constexpr operator bool() const { return detail::refuse_to_be_bool<placeholder>(); }
};

/// A variable as an expression: reading it. Made by `variable<"name">(initial value)`.
template <class Name, class T, class Shape, bool Trainable, hash_t Hash>
struct variable_expr : expression_base {
  using name_type = Name;
  using value_type = T;
  using shape_type = Shape;
  static constexpr hash_t hash = Hash;
  static constexpr int rank = Shape::rank;
  static constexpr dtype type = dtype_of<T>;
  static constexpr bool trainable = Trainable;

  constexpr variable_expr() = default;
  constexpr variable_expr(const variable_expr&) = default;

  template <detail::other_than<variable_expr> Value>
  constexpr auto operator=(Value&& value) const {
    return detail::bind_value<variable_expr, Value>(value);
  }
  template <class Element = T>
    requires(rank > 0)
  constexpr auto operator=(const nested_list<Element, rank>& values) const {
    return binding<variable_expr, nested_list<Element, rank>>{values};
  }
  explicit constexpr operator bool() const { return detail::refuse_to_be_bool<variable_expr>(); }
};

namespace detail {

template <class Definition>
struct defined_variable;
template <class Name, class T, class Shape, hash_t Initial, bool Trainable, hash_t Hash>
struct defined_variable<variable_definition<Name, T, Shape, Initial, Trainable, Hash>> {
  using type = variable_expr<Name, T, Shape, Trainable, Hash>;
};
/// The variable of a hash.
template <hash_t Hash>
using variable_with = typename defined_variable<defined<expression_key, Hash>>::type;

}  // namespace detail

/// Tag: the variable is not changed by optimizers.
inline constexpr struct not_trainable {
} not_trainable;

namespace detail {
template <class Name, bool Trainable, expression E>
constexpr auto make_variable(E) {
  using T = typename E::value_type;
  using Shape = typename E::shape_type;
  if constexpr (!Shape::is_static)
    raise<a_variable_cannot_have_a_named_extent, typename shown_slot<Name, T, etch::shown_shape<Shape>>::type>();
  constexpr hash_t content = combine(hash_of("variable"), Name::hash, E::hash, Trainable ? 1u : 0u);
  constexpr hash_t h =
      define<expression_key, content, variable_definition<Name, T, Shape, E::hash, Trainable, content>>::hash;
  return variable_expr<Name, T, Shape, Trainable, h>{};
}
}  // namespace detail

/// A value that persists between runs of a session, started by `initial` when the session is initialised. The same name
/// is the same variable; declaring it again with another dtype, shape or initial value is a compile error.
template <fixed_string Name, expression E>
constexpr auto variable(E initial) {
  return detail::make_variable<name_of<Name>, true>(initial);
}
template <fixed_string Name, expression E>
constexpr auto variable(E initial, struct not_trainable) {
  return detail::make_variable<name_of<Name>, false>(initial);
}

}  // namespace etch
