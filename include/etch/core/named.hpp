// SPDX-License-Identifier: MIT
#pragma once
#include <type_traits>

#include <etch/core/slot.hpp>

/// Names of expressions. They stand beside the graph: what is named stays the node that it is, so `named<"sum">(x + y) * (x + y)` has
/// one addition, and a plan, its values and its gradients are those of the expression without names.
namespace etch {

/// Where a name was given. No compiler gives the line of a call as a constant of the template that is called (the line in a default
/// template argument is that of the template), so it is noted when the call is made; in a constant expression that is never.
struct source_place {
  const char* file = nullptr;
  int line = 0;

  /// Threads may do so at once. Not by std::atomic: two of them would be 80 functions more in every program.
  void note(const char* in_file, int at_line) {
    __atomic_store_n(&file, in_file, __ATOMIC_RELAXED);
    __atomic_store_n(&line, at_line, __ATOMIC_RELAXED);
  }
};

namespace detail {

template <hash_t Hash>
inline constinit source_place place_of{};

constexpr record renamed(const record& of, hash_t hash, const naming& name) {
  record r = of;
  r.hash = hash;
  r.name = &name;
  return r;
}

/// What stands behind a name.
template <class Name, hash_t Hash, hash_t Of>
struct named_definition {
  using shape_type = typename defined<expression_key, Of>::shape_type;
  using value_type = typename defined<expression_key, Of>::value_type;
  using given_name = Name;
  static constexpr naming name = {Name::text, record_address<Of>, unnamed(record_address<Of>), &place_of<Hash>};
  static constexpr record value = renamed(*record_address<Of>, Hash, name);
};

/// In messages; looked up there only, so that what is named has the type of any other expression.
template <class Op, class T, class Shape, hash_t Hash>
  requires requires { typename defined<expression_key, Hash>::given_name; }
struct shown_operand<expr<Op, T, Shape, Hash>> : shown_operand<defined<expression_key, Hash>> {};

template <class E>
inline constexpr bool is_slot = false;
template <class E>
  requires requires { typename E::op; }
inline constexpr bool is_slot<E> = variable_expression<E> || std::is_same_v<typename E::op, placeholder_op>;

}  // namespace detail

/// `e` under a name, which graphs, plans and errors print: `named<"answer">(x + y)`. It may be fetched, fed, differentiated by and
/// computed with as `e` itself. Of an eager tensor it is the tensor. A slot has a name of its own, and a literal no dtype yet: both
/// are compile errors.
template <fixed_string Name, expression E>
constexpr auto named(E e, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if constexpr (detail::is_literal<E>) {
    raise<a_literal_has_no_dtype_to_be_named_with_cast_it_first, in_function<"named">, literal_value<E::value>,
          instead_write<"named<\"y\">(astype<float>(2_c))">>();
    return e;
  } else if constexpr (detail::is_slot<E>) {
    raise<a_slot_has_its_own_name, in_function<"named">, shown<E>>();
    return e;
  } else {
    constexpr hash_t hash = mix(mix(hash_of("named"), name_of<Name>::hash), E::hash);
    constexpr hash_t h = define<expression_key, hash, detail::named_definition<name_of<Name>, hash, E::hash>>::hash;
    if (!std::is_constant_evaluated()) detail::place_of<h>.note(file, line);
    return expr<typename E::op, typename E::value_type, typename E::shape_type, h>{};
  }
}
template <fixed_string Name, evaluated V>
constexpr const V& named(const V& value) {
  return value;
}
ETCH_REFUSE_CALLS(named, this_call_has_the_wrong_arguments, "named<\"y\">($ * $)", fixed_string Name)
ETCH_REFUSE_CALLS(named, write_the_name_in_angle_brackets, "named<\"y\">($ * $)")

}  // namespace etch
