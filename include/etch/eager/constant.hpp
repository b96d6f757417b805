// SPDX-License-Identifier: MIT
#pragma once
#include <utility>
#include <vector>

#include <etch/core/slot.hpp>
#include <etch/eager/apply.hpp>
#include <etch/eager/random.hpp>

/// Expressions that are made of constants and draws alone, `zeros(shape<2, 3>{})` or `random_normal<"noise">(shape<4>{})`, as values:
/// what they are where they meet eager tensors.
namespace etch::eager {

namespace detail {

/// What stands in the way of evaluating an expression without a session: the definition of a slot, or an op that is none of values.
template <class Definition>
struct obstacle {
  using type = Definition;
};
template <class...>
struct first_obstacle {
  using type = void;
};
template <class A, class... Rest>
struct first_obstacle<A, Rest...> {
  using type = std::conditional_t<std::is_void_v<typename obstacle<A>::type>, typename first_obstacle<Rest...>::type,
                                  typename obstacle<A>::type>;
};
template <class Op, class T, class Shape, class Attributes, hash_t Hash, hash_t... Operands>
  requires(Op::kind != op_kind::effect && Op::kind != op_kind::meta && Shape::is_static)
struct obstacle<etch::detail::definition<Op, T, Shape, Attributes, Hash, Operands...>>
    : first_obstacle<defined<expression_key, Operands>...> {};

/// The value of a definition without obstacles.
template <class Definition>
struct constant_of;

/// What has been computed of an expression: what is used twice is computed once, or 40 sums of a sum with itself would be 2^40.
using computed_values = std::vector<std::pair<hash_t, value>>;
template <hash_t Hash>
value value_of(const cpu::draw_state& state, computed_values& computed) {
  for (const auto& [hash, known] : computed)
    if (hash == Hash) return known;
  value made;
  constant_of<defined<expression_key, Hash>>::get(state, computed, made);
  computed.emplace_back(Hash, made);
  return made;
}

/// 0, 1, ... of dtype D along an axis.
template <dtype D>
void count_along(const tensor_type& type, int axis, value& out) {
  out.reset(type);
  std::int64_t inner = 1, n = out.size();
  for (int i = axis + 1; i < type.rank; ++i) inner *= type.extents[i];
  auto* const to = reinterpret_cast<value_type_of<D>*>(out.bytes());
  for (std::int64_t i = 0; i < n; ++i) to[i] = static_cast<value_type_of<D>>(i / inner % type.extents[axis]);
}

}  // namespace detail

/// What has no operands: a constant, indices, or a draw.
template <class Op, dtype D>
void make_source(const tensor_type& type, const words& attributes, const cpu::draw_state& draws, value& out) {
  if constexpr (Op::role == op_role::constant) {
    out.reset(type);
    *reinterpret_cast<value_type_of<D>*>(out.bytes()) = constant.decode(D, attributes[0]).template as<value_type_of<D>>();
  } else if constexpr (Op::role == op_role::index) {
    detail::count_along<D>(type, static_cast<int>(attributes[0]), out);
  } else {
    draw<Op, D>(type, attributes, draws, out);
  }
}

namespace detail {

template <class Op, class T, class Shape, class Attributes, hash_t Hash, hash_t... Operands>
struct constant_of<etch::detail::definition<Op, T, Shape, Attributes, Hash, Operands...>> {
  static constexpr dtype type = dtype_of<T>;
  static constexpr bool is_draw = sizeof...(Operands) == 0 && Op::stateful;
  static constexpr bool draws = (is_draw || ... || constant_of<defined<expression_key, Operands>>::draws);
  static void get(const cpu::draw_state& state, [[maybe_unused]] computed_values& computed, value& out) {
    const tensor_type shape = Shape::value(no_names, type);
    if constexpr (sizeof...(Operands) == 0) {
      make_source<Op, type>(shape, Attributes::value, state, out);
    } else {
      const value operands[] = {value_of<Operands>(state, computed)...};
      if constexpr (std::is_same_v<Op, struct reshape> || std::is_same_v<Op, struct broadcast_to>) {
        apply_as<Op, type>(Attributes::value, shape, operands[0], out);
      } else {
        constexpr int count = sizeof...(Operands);
        const value* in[count];
        for (int i = 0; i < count; ++i) in[i] = &operands[i];
        apply<Op, type, defined<expression_key, Operands>::value.type...>(Attributes::value, in, count, out);
      }
    }
  }
};

template <class Definition>
struct shown_obstacle {
  using type = shown<Definition>;
};
template <class Op, class T, class Shape, class Attributes, hash_t Hash, hash_t... Operands>
struct shown_obstacle<etch::detail::definition<Op, T, Shape, Attributes, Hash, Operands...>> {
  using type = operand<T, etch::shown_shape<Shape>>;
};

}  // namespace detail

/// Whether E has a value without a session; an error where it has none.
template <class E>
constexpr bool is_constant_expression() {
  using obstacle = typename detail::obstacle<defined<expression_key, E::hash>>::type;
  if constexpr (std::is_void_v<obstacle>)
    return true;
  else
    return raise<a_placeholder_has_no_value_in_eager_code_run_the_expression_in_a_session,
                 typename detail::shown_obstacle<obstacle>::type>();
}

/// The value of an expression of constants and draws. Each evaluation draws anew; in one, equal draws are the same numbers, as in
/// one run of a session.
template <class E>
void evaluate_constant(value& out) {
  using constant = detail::constant_of<defined<expression_key, E::hash>>;
  const unrecorded no_gradient_passes;
  detail::computed_values computed;
  constant::get(constant::draws ? next_draw() : cpu::draw_state{}, computed, out);
}

}  // namespace etch::eager
