// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

#include <etch/core/literal.hpp>
#include <etch/core/slot.hpp>
#include <etch/session/signature.hpp>

/// What the arguments of a traced function are to its graph: slots that are fed, or constants of the trace.
namespace etch {

/// An argument in an input signature: dtype and extents, which are numbers or names, `tensor_spec<float, any<"batch">, 784>`.
template <class T, auto... Extents>
struct tensor_spec {
  using value_type = T;
  using shape_type = canonical_shape<Extents...>;
};

namespace detail {

/// Of types of C++ that are one dtype, as long and long long are, the one that slots have: equal slots are one type.
template <class T>
using argument_element = value_type_of<dtype_of<T>>;

/// Arguments of which the compiler knows dtype and rank; their extents are what the body needs them to be.
template <class T, int Rank>
struct open_argument {
  using value_type = T;
  static constexpr int rank = Rank;
};
/// Arguments whose extents are known, or have names.
template <class T, class Shape>
struct shaped_argument {
  using value_type = T;
  static constexpr int rank = Shape::rank;
};
/// A value for a slot that the body names itself, as `f(x = array)` hands it over.
template <class Slot>
struct named_argument {};
/// Literals, shapes and other empty objects: the body gets them as they are, and each has a trace of its own.
template <class A>
struct constant_argument {};

template <class Fixed>
struct shape_of_fixed;
template <std::size_t... N>
struct shape_of_fixed<xt::fixed_shape<N...>> {
  using type = canonical_shape<N...>;
};

/// What refuses an argument, for who asks.
template <class A>
struct refused_argument {};

/// The number of axes of strings, of an argument that is text or a tensor of texts; -1 of any other. Where <etch/strings.hpp> is not
/// included, none is.
template <class A>
constexpr int text_rank() {
  if constexpr (std::is_empty_v<A> || !placeholder_of<std::conditional_t<(sizeof(A) > 0), std::string, A>>::exists)
    return -1;
  else if constexpr (requires {
                       requires std::is_same_v<typename A::value_type, std::string>;
                       { A::rank } -> std::convertible_to<int>;
                     })
    return A::rank;
  else if constexpr (std::is_convertible_v<const A&, std::string_view>)
    return 0;
  else
    return -1;
}

template <class A>
constexpr auto argument_kind() {
  if constexpr (is_binding<A>) {
    return named_argument<typename A::slot>{};
  } else if constexpr (text_rank<A>() >= 0) {
    return open_argument<std::string, text_rank<A>()>{};
  } else if constexpr (expression<A> || (std::is_empty_v<A> && !feed_traits<A>::valid)) {
    return constant_argument<A>{};
  } else if constexpr (requires(const A& a) { a.read(); }) {
    return open_argument<argument_element<typename A::value_type>, A::rank>{};
  } else if constexpr (feed_traits<A>::valid) {
    using traits = feed_traits<A>;
    if constexpr (!element<typename traits::value_type> || traits::rank == -1) {
      return refused_argument<A>{};
    } else if constexpr (xtensor_expression<A>) {
      if constexpr (is_fixed_shape<typename A::shape_type>)
        return shaped_argument<argument_element<typename traits::value_type>,
                               typename shape_of_fixed<typename A::shape_type>::type>{};
      else
        return open_argument<argument_element<typename traits::value_type>, traits::rank>{};
    } else {
      return open_argument<argument_element<typename traits::value_type>, traits::rank == -2 ? 1 : traits::rank>{};
    }
  } else {
    return refused_argument<A>{};
  }
}
template <class A>
using argument_of = decltype(argument_kind<std::remove_cvref_t<A>>());

template <class>
inline constexpr bool is_refused_argument = false;
template <class A>
inline constexpr bool is_refused_argument<refused_argument<A>> = true;
template <class>
inline constexpr bool is_fed_argument = false;
template <class T, int Rank>
inline constexpr bool is_fed_argument<open_argument<T, Rank>> = true;
template <class T, class Shape>
inline constexpr bool is_fed_argument<shaped_argument<T, Shape>> = true;

template <class Slot>
inline constexpr bool is_fed_argument<named_argument<Slot>> = true;
template <class>
inline constexpr bool is_named_argument = false;
template <class Slot>
inline constexpr bool is_named_argument<named_argument<Slot>> = true;

template <class>
inline constexpr bool is_open_argument = false;
template <class T, int Rank>
inline constexpr bool is_open_argument<open_argument<T, Rank>> = Rank > 0;

template <class>
inline constexpr bool is_text_argument = false;
template <int Rank>
inline constexpr bool is_text_argument<open_argument<std::string, Rank>> = true;
template <class Shape>
inline constexpr bool is_text_argument<shaped_argument<std::string, Shape>> = true;
template <class Slot>
inline constexpr bool is_text_argument<named_argument<Slot>> = std::is_same_v<typename Slot::value_type, std::string>;

/// In messages: the specification that an argument would fit.
template <class Argument>
struct shown_argument_kind {
  using type = Argument;
};
template <class T, class Shape>
struct shown_spec;
template <class T, auto... E>
struct shown_spec<T, shape<E...>> {
  using type = tensor_spec<T, show_extent<E>()...>;
};
template <class T, int Rank>
struct shown_argument_kind<open_argument<T, Rank>> {
  using type = std::conditional_t<Rank == 0, tensor_spec<T>, operand<T, number_of_axes<Rank>>>;
};
template <class T, class Shape>
struct shown_argument_kind<shaped_argument<T, Shape>> {
  using type = typename shown_spec<T, etch::shown_shape<Shape>>::type;
};
template <class A>
struct shown_argument_kind<constant_argument<A>> {
  using type = A;
};

}  // namespace detail

}  // namespace etch
