// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <type_traits>

#include <etch/core/shape.hpp>

/// What parametrises an op beside its operands (axes, a permutation, begin and step of a slice): integers.
namespace etch {

/// Attributes as a value. At most three words per axis, which a slice of the highest rank takes.
struct words {
  static constexpr int capacity = 3 * max_rank;
  int count = 0;
  std::int64_t at[capacity]{};

  constexpr words() = default;
  template <class... Integers>
    requires(sizeof...(Integers) > 0 && sizeof...(Integers) <= capacity && (std::is_integral_v<Integers> && ...))
  constexpr explicit words(Integers... integers) : count(sizeof...(Integers)), at{static_cast<std::int64_t>(integers)...} {}
  constexpr words(const std::int64_t* from, int n) : count(n) {
    for (int i = 0; i < n; ++i) at[i] = from[i];
  }
  constexpr void push_back(std::int64_t word) { at[count++] = word; }
  constexpr std::int64_t operator[](int i) const { return at[i]; }
  constexpr bool operator==(const words& other) const {
    if (count != other.count) return false;
    for (int i = 0; i < count; ++i)
      if (at[i] != other.at[i]) return false;
    return true;
  }
};

/// Attributes as a type, in an expression's definition.
template <std::int64_t... Words>
struct attributes {
  static constexpr int count = sizeof...(Words);
  static constexpr std::int64_t at[sizeof...(Words) + 1] = {Words..., 0};
  static constexpr words value{at, count};
};

/// Axes to reduce, for calls: `sum(x, axis<0, -1>)`. Negative axes count from the last.
template <int... Axes>
struct axis_list {};
template <int... Axes>
inline constexpr axis_list<Axes...> axis{};

namespace detail {
/// An axis of an operand, counted from the first; what is out of range is refused by the rule that it is given to.
template <int Axis, class X>
inline constexpr int axis_of = Axis < 0 ? Axis + X::rank : Axis;
}  // namespace detail

/// Keeps reduced axes with extent 1: `sum(x, axis<1>, keep_dims)`.
inline constexpr struct keep_dims {
} keep_dims;

/// Leave out the element itself, and begin at the last one: `cumsum(x, axis<0>, exclusive, reverse)`.
inline constexpr struct exclusive {
} exclusive;
inline constexpr struct reverse {
} reverse;

}  // namespace etch
