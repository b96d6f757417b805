// SPDX-License-Identifier: MIT
#pragma once
#include <etch/layers/masks.hpp>
#include <etch/layers/positions.hpp>
#include <etch/layers/regularization.hpp>
#include <etch/ops/attention.hpp>

namespace etch::layers {

namespace detail {

/// What a step of decoding knows of the steps before it.
template <class Keys, class Values, class Position>
struct attention_cache_of {};

template <fixed_string Name, fixed_string Part>
struct projection_names {
  using kernel = join<name_of<Name>, join<name_of<Part>, name_of<"/kernel">>>;
  using bias = join<name_of<Name>, join<name_of<Part>, name_of<"/bias">>>;
};

/// x (batch, steps, features) as (batch, Heads, steps, Width).
template <class Names, int Heads, int Width, expression X>
constexpr auto in_heads(X x) {
  using T = typename X::value_type;
  using from = typename X::shape_type;
  constexpr auto features = extent_along<-1>(from{});
  const auto kernel =
      nn::detail::layer_variable<typename Names::kernel, T, struct initializers::glorot_uniform>(shape<features, Heads, Width>{});
  const auto bias = nn::detail::layer_variable<typename Names::bias, T, struct initializers::zeros>(shape<Heads, Width>{});
  const auto product =
      matmul(x, etch::reshape(kernel, shape<features, Heads * Width>{})) + etch::reshape(bias, shape<Heads * Width>{});
  return transpose(etch::reshape(product, shape<extent_along<0>(from{}), extent_along<1>(from{}), Heads, Width>{}),
                   axis<0, 2, 1, 3>);
}
/// x (batch, heads, steps, width) as (batch, steps, Features).
template <class Names, auto Features, expression X>
constexpr auto out_of_heads(X x) {
  using T = typename X::value_type;
  using from = typename X::shape_type;
  constexpr auto heads = extent_along<1>(from{}), width = extent_along<3>(from{});
  const auto kernel =
      nn::detail::layer_variable<typename Names::kernel, T, struct initializers::glorot_uniform>(shape<heads, width, Features>{});
  const auto bias = nn::detail::layer_variable<typename Names::bias, T, struct initializers::zeros>(shape<Features>{});
  const auto rows =
      etch::reshape(transpose(x, axis<0, 2, 1, 3>), shape<extent_along<0>(from{}), extent_along<2>(from{}), heads * width>{});
  return matmul(rows, etch::reshape(kernel, shape<heads * width, Features>{})) + bias;
}

/// A mask (queries, keys) or (batch, queries, keys) beside (batch, heads, queries, keys).
template <expression M>
constexpr auto beside_heads(M m) {
  if constexpr (M::rank == 3)
    return expand_dims(m, axis<1>);
  else
    return m;
}

/// Rows of `made` at their places, from `position` on, and those of `kept` elsewhere. Both are (batch, heads, steps, width).
template <expression Kept, expression Made, class Position>
constexpr auto put_rows(Kept kept, Made made, Position position) {
  const auto count = astype<std::int32_t>(etch::detail::size_along(made, axis<2>));
  const auto row = etch::detail::numbers_along<std::int32_t, 2>(kept) - position;
  const auto is_made = expand_dims(logical_and(row >= 0_c, row < count), axis<-1>);
  return where(is_made, gather(made, row, axis<2>), kept);
}

}  // namespace detail

/// Keys and values of the steps so far, (batch, heads, most steps, width), and how many these are, an int32: behind x it makes attention take x for the
/// steps that follow, and give a tuple of the output and of the keys and values with theirs. Rows that are not made yet may be
/// anything finite: `zeros`.
template <expression Keys, expression Values, expression Position>
constexpr detail::attention_cache_of<Keys, Values, Position> attention_cache(Keys, Values, Position) {
  return {};
}

/// Attention of several heads (Vaswani and others 2017), Keras's MultiHeadAttention: `layers::multi_head_attention<8, 64>`, of x (batch, steps,
/// features) to itself. Alone it is called with a query, a value and a key, each the one before where it is not there, and masks: bools (batch,
/// queries, keys) or (queries, keys), true where a query sees a key; one that sees none
/// gets the mean of all, as in Keras.
/// Options: `causal`, `rotary_positions`, `dropout(0.1_c)` of the weights in training. Variables: `query/kernel` (features, Heads, Width), `key`,
/// `value` likewise, `attention_output/kernel` (Heads, Width, features), and a bias of each.
template <int Heads, int Width, class... Options>
struct multi_head_attention_layer : detail::called_alone<multi_head_attention_layer<Heads, Width, Options...>> {
  static constexpr fixed_string kind = "multi_head_attention";
  static constexpr bool sees_masks = true;
  template <class Option>
  static constexpr bool has = (std::is_same_v<Option, Options> || ...);
  template <class Option>
  static constexpr bool is_known = std::is_same_v<Option, struct causal> || layer<Option> ||
                                   std::is_same_v<Option, std::remove_const_t<decltype(rotary_positions)>>;
  static_assert((is_known<Options> && ...), "layers: multi_head_attention takes causal, rotary_positions and dropout(0.1_c)");
  using detail::called_alone<multi_head_attention_layer>::operator();

  template <fixed_string Name, expression Query, class Mode, class... A>
  constexpr auto call(Query query, Mode mode, A... a) const {
    if constexpr (!detail::takes_sequence<"layers::multi_head_attention", Query>())
      return etch::detail::refused(query);
    else if constexpr (sizeof...(A) > 0)
      return called<Name>(mode, query, a...);
    else
      return attend<Name>(mode, query, query, query);
  }
  /// In a sequence: a step that is hidden neither sees nor is seen.
  template <fixed_string Name, expression X, class Mode, class Mask>
  constexpr auto call_masked(X x, Mode mode, Mask mask) const {
    if constexpr (std::is_same_v<Mask, detail::no_mask>)
      return detail::masked{call<Name>(x, mode), mask};
    else
      return detail::masked{call<Name>(x, mode, logical_and(expand_dims(mask, axis<2>), expand_dims(mask, axis<1>))), mask};
  }
  template <class... O>
    requires(sizeof...(O) > 0 && ((!expression<O> && std::is_empty_v<O>) && ...))
  constexpr multi_head_attention_layer<Heads, Width, Options..., O...> operator()(O...) const {
    return {};
  }

 private:
  template <class E>
  static constexpr bool is_mask = std::is_same_v<typename E::value_type, bool>;

  template <fixed_string Name, class Mode, class Query, class Keys, class Values, class Position>
  static constexpr auto called(Mode mode, Query query, detail::attention_cache_of<Keys, Values, Position>) {
    return step<Name>(mode, query, Keys{}, Values{}, Position{});
  }
  template <fixed_string Name, class Mode, class Query, expression A, expression... Rest>
  static constexpr auto called(Mode mode, Query query, A a, Rest... rest) {
    if constexpr (is_mask<A>)
      return attend<Name>(mode, query, query, query, a, rest...);
    else
      return called_with_value<Name>(mode, query, a, rest...);
  }
  template <fixed_string Name, class Mode, class Query, class Value>
  static constexpr auto called_with_value(Mode mode, Query query, Value value) {
    return attend<Name>(mode, query, value, value);
  }
  template <fixed_string Name, class Mode, class Query, class Value, class A, class... Masks>
  static constexpr auto called_with_value(Mode mode, Query query, Value value, A a, Masks... masks) {
    if constexpr (is_mask<A>)
      return attend<Name>(mode, query, value, value, a, masks...);
    else
      return attend<Name>(mode, query, value, a, masks...);
  }

  template <fixed_string Name, class Mode, class Query, class Value, class Key, class... Masks>
  static constexpr auto attend(Mode mode, Query query, Value value, Key key, Masks... masks) {
    const auto q = turned(detail::in_heads<detail::projection_names<Name, "/query">, Heads, Width>(query), 0_c);
    const auto k = turned(detail::in_heads<detail::projection_names<Name, "/key">, Heads, Width>(key), 0_c);
    const auto v = detail::in_heads<detail::projection_names<Name, "/value">, Heads, Width>(value);
    const auto scores = etch::detail::attention_scores(q, k);
    if constexpr (has<struct causal>)
      return finish<Name>(mode, query, scores, v, etch::detail::on_or_below<0>(scores), detail::beside_heads(masks)...);
    else
      return finish<Name>(mode, query, scores, v, detail::beside_heads(masks)...);
  }
  template <fixed_string Name, class Mode, class Query, class Keys, class Values, class Position>
  static constexpr auto step(Mode mode, Query query, Keys kept_keys, Values kept_values, Position position) {
    const auto q = turned(detail::in_heads<detail::projection_names<Name, "/query">, Heads, Width>(query), position);
    const auto k = turned(detail::in_heads<detail::projection_names<Name, "/key">, Heads, Width>(query), position);
    const auto v = detail::in_heads<detail::projection_names<Name, "/value">, Heads, Width>(query);
    const auto keys = detail::put_rows(kept_keys, k, position);
    const auto values = detail::put_rows(kept_values, v, position);
    const auto scores = etch::detail::attention_scores(q, keys);
    const auto row = expand_dims(etch::detail::numbers_along<std::int32_t, -2>(scores), axis<-1>) + position;
    const auto seen = row >= etch::detail::numbers_along<std::int32_t, -1>(scores);
    return std::tuple{finish<Name>(mode, query, scores, values, seen), keys, values};
  }
  template <class X, class First>
  static constexpr auto turned(X x, First first) {
    if constexpr (has<std::remove_const_t<decltype(rotary_positions)>>)
      return detail::rotary_positions_function::of(x, first);
    else
      return x;
  }
  /// Of scores, values and masks.
  template <fixed_string Name, class Mode, class Query, class Scores, class Values, class... Masks>
  static constexpr auto finish(Mode, Query query, Scores scores, Values values, Masks... masks) {
    const auto weights = dropped<Name, Mode, Options...>([&] {
      if constexpr (sizeof...(Masks) == 0) {
        return etch::softmax(scores, axis<-1>);
      } else {
        // Not -inf: a query that sees nothing would be NaN.
        return etch::softmax(where(all_of(masks...), scores, literal<-1e9>), axis<-1>);
      }
    }());
    constexpr auto features = extent_along<-1>(typename Query::shape_type{});
    return etch::detail::in_scope<name_of<Name>>(
        detail::out_of_heads<detail::projection_names<Name, "/attention_output">, features>(matmul(weights, values)), query);
  }
  template <class M, class... More>
  static constexpr auto all_of(M m, More... more) {
    if constexpr (sizeof...(More) == 0)
      return m;
    else
      return logical_and(m, all_of(more...));
  }
  template <fixed_string Name, class Mode, class W>
  static constexpr auto dropped(W w) {
    return w;
  }
  template <fixed_string Name, class Mode, class Option, class... More, class W>
  static constexpr auto dropped(W w) {
    if constexpr (layer<Option>)
      return Option{}.template call<Name / "dropout">(w, Mode{});
    else
      return dropped<Name, Mode, More...>(w);
  }
};
template <int Heads, int Width>
inline constexpr multi_head_attention_layer<Heads, Width> multi_head_attention{};

}  // namespace etch::layers
