// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/map.hpp>

/// Reductions with what is computed before, between and after them along the same rows: sums, softmax, layer norm.
/// Vectors run along the reduced axis where that is the innermost, and across rows otherwise.
namespace etch::cpu {

namespace detail {

/// Reduction Op on vectors and scalars of one dtype.
template <class Op, class L, dtype D>
struct reducer {
  using T = value_type_of<D>;
  using V = typename L::template value<D>;

  static ETCH_INLINE V identity() { return broadcast<L, D>(static_cast<T>(Op::template identity<T>())); }
  static ETCH_INLINE V combine(const V& a, const V& b) { return Op::combine(a, b); }
  /// Combines only the first `count` lanes of b.
  static ETCH_INLINE V combine_first(const V& a, const V& b, int count) {
    if constexpr (L::count == 1) {
      return combine(a, b);
    } else if constexpr (D == dtype::boolean) {
      const V first = first_lanes<typename L::real>(count);
      return (combine(a, b) & first) | (a & !first);
    } else {
      return math::select(first_lanes<T>(count), combine(a, b), a);
    }
  }
  /// The combination of all lanes, in every lane.
  static ETCH_INLINE V across(const V& x) {
    if constexpr (L::count == 1) {
      return x;
    } else if constexpr (D == dtype::boolean) {
      return broadcast<L, D>(std::is_same_v<Op, struct reduce_any> ? any(x) : all(x));
    } else {
      return broadcast<L, D>(fold_lanes(x));
    }
  }

 private:
  template <class U>
  static ETCH_INLINE xsimd::batch_bool<U> first_lanes(int count) {
    return iota<U>() < batch<U>(static_cast<U>(count));
  }
  static ETCH_INLINE T fold_lanes(const V& x) {
    if constexpr (std::is_same_v<Op, struct sum>) return reduce_add(x);
    if constexpr (std::is_same_v<Op, struct prod>) return reduce_mul(x);
    if constexpr (std::is_same_v<Op, struct max>) return reduce_max(x);
    if constexpr (std::is_same_v<Op, struct min>) return reduce_min(x);
    alignas(V) T lane_values[L::count];
    x.store_aligned(lane_values);
    for (int width = L::count / 2; width > 0; width /= 2)
      for (int i = 0; i < width; ++i) lane_values[i] = Op::combine(lane_values[i], lane_values[i + width]);
    return lane_values[0];
  }
};

template <class P, class L, int I>
using reducer_of = reducer<op_of<decoded<P>::at(I).payload>, L, decoded<P>::at(I).type>;

/// Calls f.operator()<I>() for each reduction of sweep p.
template <class P, int Sweep, class F>
ETCH_INLINE void for_each_reduction(const F& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (
        [&] {
          if constexpr (decoded<P>::at(I).section == 2 * Sweep && decoded<P>::at(I).code == opcode::reduce)
            f.template operator()<I>();
        }(),
        ...);
  }(std::make_integer_sequence<int, P::size>{});
}

}  // namespace detail

/// Kept: the number of row axes, first in the nest; Reduced: of those that are swept. AcrossRows: lanes lie along the last
/// row axis.
template <class P, int Kept, int Reduced, bool AcrossRows>
struct sweep_kernel {
  static constexpr int rank = Kept + Reduced;
  static constexpr int slots = P::slots();
  using L = lanes_of<P>;
  static constexpr int width = L::count;
  static constexpr int sweeps = (P::sections() + 1) / 2;
  using file = registers<P, L>;
  /// Independent accumulators hide the latency of the addition (4 cycles, 2 a cycle), and of the loads.
  static constexpr int unroll = width == 1 ? 1 : P::size <= 8 ? 8 : P::size <= 16 ? 4 : P::size <= 32 ? 2 : 1;

  ETCH_NOINLINE static void run(const nest<rank, slots>& n) noexcept { run_inline(n); }

  ETCH_INLINE static void run_inline(const nest<rank, slots>& n) noexcept {
    constexpr int lane_axis = AcrossRows ? Kept - 1 : rank - 1;
    cursor<slots> c;
    for (int s = 0; s < slots; ++s) {
      c.data[s] = n.data[s];
      c.stride[s] = n.stride[s][lane_axis];
    }
    if constexpr (AcrossRows) {
      for_each_row<0, Kept - 1>(n, c, [&](const cursor<slots>& rows) {
        const std::int64_t extent = n.extents[Kept - 1];
        std::int64_t i = 0;
        for (; i + columns * width <= extent; i += columns * width) across<columns, false>(n, rows, i, width);
        if constexpr (columns > 1)
          for (; i + width <= extent; i += width) across<1, false>(n, rows, i, width);
        if constexpr (width > 1)
          if (i < extent) across<1, true>(n, rows, i, static_cast<int>(extent - i));
      });
    } else {
      for_each_row<0, Kept>(n, c, [&](const cursor<slots>& row) { along(n, row); });
    }
  }

 private:
  /// Vectors side by side when lanes lie across rows: whole cache lines, and several chains of additions.
  static constexpr int columns = width == 1 ? 1 : P::size <= 16 ? 4 : 1;

  ETCH_INLINE static void along(const nest<rank, slots>& n, const cursor<slots>& row) {
    file r;
    [&]<int... S>(std::integer_sequence<int, S...>) { (sweep_along<S>(n, row, r), ...); }
    (std::make_integer_sequence<int, sweeps>{});
  }

  template <int S>
  ETCH_INLINE static void sweep_along(const nest<rank, slots>& n, const cursor<slots>& row, file& r) {
    file u[unroll];
    detail::for_each_reduction<P, S>([&]<int I>() {
      for (int k = 0; k < unroll; ++k) u[k].template get<I>() = detail::reducer_of<P, L, I>::identity();
    });
    cursor<slots> c = row;
    for_each_row<Kept, rank - 1>(n, c, [&](const cursor<slots>& inner) {
      evaluate_section<P, L, 2 * S, true, false>(r, inner, 0, width);
      const std::int64_t extent = n.extents[rank - 1];
      std::int64_t i = 0;
      for (; i + unroll * width <= extent; i += unroll * width)
        unrolled<S>(r, u, inner, i, std::make_integer_sequence<int, unroll>{});
      if constexpr (unroll > 1)
        for (; i + width <= extent; i += width) vector<S, false>(r, u[0], inner, i, width);
      if constexpr (width > 1)
        if (i < extent) vector<S, true>(r, u[0], inner, i, static_cast<int>(extent - i));
    });
    detail::for_each_reduction<P, S>([&]<int I>() {
      using reducer = detail::reducer_of<P, L, I>;
      for (int step = unroll / 2; step > 0; step /= 2)
        for (int k = 0; k < step; ++k)
          u[k].template get<I>() = reducer::combine(u[k].template get<I>(), u[k + step].template get<I>());
      r.template get<I>() = reducer::across(u[0].template get<I>());
    });
    evaluate_section<P, L, 2 * S + 1, false, false>(r, row, 0, width);
  }

  template <int S, int... U>
  ETCH_INLINE static void unrolled(file& r, file (&u)[unroll], const cursor<slots>& c, std::int64_t i,
                                   std::integer_sequence<int, U...>) {
    (vector<S, false>(r, u[U], c, i + U * width, width), ...);
  }
  /// One vector of elements; the results of reductions are kept in `total`.
  template <int S, bool Partial>
  ETCH_INLINE static void vector(file& r, file& total, const cursor<slots>& c, std::int64_t i, int count) {
    evaluate_section<P, L, 2 * S, false, Partial>(r, c, i, count);
    detail::for_each_reduction<P, S>([&]<int I>() {
      using reducer = detail::reducer_of<P, L, I>;
      const auto& value = r.template get<decoded<P>::at(I).a>();
      auto& t = total.template get<I>();
      if constexpr (Partial)
        t = reducer::combine_first(t, value, count);
      else
        t = reducer::combine(t, value);
    });
  }

  template <int Columns, bool Partial>
  ETCH_INLINE static void across(const nest<rank, slots>& n, const cursor<slots>& rows, std::int64_t i, int count) {
    file r[Columns];
    [&]<int... S>(std::integer_sequence<int, S...>) { (sweep_across<S, Columns, Partial>(n, rows, i, count, r), ...); }
    (std::make_integer_sequence<int, sweeps>{});
  }
  template <int S, int Columns, bool Partial>
  ETCH_INLINE static void sweep_across(const nest<rank, slots>& n, const cursor<slots>& rows, std::int64_t i, int count,
                                       file (&r)[Columns]) {
    file total[Columns];
    detail::for_each_reduction<P, S>([&]<int I>() {
      for (int k = 0; k < Columns; ++k) total[k].template get<I>() = detail::reducer_of<P, L, I>::identity();
    });
    cursor<slots> c = rows;
    for_each_row<Kept, rank>(n, c, [&](const cursor<slots>& inner) {
      for (int k = 0; k < Columns; ++k) {
        evaluate_section<P, L, 2 * S, true, Partial>(r[k], inner, i + k * width, count);
        evaluate_section<P, L, 2 * S, false, Partial>(r[k], inner, i + k * width, count);
        detail::for_each_reduction<P, S>([&]<int I>() {
          auto& t = total[k].template get<I>();
          t = detail::reducer_of<P, L, I>::combine(t, r[k].template get<decoded<P>::at(I).a>());
        });
      }
    });
    for (int k = 0; k < Columns; ++k) {
      detail::for_each_reduction<P, S>([&]<int I>() { r[k].template get<I>() = total[k].template get<I>(); });
      evaluate_section<P, L, 2 * S + 1, false, Partial>(r[k], rows, i + k * width, count);
    }
  }
};

}  // namespace etch::cpu
