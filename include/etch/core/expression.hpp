// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>

#include <etch/base/hash_index.hpp>
#include <etch/core/binding.hpp>
#include <etch/core/facts.hpp>
#include <etch/core/record.hpp>

/// Expressions: empty objects whose type says op, dtype and shape, and by a hash what they are made of.
namespace etch {

namespace detail {
template <class A>
struct refused_element;
}  // namespace detail

/// Base of everything that may stand in an expression. Elements cannot be taken of it by [] and (), and slots say of which slot; what
/// ops give has these operators from here, so that its many types do not each have their own.
struct expression_base {
  /// Whether it is no literal.
  static constexpr bool has_dtype = true;

  template <class I>
  constexpr auto operator[](const I&) const {
    raise<an_expression_has_no_elements_take_a_part_of_it_by_slice_or_gather, got<I>, instead_write<"slice(y, section<0, 1>)">>();
    return detail::refused_element<I>{};
  }
  template <class I, class... More>
  constexpr auto operator()(const I&, const More&...) const {
    raise<an_expression_has_no_elements_take_a_part_of_it_by_slice_or_gather, got<I, More...>,
          instead_write<"slice(y, section<0, 1>)">>();
    return detail::refused_element<I>{};
  }
};

template <class E>
concept expression = std::is_base_of_v<expression_base, E>;

/// Base of eager tensors and variables.
struct tensor_base {};

/// Stands for the value of what has none, a training step, where a member of a structure keeps its place, and where eager code has had an effect.
struct no_value {
  friend bool operator==(no_value, no_value) = default;
};

/// Base of what has no numbers, as strings have none: neither an expression nor an eager tensor to ops.
struct host_value_base {};

template <class A>
concept host_value = std::is_base_of_v<host_value_base, A>;

/// What a plan has for A: an expression itself. For a host value that a graph computes, as strings may be, an expression of numbers that
/// stand for it; `like` is the host value that another such expression stands for.
template <class A>
struct plan_value {
  using node = A;
  template <class E>
  static constexpr E like(E e) {
    return e;
  }
};
template <class A>
concept planned_host_value = host_value<A> && !std::is_same_v<typename plan_value<A>::node, A>;

namespace detail {
/// Not a fold: clang takes 256 operands of one.
template <int N>
constexpr bool are_true(const bool (&values)[N]) {
  for (const bool v : values)
    if (!v) return false;
  return true;
}
template <bool... Holds>
inline constexpr bool all_hold = are_true({Holds..., true});
template <class... A>
inline constexpr bool are_expressions = all_hold<expression<A>...>;

}  // namespace detail
/// Stands for a call that was refused; defined as an op in `ops/refused_call.hpp`.
struct refused_call;
namespace detail {

/// Whether an expression is made of a call that was refused.
constexpr bool is_made_of(const record* whole, const op_info& op) {
  vector<const record*> left(1, whole);
  hash_index seen;
  while (!left.empty()) {
    const record* const r = left.back();
    left.pop_back();
    if (r->op == &op) return true;
    for (int k = 0; k < r->count; ++k)
      if (seen.find(r->operands[k]->hash) < 0) {
        seen.insert(r->operands[k]->hash, 0);
        left.push_back(r->operands[k]);
      }
  }
  return false;
}

/// Training steps have no value, and only what orders them takes them.
template <class E>
concept value_expression = expression<E> && !std::is_void_v<typename E::value_type>;
template <class... E>
inline constexpr bool have_values = all_hold<value_expression<E>...>;

/// The error that a shape rule has found: op, operands, and attributes where there are any.
template <class Reason, class Op, class Attributes, class... E>
constexpr void refuse_call() {
  if constexpr (!have_values<E...>)
    raise<a_training_step_has_no_value, in_op<Op>, shown<E>...>();
  else if constexpr (Attributes::count == 0)
    raise<Reason, in_op<Op>, shown<E>...>();
  else
    raise<Reason, in_op<Op>, shown<E>..., Attributes>();
}
/// What a call gives that was refused, to go on with: a node of the first operand's type and of all of them, which may be fed as if
/// nothing were wrong; a literal where none has a value, an eager tensor itself. Defined in call.hpp.
template <class A, class... Rest>
constexpr auto refused(A a, Rest... rest);
template <class Op, class... E>
constexpr auto refuse_without_value(E... e) {
  refuse_call<a_training_step_has_no_value, Op, attributes<>, E...>();
  return refused(e...);
}

/// What `slot = value` gives, Value being a reference unless that is a temporary; an error where it is an expression itself.
template <class Slot, class Value>
constexpr auto bind_value(const std::remove_reference_t<Value>& value) {
  using V = std::remove_cvref_t<Value>;
  if constexpr (expression<V>) raise<an_expression_cannot_be_fed_feed_its_value, shown<Slot>, got<shown<V>>>();
  return binding<Slot, V, !std::is_reference_v<Value> && !is_number_type<V>>{value};
}

/// Not an object of the class itself that its own assignment takes; a constant one is for us to refuse.
template <class Value, class Slot>
concept other_than = !std::is_base_of_v<Slot, std::remove_cvref_t<Value>> || std::is_const_v<std::remove_reference_t<Value>>;

/// What a run may give: an expression is none of it, which is asked first, since copies ask too.
template <class V>
concept value_to_hold = !expression<V> && !std::is_base_of_v<tensor_base, V> && (element<V> || requires {
  typename V::value_type;
  typename V::shape_type;
});

/// An error about an expression, with its op where it has no name.
template <class Reason, class E, class... More>
constexpr void refuse_use() {
  if constexpr (requires { typename E::op; } &&
                std::is_same_v<shown<E>, operand<typename E::value_type, etch::shown_shape<typename E::shape_type>>>)
    raise<Reason, in_op<typename E::op>, shown<E>, More...>();
  else
    raise<Reason, shown<E>, More...>();
}

/// What an expression gives where a number is wanted, in an `if`, say: an error, since a graph has no values before it runs.
template <class E, class Number>
constexpr Number refuse_to_be() {
  refuse_use<an_expression_has_no_value_until_a_session_runs_it, E, expected<Number>, instead_write<"session.run(y)">>();
  return Number();
}

}  // namespace detail

/// The result of an op. `T` is the element type (void: no value), `Shape` a `shape<...>`, `Hash` the content.
template <class Op, class T, class Shape, hash_t Hash>
struct expr : expression_base {
  using op = Op;
  using value_type = T;
  using shape_type = Shape;
  static constexpr hash_t hash = Hash;
  static constexpr int rank = Shape::rank;
  static constexpr dtype type = dtype_of<T>;

  constexpr expr() = default;

  /// Feeds this node: `session.run(y, x = array)` computes y as if x had that value.
  template <detail::other_than<expr> Value>
  constexpr auto operator=(Value&& value) const {
    return detail::bind_value<expr, Value>(value);
  }
  /// Of another expression, which is refused: as good a match as the own assignment behind a conversion.
  template <class Other>
    requires(expression<std::remove_cvref_t<Other>> && !std::is_base_of_v<expr, std::remove_cvref_t<Other>>)
  constexpr binding<expr, std::remove_cvref_t<Other>> operator=(Other&& other) {
    return detail::bind_value<expr, const std::remove_cvref_t<Other>&>(other);
  }
  template <class Element = T>
    requires(rank > 0)
  constexpr auto operator=(const nested_list<Element, rank>& values) const {
    return binding<expr, nested_list<Element, rank>, true>{values};
  }
  /// Implicit only to its own element type and to arrays, so that `std::exp(y)` means one function of several.
  template <detail::value_to_hold Number>
  explicit(element<Number> && !std::is_same_v<Number, T>) constexpr operator Number() const {
    return detail::refuse_to_be<expr, Number>();
  }
  /// What `c ? x : y` asks for, in one of two directions: types of expressions differ.
  template <expression Other>
    requires(hash < Other::hash)
  constexpr operator Other() const {
    raise<no_expression_is_another_one_choose_by_where, shown<expr>, shown<Other>, instead_write<"where(condition, x, y)">>();
    return Other();
  }
};

namespace detail {

template <class Op, class T, class Shape, class Attributes, hash_t... Operands>
constexpr auto make_expression() {
  constexpr hash_t h = combine(node_hash<Op, T, Shape, Attributes>, Operands...);
  constexpr hash_t defined_hash = define<expression_key, h, definition<Op, T, Shape, Attributes, h, Operands...>>::hash;
  // Needed here, where the operands' records are there already: the first use of a long chain's record would instantiate all
  // of them inside one another, three deep each, of which g++ allows 900.
  [[maybe_unused]] constexpr const record* itself = record_address<defined_hash>;
  return expr<Op, T, Shape, defined_hash>{};
}

template <class T, class Shape>
struct operand_type {};

/// The result of a shape rule on types; one instantiation for all nodes with equal operands' types.
template <class Op, class Attributes, class... Operands>
struct inference_result;
template <class Op, class Attributes, class... T, class... Shape>
struct inference_result<Op, Attributes, operand_type<T, Shape>...> {
  struct result : typed_shape {
    reason failure = reason::none;
  };
  static constexpr result infer() {
    result r;
    const tensor_type in[] = {Shape::value(r.table, dtype_of<T>)..., tensor_type{}};
    inference context{r.table};
    r.type = Op::infer(context, in, static_cast<int>(sizeof...(T)), Attributes::value);
    if constexpr (Op::kind == op_kind::movement) {
      if (context.failure == reason::none) {
        index_map m;
        Op::map(r.table, in[0], r.type, Attributes::value, m);
        if (!reads_inside(m, in[0], r.type)) context.failure = reason::an_index_map_reads_outside_its_operand;
      }
    }
    r.failure = context.failure == reason::none && r.table.exhausted() ? reason::too_many_named_extents : context.failure;
    return r;
  }
  static constexpr result value = infer();
  using value_type = value_type_of<value.type.type>;
  using shape_type = shape_from<inference_result>;
};

template <class Op, class T, class Shape, hash_t Hash>
  requires(!requires { typename defined<expression_key, Hash>::given_name; } &&
           is_made_of(record_address<Hash>, info_of<refused_call>))
struct shown_operand<expr<Op, T, Shape, Hash>> {
  using type = refused_operand;
};

}  // namespace detail

/// Builds the expression `Op(operands...)` after the op's own shape rule has passed. What has not goes on as a node of the type that it
/// would have: of Op itself, with operands that it does not take, kernels and gradient rules would say more, and in their own words.
template <class Op, class Attributes, expression... E>
constexpr auto make_node(E... e) {
  using result = detail::inference_result<Op, Attributes, detail::operand_type<typename E::value_type, typename E::shape_type>...>;
  if constexpr (!detail::are_true({!std::is_void_v<typename E::value_type>..., true})) {
    return detail::refuse_without_value<Op>(e...);
  } else if constexpr (result::value.failure == reason::none) {
    return detail::make_expression<Op, typename result::value_type, typename result::shape_type, Attributes, E::hash...>();
  } else {
    detail::refuse_call<typename detail::reason_type<result::value.failure>::type, Op, Attributes, E...>();
    return detail::make_expression<refused_call, typename result::value_type, typename result::shape_type, attributes<>,
                                   E::hash...>();
  }
}

/// Builds an expression whose shape is given, not inferred.
template <class Op, class T, class Shape, class Attributes, expression... E>
constexpr auto make_node_of(E... e) {
  if constexpr (Op::kind != op_kind::effect && !detail::have_values<E...>) {
    return detail::refuse_without_value<Op>(e...);
  } else {
    return detail::make_expression<Op, T, Shape, Attributes, E::hash...>();
  }
}

}  // namespace etch
