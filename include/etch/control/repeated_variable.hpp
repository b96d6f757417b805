// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/reachable.hpp>
#include <etch/ops/movement.hpp>
#include <etch/ops/random.hpp>
#include <etch/ops/regions.hpp>

/// Variables of the blocks of a `repeat`: in the body one is a parameter, and outside there is one variable that has those of all blocks
/// along a new first axis.
namespace etch::detail {

/// Whether an expression is made of random draws.
template <hash_t Hash>
inline constexpr bool draws_numbers = [] {
  reachable all;
  all.add(record_address<Hash>);
  for (int i = 0; i < all.records.size(); ++i)
    if (all.records[i]->op->stateful && all.records[i]->op->kind == op_kind::source) return true;
  return false;
}();

/// An expression of initial values for `Count` blocks, where they differ: draws are made of as many more elements, and what is made
/// of them elementwise goes along.
template <int Count>
struct initial_values {
  template <hash_t Hash>
  static constexpr auto of() {
    constexpr hash_t plain = unnamed(record_address<Hash>)->hash;
    return from(defined<expression_key, plain>{});
  }

 private:
  template <class Op, class T, auto... E, class Attributes, hash_t Hash, hash_t... In>
  static constexpr auto from(definition<Op, T, shape<E...>, Attributes, Hash, In...>) {
    if constexpr (!draws_numbers<Hash>) {
      return expr<Op, T, shape<E...>, Hash>{};
    } else if constexpr (Op::kind == op_kind::source) {
      return make_expression<Op, T, shape<Count, E...>, Attributes>();
    } else if constexpr (Op::kind == op_kind::elementwise) {
      return make_expression<Op, T, shape<Count, E...>, Attributes, decltype(aligned<sizeof...(E), In>(of<In>()))::hash...>();
    } else {
      raise<the_initial_values_of_a_repeated_variable_are_made_of_draws_by_elementwise_ops, in_op<Op>>();
      return make_expression<uniform_draw, T, shape<Count, E...>, attributes<0>>();
    }
  }
  /// The axes of one block's values, behind that of the blocks, stand where broadcasting looks for them.
  template <std::size_t Rank, hash_t In, class X>
  static constexpr auto aligned(X x) {
    if constexpr (draws_numbers<In> && X::rank - 1 < static_cast<int>(Rank))
      return reshape(x,
                     with_ones(typename X::shape_type{}, std::make_integer_sequence<int, static_cast<int>(Rank) - X::rank + 1>{}));
    else
      return x;
  }
  template <auto... E, int... I>
  static constexpr auto with_ones(shape<Count, E...>, std::integer_sequence<int, I...>) {
    return shape<Count, (I >= 0 ? 1 : 0)..., E...>{};
  }
};

/// A name without its last part that is all stars.
template <class Name, std::size_t... I>
auto name_of_all_blocks(std::index_sequence<I...>) -> name<
    Name::text[I < last_star_part(Name::text, Name::size).begin ? I : I + last_star_part(Name::text, Name::size).stars + 1]...>;

/// One block's variable: a parameter of the loop over the blocks. `repeat` finds it in the body by its slot.
template <class Name, class T, class Shape, hash_t Initial, variable_use Use>
struct repeated_variable {
  static constexpr star_part stars = last_star_part(Name::text, Name::size);
  static constexpr hash_t hash = combine(hash_of("repeated"), Name::hash, Initial, static_cast<hash_t>(Use), type_hash<T, Shape>);

  struct definition {
    using shape_type = Shape;
    using value_type = T;
    using name_type = Name;
    static constexpr slot_info info = {Name::text, Use == variable_use::trained, unnamed(record_address<Initial>)};
    /// The level of the loop, and a number that no state has.
    using words = attributes<static_cast<std::int64_t>(stars.stars) - 1, static_cast<std::int64_t>(hash >> 38) + (1 << 26)>;
    static constexpr record value = {
        hash, hash, &info_of<region_parameter>, dtype_of<T>, type_hash<T, Shape>, &Shape::value, words::at, words::count, nullptr,
        0,    &info};
    using parameter = expr<region_parameter, T, Shape, hash>;

    template <int Count>
    static constexpr auto stacked() {
      using all = decltype(name_of_all_blocks<Name>(std::make_index_sequence<Name::size - stars.stars - 1>{}));
      return stacked_as<all, Count>(Shape{});
    }
    template <class All, int Count, auto... E>
    static constexpr auto stacked_as(shape<E...>) {
      return make_variable<All, Use>(broadcast_to(initial_values<Count>::template of<Initial>(), shape<Count, E...>{}));
    }
  };
  static constexpr auto make() {
    constexpr hash_t h = define<expression_key, hash, definition>::hash;
    return expr<region_parameter, T, Shape, h>{};
  }
};

}  // namespace etch::detail
