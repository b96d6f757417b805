// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/sweep/reducer.hpp>

/// Reductions of pairs, of a value and where it is: argmax and argmin.
namespace etch::cpu::detail {

/// A reduction to where an extreme is. Only what is strictly more extreme, or the first NaN, takes the place of what came before.
template <class Op, class L, dtype D>
  requires(Op::gives_indices)
struct reducer<Op, L, D> {
  using T = value_type_of<D>;
  using V = located<L, D>;
  using value = typename L::template value<D>;
  using index_type = typename V::index_type;
  using numbers = typename L::template value<dtype_of<index_type>>;

  /// Of nothing the index is 0, and so it is where all elements are equal to this.
  static constexpr bool folds = false;
  static ETCH_INLINE V identity() { return {broadcast<L, D>(Op::values::template identity<T>()), numbers(0), 0}; }
  static ETCH_INLINE void take(V& total, const value& x, std::int64_t at) {
    if constexpr (L::count == 1 || is_avx512<batch<T>>) {
      take_where(total, x, at, beats(x, total.value));
    } else {
      // To choose by a mask takes two or three instructions before AVX-512; numbers grow, so the maximum chooses one.
      if constexpr (std::is_floating_point_v<T>)
        if (any(is_nan(x))) [[unlikely]]
          return take_where(total, x, at, beats(x, total.value));
      const auto wins = mask_for<numbers>(Op::better(x, total.value));
      total.value = more()(x, total.value);
      total.at = later(total.at, from_register<numbers>(wins.data) & numbers(static_cast<index_type>(at)));
    }
  }
  static ETCH_INLINE void take_first(V& total, const value& x, std::int64_t at, int count) {
    if constexpr (L::count == 1)
      take(total, x, at);
    else
      take_where(total, x, at, beats(x, total.value) & (iota<T>() < batch<T>(static_cast<T>(count))));
  }
  /// Of elements of which either may come first.
  static ETCH_INLINE V combine(const V& a, const V& b) {
    const auto wins = beats(b.value, a.value) | (is_equal(a.value, b.value) & mask_for<value>(b.at < a.at));
    return {select_in<value>(wins, b.value, a.value), select_in<numbers>(wins, b.at, a.at), 0};
  }
  /// Where the extreme of all lanes is; `at` is the number of a vector.
  static ETCH_INLINE V across(const V& x) {
    if constexpr (L::count == 1) {
      return {x.value, x.at, x.at};
    } else {
      const unsigned all = lanes_of_extreme(x.value);
      alignas(numbers) index_type at[L::count];
      x.at.store_aligned(at);
      const int lane = (all & (all - 1)) == 0 ? __builtin_ctz(all) : earliest(at, all);
      return {x.value, x.at, static_cast<std::int64_t>(at[lane]) * L::count + lane};
    }
  }

 private:
  /// Whether x, which comes behind, takes the place of `most`.
  static ETCH_INLINE auto beats(const value& x, const value& most) {
    if constexpr (!std::is_floating_point_v<T>)
      return !Op::as_good(most, x);
    else if constexpr (L::count == 1)
      return !Op::as_good(most, x) && most == most;
    else
      return (!Op::as_good(most, x)) & (most == most);
  }
  static ETCH_INLINE auto is_equal(const value& a, const value& b) {
    if constexpr (std::is_floating_point_v<T>)
      return (a == b) | (is_nan(a) & is_nan(b));
    else
      return a == b;
  }
  /// The lanes that have the extreme, as bits. NaN is rare, and the order of zeros no matter.
  static ETCH_INLINE unsigned lanes_of_extreme(const value& x) {
    if constexpr (std::is_floating_point_v<T>)
      if (const unsigned nan = lane_bits<T>(is_nan(x)); nan != 0) return nan;
    return lane_bits<T>(x == value(fold_lanes(x, more())));
  }
  /// Of several lanes the one whose index is least, the first of those.
  ETCH_NOINLINE static int earliest(const index_type* at, unsigned left) {
    int first = __builtin_ctz(left);
    while ((left &= left - 1) != 0)
      if (const int lane = __builtin_ctz(left); at[lane] < at[first]) first = lane;
    return first;
  }
  template <class X, class M>
  static ETCH_INLINE X select_in(const M& wins, const X& a, const X& b) {
    return math::select(mask_for<X>(wins), a, b);
  }
  template <class M>
  static ETCH_INLINE void take_where(V& total, const value& x, std::int64_t at, const M& wins) {
    total.value = select_in<value>(wins, x, total.value);
    total.at = select_in<numbers>(wins, numbers(static_cast<index_type>(at)), total.at);
  }
  static ETCH_INLINE numbers later(const numbers& a, const numbers& b) {
    if constexpr (std::is_floating_point_v<index_type>)
      return greater(a, b);
    else
      return simd::maximum(a, b);
  }
  struct more {
    template <class B>
    ETCH_INLINE B operator()(const B& a, const B& b) const {
      if constexpr (!std::is_floating_point_v<T>)
        return Op::values::combine(a, b);
      else
        return std::is_same_v<typename Op::values, struct max> ? greater(a, b) : smaller(a, b);
    }
  };
};

}  // namespace etch::cpu::detail
