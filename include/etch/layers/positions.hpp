// SPDX-License-Identifier: MIT
#pragma once
#include <etch/layers/layer.hpp>

/// What tells attention where in a sequence it is. Sequences are (..., steps, width).
namespace etch::layers {

namespace detail {

/// The angle of each pair of features at each step, (steps, pairs): (step + first) / base^(2 pair / Width). The last pair of an odd width has
/// one feature.
template <int Width, class X, class First, class Base>
constexpr auto angles(X x, First first, Base base) {
  using T = typename X::value_type;
  const auto step = etch::detail::numbers_along<T, -2>(x) + astype<T>(first);
  const auto share = arange<T>(shape<(Width + 1) / 2>{}) * 2_c / literal<Width>;
  return expand_dims(step, axis<-1>) * exp(share * -log(etch::detail::converted<T>(base)));
}

struct sinusoidal_positions_function {
  static constexpr bool keeps_steps = true;
  template <class X, class Base = decltype(10000_c)>
  static constexpr auto of(X x, Base base = {}) {
    constexpr int width = extent_along<-1>(typename X::shape_type{});
    const auto at = repeat<2>(angles<width>(x, 0_c, base), axis<-1>);
    const auto all = slice(at, section<>, section<0, width>);
    constexpr auto is_odd = arange<std::int32_t>(shape<width>{}) % 2_c == 1_c;
    return x + where(is_odd, cos(all), sin(all));
  }
};
struct rotary_positions_function {
  static constexpr bool keeps_steps = true;
  template <class X, class First = decltype(0_c), class Base = decltype(10000_c)>
  static constexpr auto of(X x, First first = {}, Base base = {}) {
    constexpr int width = extent_along<-1>(typename X::shape_type{});
    static_assert(width % 2 == 0, "rotary_positions: features are rotated in pairs, so there is an even number of them");
    const auto angle = angles<width>(x, first, base);
    const auto [a, b] = split<2>(x, axis<-1>);
    const auto c = cos(angle);
    const auto s = sin(angle);
    return concat(axis<-1>, a * c - b * s, b * c + a * s);
  }
};

template <fixed_string Name>
struct position_embedding_names {
  using embeddings = join<name_of<Name>, name_of<"/embeddings">>;
};

}  // namespace detail

/// x plus sines and, in odd features, cosines of its step, of wavelengths up to 10000 * 2 pi (Vaswani and others 2017; KerasHub's
/// SinePositionEncoding): `layers::sinusoidal_positions`, or with another number than 10000, `layers::sinusoidal_positions(1000_c)`.
inline constexpr function_layer<detail::sinusoidal_positions_function> sinusoidal_positions{};

/// x with each pair of features, i and i + width / 2, turned by an angle that grows with its step (Su and others 2021; KerasHub's
/// RotaryEmbedding): products of two such sequences depend on the distance of steps alone. As an option of `multi_head_attention` it is done to
/// queries and keys.
inline constexpr function_layer<detail::rotary_positions_function> rotary_positions{};

/// x plus the first rows of the variable `embeddings` (Length, width), one for each step: positions that are learnt. It begins as
/// glorot_uniform. Steps behind the last row get the last row.
template <int Length>
struct position_embedding_layer : detail::called_alone<position_embedding_layer<Length>> {
  static constexpr fixed_string kind = "position_embedding";
  static constexpr bool keeps_steps = true;
  template <fixed_string Name, expression X, class Mode>
  constexpr auto call(X x, Mode) const {
    constexpr auto width = extent_along<-1>(typename X::shape_type{});
    const auto rows =
        nn::detail::layer_variable<typename detail::position_embedding_names<Name>::embeddings, typename X::value_type,
                                   struct initializers::glorot_uniform>(shape<Length, width>{});
    return etch::detail::in_scope<name_of<Name>>(x + gather(rows, etch::detail::numbers_along<std::int32_t, -2>(x)), x);
  }
};
template <int Length>
inline constexpr position_embedding_layer<Length> position_embedding{};

}  // namespace etch::layers
