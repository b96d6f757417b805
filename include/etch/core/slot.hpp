// SPDX-License-Identifier: MIT
#pragma once
#include <initializer_list>
#include <type_traits>

#include <etch/core/refusal.hpp>

/// Typed slots: placeholders, which are fed at each call, and variables, whose values live in a session.
namespace etch {

namespace detail {

/// The op of a slot's node. Slots print as themselves; only graphs see these.
struct placeholder_op : source_defaults {
  static constexpr const char* name = "placeholder";
  static constexpr op_role role = op_role::placeholder;
};
struct variable_op : placeholder_op {
  static constexpr const char* name = "variable";
  static constexpr op_role role = op_role::variable;
  static constexpr attribute_names names = {{"trainable", attribute_kind::flag}};
};

template <class Name, class T, class Shape, hash_t Hash, class Op = placeholder_op>
struct placeholder_definition {
  using shape_type = Shape;
  using value_type = T;
  using name_type = Name;
  static constexpr slot_info info = {Name::text, false, nullptr};
  static constexpr record value = {Hash,    Hash, &info_of<Op>, dtype_of<T>, type_hash<T, Shape>, &Shape::value, nullptr, 0,
                                   nullptr, 0,    &info};
};

constexpr hash_t variable_hash(hash_t name, hash_t initial, hash_t use) { return combine(hash_of("variable"), name, initial, use); }

/// Who changes a variable: an optimizer that trains it, the program, the one optimizer whose state it is, or what the host does, which it
/// orders.
enum class variable_use { trained, assigned, optimizer_state, host_order };

template <class Name, class T, class Shape, hash_t Initial, variable_use Use, hash_t Hash>
struct variable_definition {
  using shape_type = Shape;
  using value_type = T;
  using name_type = Name;
  static constexpr slot_info info = {Name::text, Use == variable_use::trained, unnamed(record_address<Initial>),
                                     Use == variable_use::optimizer_state, Use == variable_use::host_order};
  using flags = attributes<Use == variable_use::trained ? 1 : 0>;
  static constexpr hash_t content =
      info.initial->content == Initial ? Hash : variable_hash(Name::hash, info.initial->content, static_cast<hash_t>(Use));
  static constexpr record value = {Hash,          content,   &info_of<variable_op>, dtype_of<T>, type_hash<T, Shape>,
                                   &Shape::value, flags::at, flags::count,          nullptr,     0,
                                   &info};
};

/// As a slot, whatever it is seen as: `x = array` knows it as an expression.
template <class Op, class T, class Shape, hash_t Hash>
  requires std::is_base_of_v<placeholder_op, Op>
struct shown_operand<expr<Op, T, Shape, Hash>> : shown_operand<defined<expression_key, Hash>> {};

template <class Name, class T, class Shape>
constexpr hash_t define_placeholder() {
  if constexpr (!is_possible<Shape>) refuse_shape<Shape, typename shown_slot<Name, T, etch::shown_shape<Shape>>::type>();
  constexpr hash_t content = mix(mix(hash_of("placeholder"), Name::hash), type_hash<T, Shape>);
  return define<expression_key, content, placeholder_definition<Name, T, possible_shape<Shape>, content>>::hash;
}

/// T, or what is harmless where it is no element type.
template <class T>
using element_or_float = std::conditional_t<element<T>, T, float>;

/// What a placeholder of T is; of strings `<etch/strings.hpp>` says it.
template <class T>
struct placeholder_of {
  static constexpr bool exists = element<T>;
  template <class Name, class Shape>
  using type =
      expr<placeholder_op, element_or_float<T>, possible_shape<Shape>, define_placeholder<Name, element_or_float<T>, Shape>()>;
  /// What is fed to it after an error.
  template <class Slot>
  static constexpr binding<Slot, Slot> nothing(const Slot& slot) {
    return {slot};
  }
};
template <class Name, class T, class Shape>
using placeholder_expr = typename placeholder_of<T>::template type<Name, Shape>;

}  // namespace detail

/// A slot that must be fed: `constexpr placeholder<"images", float, any<"batch">, 784> images;`
template <fixed_string Name, class T, auto... Extents>
struct placeholder : detail::placeholder_expr<name_of<Name>, T, canonical_shape<Extents...>> {
  static_assert(detail::placeholder_of<T>::exists, "placeholder: the element type is bool, an integer, float, double, or bfloat16");
  using name_type = name_of<Name>;
  static constexpr const char* text = name_type::text;

  constexpr placeholder() = default;
  using detail::placeholder_expr<name_type, T, canonical_shape<Extents...>>::operator=;
  /// Braces that are not nested as the shape is.
  template <class V>
    requires(sizeof...(Extents) != 1)
  constexpr auto operator=(std::initializer_list<V>) const {
    return refuse_braces<V, 1>();
  }
  template <class V>
    requires(sizeof...(Extents) != 2)
  constexpr auto operator=(std::initializer_list<std::initializer_list<V>>) const {
    return refuse_braces<V, 2>();
  }
  template <class I>
  constexpr auto operator[](const I&) const {
    return detail::refuse_elements<placeholder, I>();
  }
  template <class I, class... More>
  constexpr auto operator()(const I&, const More&...) const {
    return detail::refuse_elements<placeholder, I, More...>();
  }

 private:
  template <class V, int Axes>
  constexpr auto refuse_braces() const {
    raise<braces_are_nested_once_for_each_axis, shown<placeholder>, expected<number_of_axes<sizeof...(Extents)>>,
          got<number_of_axes<Axes>>>();
    return detail::placeholder_of<T>::nothing(*this);
  }
};

/// A variable as an expression: reading it. Made by `variable<"name">(initial value)`.
template <class Name, class T, class Shape, detail::variable_use Use, hash_t Hash>
struct variable_expr : expr<detail::variable_op, T, Shape, Hash> {
  using name_type = Name;
  static constexpr bool trainable = Use == detail::variable_use::trained;

  constexpr variable_expr() = default;
  using expr<detail::variable_op, T, Shape, Hash>::operator=;
  template <class I>
  constexpr auto operator[](const I&) const {
    return detail::refuse_elements<variable_expr, I>();
  }
  template <class I, class... More>
  constexpr auto operator()(const I&, const More&...) const {
    return detail::refuse_elements<variable_expr, I, More...>();
  }
};

namespace detail {

template <class Definition>
struct defined_variable;
template <class Name, class T, class Shape, hash_t Initial, variable_use Use, hash_t Hash>
struct defined_variable<variable_definition<Name, T, Shape, Initial, Use, Hash>> {
  using type = variable_expr<Name, T, Shape, Use, Hash>;
};
/// The variable of a hash.
template <hash_t Hash>
using variable_with = typename defined_variable<defined<expression_key, Hash>>::type;

}  // namespace detail

/// What `variable<"name">(initial value)` gives.
template <class E>
concept variable_expression = requires { typename E::op; } && std::is_same_v<typename E::op, detail::variable_op>;

/// Tag: the variable is not changed by optimizers.
inline constexpr struct not_trainable {
} not_trainable;

namespace detail {

/// The last part of a path that is all stars, as in "block/*/w": a variable of that name is one of each block of a `repeat`.
struct star_part {
  std::size_t begin = 0, stars = 0;
};
constexpr star_part last_star_part(const char* text, std::size_t size) {
  star_part last, now;
  bool all = true;
  for (std::size_t i = 0; i <= size; ++i) {
    if (i == size || text[i] == '/') {
      if (all && now.stars > 0 && i < size) last = now;
      now = {i + 1, 0};
      all = true;
    } else {
      all = all && text[i] == '*';
      ++now.stars;
    }
  }
  return last;
}
/// Defined by control/repeat.hpp.
template <class Name, class T, class Shape, hash_t Initial, variable_use Use>
struct repeated_variable;

template <class Name, variable_use Use, expression E>
constexpr auto make_variable(E) {
  using T = typename E::value_type;
  using Shape = typename E::shape_type;
  if constexpr (last_star_part(Name::text, Name::size).stars > 0) {
    return repeated_variable<Name, T, Shape, E::hash, Use>::make();
  } else {
    if constexpr (!Shape::is_static)
      raise<a_variable_cannot_have_a_named_extent, typename shown_slot<Name, T, etch::shown_shape<Shape>>::type>();
    constexpr hash_t hash = variable_hash(Name::hash, E::hash, static_cast<hash_t>(Use));
    constexpr hash_t h = define<expression_key, hash, variable_definition<Name, T, Shape, E::hash, Use, hash>>::hash;
    return variable_expr<Name, T, Shape, Use, h>{};
  }
}
}  // namespace detail

/// A value that persists between runs of a session, started by `initial` when the session is initialised. The same name
/// is the same variable; declaring it again with another dtype, shape or initial value is a compile error.
template <fixed_string Name, expression E>
constexpr auto variable(E initial) {
  return detail::make_variable<name_of<Name>, detail::variable_use::trained>(initial);
}
template <fixed_string Name, expression E>
constexpr auto variable(E initial, struct not_trainable) {
  return detail::make_variable<name_of<Name>, detail::variable_use::assigned>(initial);
}
template <fixed_string Name, class... A>
  requires(!expression<A> && ...)
constexpr auto variable(const A&...) {
  detail::refuse_as<a_variable_starts_from_an_expression, variable_named<Name>, "variable<\"" + Name + "\">(zeros(shape<2, 3>{}))",
                    A...>();
  return detail::make_variable<name_of<Name>, detail::variable_use::trained>(literal<0.f>);
}
template <fixed_string Name>
constexpr auto variable(std::initializer_list<double> values) {
  return variable<Name>(0, values);
}
template <class... A>
constexpr auto variable(const A&...) {
  detail::refuse_as<name_the_variable_in_angle_brackets, in_function<"variable">, "variable<\"w\">(zeros(shape<2, 3>{}))", A...>();
  return detail::make_variable<name_of<"">, detail::variable_use::trained>(literal<0.f>);
}

}  // namespace etch
