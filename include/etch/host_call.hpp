// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>

#include <etch/eager/variable.hpp>
#include <etch/host/call.hpp>

/// Functions of the program as ops: `host_call<"read_sensor", float>(f, x)`. Not in etch.hpp.
namespace etch {

namespace detail {

template <class E, class Assignment>
constexpr auto with_effects_of(E e, Assignment assignment) {
  return make_node_of<with_effects, typename E::value_type, typename E::shape_type, attributes<>>(e, assignment);
}

template <fixed_string Name, class F, class Given, class... A>
constexpr auto call_host_in_graph(A...) {
  using op = host_calling<Name, F, Given, typename host_operand<A>::seen...>;
  if constexpr (has_name_of_another<op>) {
    raise<a_host_call_of_this_name_is_another_one_give_each_a_name, host_call_named<Name>>();
    if constexpr (std::is_same_v<Given, gives_nothing>)
      return group();
    else
      return refused(host_operand<A>::node()...);
  } else {
    const auto called = call<op, attributes<>>(host_order, host_operand<A>::node()...);
    if constexpr (std::is_same_v<Given, gives_nothing>)
      return group(assign(host_order, called));
    else
      return host_result<typename Given::value_type>::seen(
          with_effects_of(called, assign(host_order, call<host_called, attributes<>>(host_order, called))));
  }
}

template <class T, int Rank>
struct operand_now<tensor<T, Rank>> {
  const tensor<T, Rank>& of;
  std::int64_t strides[max_rank + 1] = {};
  explicit operand_now(const tensor<T, Rank>& a) : of(a) {
    std::int64_t stride = 1;
    for (int i = Rank; i-- > 0; stride *= a.extent(i)) strides[i] = stride;
  }
  auto get() const { return number_seen<Rank>::from(strided<const T>{of.data(), Rank, of.described().extents, strides}); }
};
template <class T, int Rank>
struct operand_now<eager::variable<T, Rank>> : operand_now<tensor<T, Rank>> {
  explicit operand_now(const eager::variable<T, Rank>& a) : operand_now<tensor<T, Rank>>(a.read()) {}
};

template <class T, class Shape, class... A>
tensor_type type_of_result(gives_array<T, Shape>, const A&...) {
  return Shape::value(eager::no_names, dtype_of<T>);
}
template <class T, class First, class... Rest>
tensor_type type_of_result(gives_first<T>, const First& first, const Rest&...) {
  return first.described();
}
template <class Given, class... A>
inline constexpr int rank_of_result = 0;
template <class T, class First, class... Rest>
inline constexpr int rank_of_result<gives_first<T>, First, Rest...> = First::rank;
template <class T, class Shape, class... A>
inline constexpr int rank_of_result<gives_array<T, Shape>, A...> = Shape::rank;

template <class F, class Given, class... A>
auto call_host_now(const A&... a) {
  if constexpr (std::is_same_v<Given, gives_nothing>) {
    F{}(operand_now<A>(a).get()...);
    return no_value{};
  } else if constexpr (!requires { Given::fills; }) {
    return tensor<typename Given::value_type, 0>(typename Given::value_type(F{}(operand_now<A>(a).get()...)));
  } else {
    using T = typename Given::value_type;
    tensor<T, rank_of_result<Given, A...>> made{eager::unmade{}};
    made.reset(type_of_result(Given{}, a...));
    std::memset(made.bytes(), 0, static_cast<std::size_t>(made.size()) * sizeof(T));
    const operand_now<decltype(made)> place(made);
    F{}(strided<T>{reinterpret_cast<T*>(made.bytes()), made.rank, made.described().extents, place.strides},
        operand_now<A>(a).get()...);
    return made;
  }
}

template <class A, class = void>
struct element_of_operand {
  using type = A;
};
template <class A>
struct element_of_operand<A, std::void_t<typename A::value_type>> {
  using type = typename A::value_type;
};
template <class... A>
struct first_element {
  using type = void;
};
template <class First, class... Rest>
struct first_element<First, Rest...> : element_of_operand<First> {};

template <class E>
using host_view = strided<const typename E::value_type>;
template <class A>
using seen_in_graph = decltype(host_operand<A>::seen::from(std::declval<const host_view<decltype(host_operand<A>::node())>&>()));

template <fixed_string Name, class F, class Given, class... A>
constexpr auto call_host(const A&... a) {
  if constexpr (std::is_void_v<Given>)
    return refusal<this_function_cannot_be_called_with_these_operands, host_call_named<Name>, typename shown_argument<A>::type...>(
        a...);
  else if constexpr ((is_in_graph<A> && ...))
    return call_host_in_graph<Name, F, Given>(a...);
  else
    return call_host_now<F, Given>(a...);
}

}  // namespace detail

/// `host_call<"read", float>(f, x...)` is what f gives for x...: a function of the program, called once in each run that computes
/// it, in a loop in each step, in a branch where that is taken. What no fetch depends on is not called. It is never folded, nor
/// merged with another call; the same call with the same operands is the same node. It comes in the order of prints and other
/// calls: that in which a run needs them, and what `after` says. Of tensors and numbers it is called at once.
///
/// f: an object without captures, since it is known by its type: state is reached by what has static storage, or by an address that is
/// fed, as an std::int64_t. It sees a scalar as a number, an array as `strided<const T>`. What it gives:
/// - `host_call<"a", float>(f, x...)`: a scalar that f returns;
/// - `host_call<"a", float, 3, any<"n">>(f, x...)`: an array. f has `strided<float>` as its first parameter, and writes the elements, which
///   are zeros before. Names of extents are those of operands; eager ones are numbers;
/// - `host_call<"a">(f, x...)`: nothing, where f returns nothing: a `group`, for `after`. A scalar of what f returns. Where f has one
///   parameter more, `strided<T>`, an array like the first operand.
///
/// `Name` is that of the op: another function has another one. There is no gradient. What f throws, run throws at once: nothing that
/// is made of the call happens, nor what comes after it in that order; what is in no order with it, such as an assignment of
/// something else, may have happened.
template <fixed_string Name, class Result = detail::deduced_result, auto... Extents, class F, class... A>
constexpr auto host_call(const F&, const A&... a) {
  using shape_type = canonical_shape<Extents...>;
  if constexpr (!std::is_empty_v<F> || !std::is_default_constructible_v<F>) {
    return detail::refusal<a_host_call_takes_a_function_without_captures, host_call_named<Name>, got<F>>(a...);
  } else if constexpr ((detail::is_in_graph<A> && ...)) {
    using given = decltype(detail::read_host_function<F, Result, shape_type, typename detail::first_element<A...>::type,
                                                      detail::seen_in_graph<A>...>());
    return detail::call_host<Name, F, given>(a...);
  } else if constexpr (!(detail::is_there_now<A> && ...)) {
    return detail::refusal<a_run_time_value_cannot_stand_in_an_expression_write_2_c_or_feed_a_placeholder, host_call_named<Name>,
                           typename detail::shown_argument<A>::type...>(a...);
  } else if constexpr (!shape_type::is_static) {
    return detail::refusal<an_eager_call_of_the_host_gives_arrays_whose_extents_are_numbers, host_call_named<Name>,
                           shown_shape<shape_type>>(a...);
  } else {
    using given = decltype(detail::read_host_function<F, Result, shape_type, typename detail::first_element<A...>::type,
                                                      decltype(detail::operand_now<A>(a).get())...>());
    return detail::call_host<Name, F, given>(a...);
  }
}

}  // namespace etch
