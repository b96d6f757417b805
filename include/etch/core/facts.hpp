// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/name.hpp>
#include <etch/core/attributes.hpp>
#include <etch/core/diagnostics.hpp>

/// What error messages show of operands: name, dtype, shape; no hashes, and no names as lists of characters.
namespace etch {

/// A named extent, in messages.
template <fixed_string Name>
struct extent_named {};

namespace detail {

template <char... Characters>
inline constexpr fixed_string<sizeof...(Characters) + 1> text_of = fixed_string<sizeof...(Characters) + 1>({Characters..., '\0'});

/// A value of T. As a parameter, T is printed by clang as what it is, not as it was written.
template <class T>
constexpr T value_of_type() {
  return T{};
}

template <class E>
struct shown_extent {
  using type = E;
};
template <char... Characters>
struct shown_extent<extent_name<Characters...>> {
  using type = extent_named<text_of<Characters...>>;
};
template <auto E>
constexpr auto show_extent() {
  using type = std::remove_cvref_t<decltype(E)>;
  if constexpr (std::is_integral_v<type>)
    return E;
  else
    return value_of_type<typename shown_extent<type>::type>();
}
template <auto... Factors>
struct shown_extent<extent_product<Factors...>> {
  using type = extent_product<show_extent<Factors>()...>;
};
template <auto... Terms>
struct shown_extent<extent_sum<Terms...>> {
  using type = extent_sum<show_extent<Terms>()...>;
};

template <class Shape>
struct shown_shape;
template <auto... Extents>
struct shown_shape<shape<Extents...>> {
  using type = shape<show_extent<Extents>()...>;
};

template <class Name, class T, class Shape>
struct shown_slot;
template <char... Characters, class T, class Shape>
struct shown_slot<name<Characters...>, T, Shape> {
  using type = slot_named<text_of<Characters...>, T, Shape>;
};

/// Of an expression or its definition.
template <class E>
struct shown_operand {
  using type = operand<typename E::value_type, typename shown_shape<typename E::shape_type>::type>;
};
template <class E>
  requires requires { typename E::name_type; }
struct shown_operand<E>
    : shown_slot<typename E::name_type, typename E::value_type, typename shown_shape<typename E::shape_type>::type> {};
template <class Name, class T, class Shape>
struct shown_named;
template <char... Characters, class T, class Shape>
struct shown_named<name<Characters...>, T, Shape> {
  using type = expression_named<text_of<Characters...>, T, Shape>;
};
template <class E>
  requires requires { typename E::given_name; }
struct shown_operand<E>
    : shown_named<typename E::given_name, typename E::value_type, typename shown_shape<typename E::shape_type>::type> {};
template <class E>
  requires(!requires { typename shown_shape<typename E::shape_type>::type; })
struct shown_operand<E> {
  using type = run_time_value<E>;
};

}  // namespace detail

/// How a shape, and how an expression (or a value that stands for one) appears in messages.
template <class Shape>
using shown_shape = typename detail::shown_shape<Shape>::type;
template <class E>
using shown = typename detail::shown_operand<E>::type;

}  // namespace etch
