// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/slot.hpp>
#include <etch/host/values.hpp>
#include <etch/ops/conversion.hpp>
#include <etch/strings/functions.hpp>
#include <etch/strings/tensor.hpp>

/// Strings in graphs: empty objects, as numeric expressions are, but none of them. A plan holds a string as an int64, where it lies
/// (host/values.hpp), so that what moves, chooses and carries numbers does so with strings; only functions of strings look behind it.
namespace etch {

namespace detail {
/// What is fed where E, strings, is: an expression to runs, of which there are no objects.
template <class E>
struct string_slot : expression_base {
  using value_type = std::string;
  using shape_type = typename E::shape_type;
  static constexpr hash_t hash = E::hash;
  static constexpr int rank = E::rank;
};
template <class E>
struct shown_operand<string_slot<E>> : shown_operand<E> {};
}  // namespace detail

/// A string, or an array of strings, that a run gives. `Node`: the expression of the numbers that stand for them.
template <class Node>
struct string_expression : host_value_base {
  using node_type = Node;
  using value_type = std::string;
  using shape_type = typename Node::shape_type;
  static constexpr hash_t hash = Node::hash;
  static constexpr int rank = Node::rank;

  constexpr string_expression() = default;
  /// Feeds this: `session.run(z, x = "hello")`. A std::string, a text, a tensor of strings, a range of strings, braces.
  template <detail::other_than<string_expression> Value>
  constexpr auto operator=(Value&& value) const {
    using V = std::remove_cvref_t<Value>;
    if constexpr (expression<V> || (host_value<V> && !detail::is_string_tensor<V> && !detail::is_string_constant<V>))
      raise<an_expression_cannot_be_fed_feed_its_value, shown<string_expression>, typename detail::shown_argument<V>::type>();
    return binding<detail::string_slot<string_expression>, V, !std::is_reference_v<Value>>{value};
  }
  template <class Element = strings::detail::element>
    requires(rank > 0)
  constexpr auto operator=(const nested_list<Element, rank>& values) const {
    return binding<detail::string_slot<string_expression>, nested_list<Element, rank>, true>{values};
  }

  /// What it is not: an array, or a string that is there.
  template <class I>
  constexpr auto operator[](const I&) const {
    raise<an_expression_has_no_elements_take_a_part_of_it_by_slice_or_gather, shown<string_expression>, got<I>>();
    return detail::refused_element<I>{};
  }
  operator std::string() const {
    detail::refuse_use<an_expression_has_no_value_until_a_session_runs_it, string_expression, expected<std::string>,
                       instead_write<"session.run(y)">>();
    return {};
  }
};

template <class Node>
std::ostream& operator<<(std::ostream& stream, const string_expression<Node>&) {
  detail::refuse_use<an_expression_has_no_value_until_a_session_runs_it, string_expression<Node>, instead_write<"session.run(y)">,
                     instead_write<"etch::to_text(y)">>();
  return stream;
}

namespace detail {

template <class Name, class Shape, hash_t Hash>
struct string_placeholder_definition : placeholder_definition<Name, std::int64_t, Shape, Hash> {
  using value_type = std::string;
};
template <class Name, class Shape>
constexpr hash_t define_string_placeholder() {
  if constexpr (!is_possible<Shape>) refuse_shape<Shape, typename shown_slot<Name, std::string, etch::shown_shape<Shape>>::type>();
  // Other than the hash of a placeholder of int64.
  constexpr hash_t content = mix(mix(hash_of("placeholder of strings"), Name::hash), shape_hash<Shape>);
  return define<expression_key, content, string_placeholder_definition<Name, possible_shape<Shape>, content>>::hash;
}
}  // namespace detail

namespace detail {
/// `constexpr placeholder<"x", std::string> x;`, `placeholder<"names", std::string, any<"n">>`.
template <>
struct placeholder_of<std::string> {
  static constexpr bool exists = true;
  template <class Name, class Shape>
  using type =
      string_expression<expr<placeholder_op, std::int64_t, possible_shape<Shape>, define_string_placeholder<Name, Shape>()>>;
  template <class Slot>
  static constexpr binding<string_slot<Slot>, const char*> nothing(const Slot&) {
    return {no_text};
  }
  static constexpr const char* no_text = "";
};
}  // namespace detail

namespace strings::detail {

/// The constant Text in a graph.
template <fixed_string Text>
struct literal_text : opaque<literal_text<Text>, 1> {
  static constexpr auto whole_name = "string \"" + etch::detail::text_in_a_name<Text>() + "\"";
  static constexpr const char* name = whole_name.text;
  static constexpr bool differentiable = false;
  static constexpr tensor_type infer(inference&, const tensor_type*, int, const words&) {
    tensor_type r;
    r.type = dtype::int64;
    return r;
  }
  static void run(strided<std::int64_t> y, strided<const bool>, const std::int64_t*) {
    static const std::string text(Text.text, Text.size);
    y.data[0] = etch::detail::string_handle(text).address;
  }
};

template <class A>
struct node_of_string {
  using type = void;
};
template <class A>
  requires requires { typename A::node_type; }
struct node_of_string<A> {
  using type = typename A::node_type;
};
template <class A>
  requires etch::detail::is_string_constant<A>
struct node_of_string<A> {
  using type = decltype(call<literal_text<A::text>, attributes<>>(literal<false>.node()));
};
/// The numbers that stand for the strings.
template <class A>
constexpr auto node_of(const A&) {
  return typename node_of_string<A>::type{};
}
template <class Node>
constexpr string_expression<Node> strings_at(Node) {
  return {};
}

}  // namespace strings::detail

/// A string of a graph: what a run gives, or a constant.
template <class A>
concept symbolic_string = host_value<A> && !std::is_void_v<typename strings::detail::node_of_string<std::remove_cvref_t<A>>::type>;

template <symbolic_string A>
struct plan_value<A> {
  using node = typename strings::detail::node_of_string<A>::type;
  template <class E>
  static constexpr string_expression<E> like(E) {
    return {};
  }
};

namespace detail {
template <class A>
  requires(host_value<A> && requires { typename A::node_type; })
struct shown_argument<A> : shown_operand<A> {};
template <class Node>
  requires requires { typename defined<expression_key, Node::hash>::name_type; }
struct shown_operand<string_expression<Node>> : shown_operand<defined<expression_key, Node::hash>> {};

/// The strings that a plan's numbers stand for.
template <int Rank, class Shape, class Addresses>
tensor<std::string, Rank> strings_of(const Shape& shape, std::int64_t size, const Addresses& addresses) {
  typename tensor<std::string, Rank>::shape_type extents;
  std::vector<std::string> elements;
  for (std::size_t i = 0; i < extents.size(); ++i) extents[i] = static_cast<std::int64_t>(shape[i]);
  for (std::int64_t i = 0; i < size; ++i) elements.push_back(string_handle::text_at(addresses[i]));
  return {extents, std::move(elements)};
}
}  // namespace detail

}  // namespace etch
