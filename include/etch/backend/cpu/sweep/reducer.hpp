// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/map/map.hpp>

/// What a sweep does with a reduction: its identity, and combinations of vectors, of lanes, and of elements.
namespace etch::cpu::detail {

/// Extremes of floats: NaN is looked for in pairs of vectors, and where there is none, the others are compared without. So a vector of
/// 512 bits takes two instructions, not three, of 256 bits four, not five.
template <class Op, class L, dtype D>
inline constexpr bool folds_extremes = L::count > 1 && is_floating(D) &&
                                       (std::is_same_v<Op, struct max> || std::is_same_v<Op, struct min>);

template <class V, int N, class F>
ETCH_INLINE V fold_tree(V (&x)[N], const F& combine) {
  for (int left = N; left > 1; left = (left + 1) / 2) {
    ETCH_UNROLL(8)
    for (int k = 0; k < left / 2; ++k) x[k] = combine(x[k], x[k + (left + 1) / 2]);
  }
  return x[0];
}
template <class Op, class V, int N>
ETCH_INLINE V fold_extremes(V (&x)[N]) {
  auto nan = unordered(x[0], x[N - 1]);
  ETCH_UNROLL(8)
  for (int k = 1; k < N - 1; k += 2) nan = nan | unordered(x[k], x[k + 1]);
  if (any(nan)) [[unlikely]]
    return fold_tree(x, [](const V& a, const V& b) ETCH_INLINED { return Op::combine(a, b); });
  return fold_tree(x, [](const V& a, const V& b) ETCH_INLINED {
    return std::is_same_v<Op, struct max> ? greater_of_numbers(a, b) : smaller_of_numbers(a, b);
  });
}

/// Reduction Op on vectors and scalars of one dtype.
template <class Op, class L, dtype D>
struct reducer {
  using T = value_type_of<D>;
  using V = typename L::template value<D>;

  static ETCH_INLINE V identity() { return broadcast<L, D>(static_cast<T>(Op::template identity<T>())); }
  static ETCH_INLINE V combine(const V& a, const V& b) { return Op::combine(a, b); }
  /// Whether several vectors are combined before a total takes them up, by `fold`.
  static constexpr bool folds = folds_extremes<Op, L, D>;
  template <int N>
  static ETCH_INLINE V fold(V (&x)[N]) {
    return fold_extremes<Op>(x);
  }
  /// Takes up elements; at: where they are, for reductions that ask.
  static ETCH_INLINE void take(V& total, const V& x, std::int64_t) { total = combine(total, x); }
  /// Takes up only the first `count` lanes.
  static ETCH_INLINE void take_first(V& total, const V& x, std::int64_t, int count) {
    if constexpr (L::count == 1) {
      total = combine(total, x);
    } else if constexpr (D == dtype::boolean) {
      const V first = first_lanes<typename L::real>(count);
      total = (combine(total, x) & first) | (total & !first);
    } else {
      total = math::select(first_lanes<T>(count), combine(total, x), total);
    }
  }
  /// The combination of all lanes, in every lane.
  static ETCH_INLINE V across(const V& x) {
    if constexpr (L::count == 1) {
      return x;
    } else if constexpr (D == dtype::boolean) {
      return broadcast<L, D>(across_mask(x));
    } else {
      return broadcast<L, D>(fold_lanes(x, combines()));
    }
  }

 private:
  template <class U>
  static ETCH_INLINE xsimd::batch_bool<U> first_lanes(int count) {
    return iota<U>() < batch<U>(static_cast<U>(count));
  }
  struct combines {
    template <class B>
    ETCH_INLINE B operator()(const B& a, const B& b) const {
      return Op::combine(a, b);
    }
  };
  static ETCH_INLINE bool across_mask(const V& x) {
    constexpr auto is = [](bool of_both, bool of_one) {
      return Op::combine(true, true) == of_both && Op::combine(true, false) == of_one && Op::combine(false, true) == of_one &&
             !Op::combine(false, false);
    };
    if constexpr (is(true, true)) {
      return any(x);
    } else if constexpr (is(true, false)) {
      return all(x);
    } else {
      bool lane_values[64];
      store_mask(lane_values, x);
      for (int width = L::count / 2; width > 0; width /= 2)
        for (int i = 0; i < width; ++i) lane_values[i] = Op::combine(lane_values[i], lane_values[i + width]);
      return lane_values[0];
    }
  }
};

template <class P, class L, int I>
using reducer_of = reducer<op_of<decoded<P>::at(I).payload>, L, decoded<P>::at(I).type>;

/// Whether reduction I is this op of floats.
template <class Op, class P, int I>
inline constexpr bool is_of_floats = std::is_same_v<op_of<decoded<P>::at(I).payload>, Op> && is_floating(decoded<P>::at(I).type);
/// Whether it rounds, so that its bits depend on the order of its terms.
template <class P, int I>
inline constexpr bool rounds = is_of_floats<struct sum, P, I> || is_of_floats<struct prod, P, I>;
template <class P, int Sweep>
inline constexpr bool sweep_rounds =
    []<int... I>(std::integer_sequence<int, I...>) { return (rounds<P, I> || ...); }(selected<P, 2 * Sweep, choice::reductions>{});

/// Whether a reduction of a sweep does.
template <class P, class L, int Sweep>
inline constexpr bool sweep_folds = []<int... I>(std::integer_sequence<int, I...>) {
  return (reducer_of<P, L, I>::folds || ...);
}(selected<P, 2 * Sweep, choice::reductions>{});

/// Calls f.operator()<I>() for each reduction of sweep p.
template <class P, int Sweep, class F>
ETCH_PART void for_each_reduction(const F& f) {
  [&]<int... I>(std::integer_sequence<int, I...>)
      ETCH_PARTED { (f.template operator()<I>(), ...); }(selected<P, 2 * Sweep, choice::reductions>{});
}

/// What the reductions of a sweep read of Count elements.
template <class P, class L, int I, int Count>
struct operands_of {
  typename indexed_register<P, L, decoded<P>::at(I).a>::type value[Count];
};
template <class P, class L, int Count, class Reductions>
struct operand_values;
template <class P, class L, int Count, int... I>
struct operand_values<P, L, Count, std::integer_sequence<int, I...>> : operands_of<P, L, I, Count>... {
  template <class File>
  ETCH_PART void put([[maybe_unused]] int k, [[maybe_unused]] File& file) {
    ((this->operands_of<P, L, I, Count>::value[k] = file.template get<decoded<P>::at(I).a>()), ...);
  }
  template <int N>
  ETCH_INLINE auto& of() {
    return this->operands_of<P, L, N, Count>::value;
  }
};
template <class P, class L, int S, int Count>
using operands_of_sweep = operand_values<P, L, Count, selected<P, 2 * S, choice::reductions>>;

}  // namespace etch::cpu::detail
