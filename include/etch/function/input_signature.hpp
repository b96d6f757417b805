// SPDX-License-Identifier: MIT
#pragma once
#include <etch/function/argument.hpp>

/// What a traced function takes, said when it is made: it is traced once, and what does not fit does not compile.
namespace etch {

namespace detail {

template <class S>
concept signature_of_arguments = requires { typename S::is_a_signature; };

/// Whatever comes: each kind of arguments has a trace.
struct any_arguments {
  using is_a_signature = void;
  template <class... A>
  static constexpr bool check() {
    return true;
  }
  template <class A, int>
  using kind = argument_of<A>;
};

/// Whether an argument of kind K may be one that Spec says.
template <class Spec, class Kind>
inline constexpr bool fits_spec = false;
template <class T, auto... E, int Rank>
inline constexpr bool fits_spec<tensor_spec<T, E...>, open_argument<T, Rank>> = Rank == sizeof...(E);
template <class T, auto... E, auto... F>
inline constexpr bool fits_spec<tensor_spec<T, E...>, shaped_argument<T, shape<F...>>> = [] {
  if constexpr (sizeof...(E) != sizeof...(F)) {
    return false;
  } else {
    const auto fit = [](auto e, auto f) {
      if constexpr (std::is_integral_v<decltype(e)> && std::is_integral_v<decltype(f)>)
        return static_cast<std::int64_t>(e) == static_cast<std::int64_t>(f);
      else
        return true;
    };
    return (fit(E, F) && ...);
  }
}();
template <class T, class L>
  requires is_literal<L>
inline constexpr bool fits_spec<tensor_spec<T>, constant_argument<L>> = L::template fits<T>();

}  // namespace detail

/// `function(f, input_signature<tensor_spec<float>>)`: f takes one float scalar. A literal that is a value of a scalar's dtype is one.
template <class... Specs>
struct input_signature_type {
  using is_a_signature = void;
  using known_kinds = detail::type_list<detail::shaped_argument<typename Specs::value_type, typename Specs::shape_type>...>;
  /// Of the arguments of the body's parameters.
  template <class... Kinds>
  static constexpr bool check_kinds(detail::type_list<Kinds...>) {
    constexpr bool fit = [] {
      if constexpr (sizeof...(Kinds) == sizeof...(Specs))
        return (detail::fits_spec<Specs, Kinds> && ...);
      else
        return false;
    }();
    if constexpr (!fit)
      raise<the_arguments_do_not_fit_the_input_signature, expected<Specs...>,
            got<typename detail::shown_argument_kind<Kinds>::type...>>();
    return fit;
  }
  template <class... A>
  static constexpr bool check() {
    return check_kinds(detail::chosen_types<detail::type_list<detail::argument_of<A>...>, !detail::is_binding<A>...>{});
  }
  template <class A, int K>
  static constexpr auto kind_at() {
    if constexpr (detail::is_binding<A>) {
      return detail::argument_of<A>{};
    } else {
      using spec = detail::type_at<static_cast<std::size_t>(K), Specs...>;
      return detail::shaped_argument<typename spec::value_type, typename spec::shape_type>{};
    }
  }
  template <class A, int K>
  using kind = decltype(kind_at<A, K>());
};
template <class... Specs>
inline constexpr input_signature_type<Specs...> input_signature;

}  // namespace etch
