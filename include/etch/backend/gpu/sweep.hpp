// SPDX-License-Identifier: MIT
#pragma once
#include <thrust/transform_reduce.h>

#include <etch/backend/gpu/map.hpp>

/// Reductions with what is computed before, between and after them along the same rows: a thread per row, which sweeps it
/// as often as the program says. Where there is but one row, every sweep is a parallel reduction of its own.
namespace etch::gpu {

namespace detail {

/// Whether instruction i is a reduction of sweep s.
template <class P>
ETCH_HOST_DEVICE constexpr bool reduces(int i, int s) {
  const instruction in = P::at(i);
  return in.code == opcode::reduce && in.section == 2 * s;
}
template <class P>
ETCH_HOST_DEVICE constexpr int sweeps_of() {
  return (P::sections() + 1) / 2;
}

template <class P, int I>
using reduction_at = op_of<P::at(I).payload>;

/// What reduction I begins with. A variable, since the host begins some too, and an op may say it by no device function.
template <class P, int I>
constexpr auto find_identity() {
  using T = value_type_of<P::at(I).type>;
  if constexpr (is_located<P, I>())
    return static_cast<T>(reduction_at<P, I>::values::template identity<T>());
  else
    return static_cast<T>(reduction_at<P, I>::template identity<T>());
}
template <class P, int I>
inline constexpr value_type_of<P::at(I).type> identity_at = find_identity<P, I>();

template <class P, int I, int S>
ETCH_HOST_DEVICE ETCH_INLINE void begin_reduction(registers<P>& r) {
  if constexpr (reduces<P>(I, S)) {
    if constexpr (is_located<P, I>())
      r.template get<I>() = {identity_at<P, I>, 0};
    else
      r.template get<I>() = identity_at<P, I>;
  }
}
/// What is more extreme, or is the first NaN, takes the place of what comes before it; of equal ones the first stays.
template <class Op, class T>
ETCH_DEVICE ETCH_INLINE void take_extreme(located<T>& total, const located<T>& x) {
  const bool is_nan = total.value != total.value, both_or_equal = total.value == x.value || (is_nan && x.value != x.value);
  if ((!is_nan && !Op::as_good(total.value, x.value)) || (both_or_equal && x.at < total.at)) total = x;
}
/// Takes up element i of the sweep.
template <class P, int I, int S>
ETCH_DEVICE ETCH_INLINE void combine_reduction(registers<P>& r, [[maybe_unused]] std::int64_t i) {
  if constexpr (reduces<P>(I, S)) {
    auto& total = r.template get<I>();
    const auto& x = r.template get<P::at(I).a>();
    if constexpr (is_located<P, I>())
      take_extreme<reduction_at<P, I>>(total, {x, i});
    else
      total = reduction_at<P, I>::combine(total, x);
  }
}
template <class P, int S, int... I>
ETCH_HOST_DEVICE ETCH_INLINE void begin_reductions(registers<P>& r, std::integer_sequence<int, I...>) {
  (begin_reduction<P, I, S>(r), ...);
}
template <class P, int S, int... I>
ETCH_DEVICE ETCH_INLINE void combine_reductions(registers<P>& r, std::int64_t i, std::integer_sequence<int, I...>) {
  (combine_reduction<P, I, S>(r, i), ...);
}

/// Sweep S over axes [Axis, Rank) from position p; number: of the element along the axis before.
template <class P, int S, int Axis, int Rank, int Slots>
ETCH_DEVICE ETCH_INLINE void sweep_axes(registers<P>& r, const nest<Rank, Slots>& n, position<Slots> p, std::int64_t number = 0) {
  if constexpr (Axis == Rank) {
    evaluate_section<P, 2 * S>(r, n, p);
    combine_reductions<P, S>(r, number, instructions<P>{});
  } else {
    for (std::int64_t i = 0; i < n.extents[Axis]; ++i) {
      sweep_axes<P, S, Axis + 1>(r, n, p, i);
      for (int s = 0; s < Slots; ++s) p.at[s] += n.stride[s][Axis];
    }
  }
}

template <class P, int S, int Kept, int Rank, int Slots>
ETCH_DEVICE ETCH_INLINE void sweep_row(registers<P>& r, const nest<Rank, Slots>& n, const position<Slots>& row) {
  begin_reductions<P, S>(r, instructions<P>{});
  sweep_axes<P, S, Kept>(r, n, row);
  evaluate_section<P, 2 * S + 1>(r, n, row);
}

}  // namespace detail

/// What evaluates row i of a nest whose first Kept axes are rows.
template <class P, int Kept, int Rank>
struct sweep_one_row {
  nest<Rank, P::slots()> loop;

  ETCH_DEVICE void operator()(std::int64_t i) const {
    position<P::slots()> row;
    advance<0, Kept>(row, loop, i);
    registers<P> r;
    all_sweeps(r, row, std::make_integer_sequence<int, detail::sweeps_of<P>()>{});
  }

 private:
  template <int... S>
  ETCH_DEVICE ETCH_INLINE void all_sweeps(registers<P>& r, const position<P::slots()>& row,
                                          std::integer_sequence<int, S...>) const {
    (detail::sweep_row<P, S, Kept>(r, loop, row), ...);
  }
};

/// The results of a program's reductions, on their way between kernels. Words, whose layout host and device agree on.
template <class P>
struct totals {
  /// The first word of reduction I; of all instructions how many there are. What is located has two.
  template <int I>
  ETCH_HOST_DEVICE static constexpr int index() {
    return []<int... J>(std::integer_sequence<int, J...>) {
      return (0 + ... + (P::at(J).code == opcode::reduce ? is_located<P, J>() ? 2 : 1 : 0));
    }(std::make_integer_sequence<int, I>{});
  }
  std::uint64_t word[index<P::size>() + 1]{};

  template <int I, class T>
  ETCH_HOST_DEVICE ETCH_INLINE void put(const T& value) {
    __builtin_memcpy(&word[index<I>()], &value, sizeof(T));
  }
  template <int I, class T>
  ETCH_HOST_DEVICE ETCH_INLINE void take(T& value) const {
    __builtin_memcpy(&value, &word[index<I>()], sizeof(T));
  }
};

namespace detail {

template <class P, int I, int S>
ETCH_HOST_DEVICE ETCH_INLINE void put_reduction(totals<P>& t, registers<P>& r) {
  if constexpr (reduces<P>(I, S)) t.template put<I>(r.template get<I>());
}
template <class P, int S, int... I>
ETCH_HOST_DEVICE ETCH_INLINE void put_reductions(totals<P>& t, registers<P>& r, std::integer_sequence<int, I...>) {
  (put_reduction<P, I, S>(t, r), ...);
}
template <class P, int I>
ETCH_HOST_DEVICE ETCH_INLINE void take_reduction(const totals<P>& t, registers<P>& r) {
  if constexpr (P::at(I).code == opcode::reduce) t.template take<I>(r.template get<I>());
}
template <class P, int... I>
ETCH_HOST_DEVICE ETCH_INLINE void take_reductions(const totals<P>& t, registers<P>& r, std::integer_sequence<int, I...>) {
  (take_reduction<P, I>(t, r), ...);
}
template <class P, int I, int S>
ETCH_DEVICE ETCH_INLINE void merge_reduction(totals<P>& t, const totals<P>& other) {
  if constexpr (reduces<P>(I, S)) {
    std::remove_reference_t<decltype(registers<P>{}.template get<I>())> a, b;
    t.template take<I>(a);
    other.template take<I>(b);
    if constexpr (is_located<P, I>())
      take_extreme<reduction_at<P, I>>(a, b);
    else
      a = reduction_at<P, I>::combine(a, b);
    t.template put<I>(a);
  }
}
template <class P, int S, int... I>
ETCH_DEVICE ETCH_INLINE void merge_reductions(totals<P>& t, const totals<P>& other, std::integer_sequence<int, I...>) {
  (merge_reduction<P, I, S>(t, other), ...);
}

/// The registers behind these sweeps: their reductions, and what follows from these once per row, with or without its stores.
template <class P, bool Stores = false, int Rank, int Slots, int... Earlier>
ETCH_DEVICE ETCH_INLINE void recall(registers<P>& r, const totals<P>& t, const nest<Rank, Slots>& n,
                                    std::integer_sequence<int, Earlier...>) {
  take_reductions<P>(t, r, instructions<P>{});
  (evaluate_section<P, 2 * Earlier + 1, Stores>(r, n, position<Slots>{}), ...);
}

/// Whether sweep `s` reduces anything.
template <class P>
constexpr bool has_reductions(int s) {
  for (int i = 0; i < P::size; ++i)
    if (reduces<P>(i, s)) return true;
  return false;
}
/// Whether anything is stored once per row.
template <class P>
constexpr bool stores_rows() {
  for (int i = 0; i < P::size; ++i)
    if (P::at(i).code == opcode::store && P::at(i).section % 2 != 0) return true;
  return false;
}

}  // namespace detail

/// Sweep S of the only row, at element i: earlier totals, with what this element adds to those of the sweep.
template <class P, int S, int Rank>
struct sweep_element {
  nest<Rank, P::slots()> loop;
  totals<P> known;

  ETCH_DEVICE totals<P> operator()(std::int64_t i) const {
    position<P::slots()> p;
    advance<0, Rank>(p, loop, i);
    registers<P> r;
    detail::recall<P>(r, known, loop, std::make_integer_sequence<int, S>{});
    detail::begin_reductions<P, S>(r, instructions<P>{});
    evaluate_section<P, 2 * S>(r, loop, p);
    detail::combine_reductions<P, S>(r, i, instructions<P>{});
    totals<P> result = known;
    detail::put_reductions<P, S>(result, r, instructions<P>{});
    return result;
  }
};

template <class P, int S>
struct merge_totals {
  ETCH_DEVICE totals<P> operator()(const totals<P>& a, const totals<P>& b) const {
    totals<P> result = a;
    detail::merge_reductions<P, S>(result, b, instructions<P>{});
    return result;
  }
};

/// What is stored once. Behind all sweeps: it may overwrite a variable from which a later sweep computes the row's value anew.
template <class P, int Rank>
struct store_totals {
  nest<Rank, P::slots()> loop;
  totals<P> known;

  ETCH_DEVICE void operator()(std::int64_t) const {
    registers<P> r;
    detail::recall<P, true>(r, known, loop, std::make_integer_sequence<int, detail::sweeps_of<P>()>{});
  }
};

namespace detail {

template <class P, int S, int Rank>
void sweep_all(const nest<Rank, P::slots()>& n, totals<P>& known) {
  const std::int64_t count = count_of(n, 0, Rank);
  const sweep_element<P, S, Rank> element{n, known};
  if constexpr (has_reductions<P>(S)) {
    registers<P> identities;
    begin_reductions<P, S>(identities, instructions<P>{});
    put_reductions<P, S>(known, identities, instructions<P>{});
    const auto first = thrust::make_counting_iterator(std::int64_t{0});
    known = thrust::transform_reduce(thrust::device, first, first + count, element, known, merge_totals<P, S>{});
  } else {
    for_each_index(count, element);
  }
}

}  // namespace detail

template <class P, int Kept, int Rank>
void run_sweep(const nest<Rank, P::slots()>& n) {
  if constexpr (Kept > 0) {
    for_each_index(count_of(n, 0, Kept), sweep_one_row<P, Kept, Rank>{n});
  } else {
    totals<P> known;
    [&]<int... S>(std::integer_sequence<int, S...>) {
      (detail::sweep_all<P, S, Rank>(n, known), ...);
    }(std::make_integer_sequence<int, detail::sweeps_of<P>()>{});
    if constexpr (detail::stores_rows<P>()) for_each_index(1, store_totals<P, Rank>{n, known});
  }
}

}  // namespace etch::gpu
