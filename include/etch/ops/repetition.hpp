// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/derived_shape.hpp>

/// Arrays that repeat another, or hold its elements shifted.
namespace etch {

namespace detail {

/// The rules of `tile`: a new axis of extent 1 before each that repeats; it repeats; it is joined with the one behind it. There are
/// as many counts as the result has axes.
template <int... Counts>
struct tiling {
  static constexpr int counts[sizeof...(Counts) + 1] = {Counts..., 0};
  static constexpr int rank = sizeof...(Counts);
  using where = rule_of<"tile">;
  struct apart {
    using where = tiling::where;
    static constexpr tensor_type shape(inference& context, const tensor_type& x) {
      tensor_type r = x;
      r.rank = 0;
      for (int i = 0; i < rank; ++i) {
        if (r.rank + (counts[i] != 1 ? 2 : 1) > max_rank) return context.fail(reason::too_many_axes, x);
        if (counts[i] != 1) r.extents[r.rank++] = 1;
        r.extents[r.rank++] = i < rank - x.rank ? 1 : x.extents[i - (rank - x.rank)];
      }
      return r;
    }
  };
  struct repeated {
    using where = tiling::where;
    static constexpr tensor_type shape(inference&, const tensor_type& x) {
      tensor_type r = x;
      int at = 0;
      for (int i = 0; i < rank; ++i) {
        if (counts[i] != 1) r.extents[at++] = counts[i];
        ++at;
      }
      return r;
    }
  };
  struct joined {
    using where = tiling::where;
    static constexpr tensor_type shape(inference& context, const tensor_type& x) {
      tensor_type r = x;
      r.rank = 0;
      int at = 0;
      for (int i = 0; i < rank; ++i) {
        const extent_value count = counts[i] != 1 ? x.extents[at++] : 1;
        r.extents[r.rank++] = context.extents.product(count, x.extents[at++]);
      }
      return r;
    }
  };
};

/// The rules of `repeat`: a new axis of extent 1 behind `Axis`; it repeats; the two are joined.
template <int Axis, int Count>
struct repetition {
  using where = rule_of<"repeat">;
  struct apart {
    using where = repetition::where;
    static constexpr tensor_type shape(inference& context, const tensor_type& x) {
      if (Axis < 0 || Axis >= x.rank) return context.fail(reason::axis_out_of_range, x);
      return one_axis_more<Axis + 1>::shape(context, x);
    }
  };
  struct repeated : with_extent<Axis + 1, Count, repetition::where> {};
  struct joined {
    using where = repetition::where;
    static constexpr tensor_type shape(inference& context, const tensor_type& x) {
      tensor_type r = one_axis_less<Axis + 1>::shape(context, x);
      r.extents[Axis] = context.extents.product(x.extents[Axis], x.extents[Axis + 1]);
      return r;
    }
  };
};

template <int Axis, operand_like X>
constexpr bool has_axis = Axis >= -X::rank && Axis < X::rank;

/// x, repeated as these rules say.
template <class Rules, operand_like X>
constexpr auto repeated_as(X x) {
  return reshaped_by<typename Rules::joined>(repeated_by<typename Rules::repeated>(reshaped_by<typename Rules::apart>(x)));
}

}  // namespace detail

/// x as a whole again and again, `Counts` times along each axis: `tile<2, 3>(x)`. As in NumPy, counts are aligned with the last
/// axes: axes that have none stay as they are, and counts that have no axis make new ones in front. Together at most 8 axes and
/// counts other than 1.
template <int... Counts, operand_like X>
  requires(sizeof...(Counts) > 0)
constexpr auto tile(X x) {
  static_assert(((Counts >= 0) && ...), "tile: a count is negative");
  constexpr int given = sizeof...(Counts), rank = given > X::rank ? given : X::rank;
  if constexpr (rank > max_rank) {
    return detail::refusal<too_many_axes, in_function<"tile">, shown<X>>(x);
  } else {
    constexpr int counts[] = {Counts...};
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return detail::repeated_as<detail::tiling<(I < rank - given ? 1 : counts[I < rank - given ? 0 : I - (rank - given)])...>>(x);
    }(std::make_integer_sequence<int, rank>{});
  }
}

/// Each element `Count` times in a row along an axis: `repeat<2>(x, axis<0>)`. Without an axis, of all elements in row-major order.
/// x has at most 7 axes.
template <int Count, operand_like X, int Axis>
constexpr auto repeat(X x, axis_list<Axis>) {
  static_assert(Count >= 0, "repeat: the count is negative");
  if constexpr (!detail::has_axis<Axis, X>)
    return detail::refusal<axis_out_of_range, in_function<"repeat">, shown<X>, axis_list<Axis>>(x);
  else
    return detail::repeated_as<detail::repetition<detail::axis_of<Axis, X>, Count>>(x);
}
template <int Count, operand_like X>
constexpr auto repeat(X x) {
  return repeat<Count>(reshape(x, shape<inferred>{}), axis<0>);
}

/// x shifted along an axis, cyclically: called as `roll<2>(x, axis<0>)`. Elements that leave it at one end enter at the other.
/// Attributes: the axis; by how many places.
struct cyclic_shift : opaque<cyclic_shift, 1> {
  static constexpr const char* name = "roll";
  static constexpr bool copies_elements = true;
  static constexpr slope_kind slope = slope_kind::fixed;
  static constexpr attribute_names names = {{"axis"}, {"shift"}};
  static constexpr unsigned batch(const words& axis, int) { return axis[0] != 0 ? detail::batch_of_all : 0; }
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    return w[0] < 0 || w[0] >= in[0].rank ? context.fail(reason::axis_out_of_range, in[0]) : in[0];
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    r.dx[0] = emit<cyclic_shift>(words(r.attributes[0], -r.attributes[1]), r.dy);
  }
};

/// Element i of the result is element i - shift of x, modulo the extent: `roll<2>(x, axis<0>)`. Of two axes: `roll<1, -2>(x,
/// axis<0, 1>)`; without an axis, of all elements in row-major order. Each axis is a copy.
template <int Shift, int... Shifts, operand_like X, int Axis, int... Axes>
  requires(sizeof...(Shifts) == sizeof...(Axes))
constexpr auto roll(X x, axis_list<Axis, Axes...>) {
  const auto shifted = call<cyclic_shift, attributes<detail::axis_of<Axis, X>, Shift>>(x);
  if constexpr (sizeof...(Axes) == 0)
    return shifted;
  else
    return roll<Shifts...>(shifted, axis<Axes...>);
}
template <int Shift, operand_like X>
constexpr auto roll(X x) {
  const auto shifted = roll<Shift>(reshape(x, shape<inferred>{}), axis<0>);
  if constexpr (evaluated<X>)
    return evaluate_now(reshape, shifted, detail::run_time_shape<X::rank>{x.described()});
  else
    return reshape(shifted, typename X::shape_type{});
}

}  // namespace etch
