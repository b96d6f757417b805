// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/gpu/map.hpp>

/// Scans (prefix sums) with what is computed before and behind them element by element: a thread per row, which walks it once.
namespace etch::gpu {

namespace detail {

template <class P>
ETCH_HOST_DEVICE constexpr bool scans_backwards() {
  for (int i = 0; i < P::size; ++i)
    if (P::at(i).code == opcode::scan) return (P::at(i).c & scan_backwards) != 0;
  return false;
}
template <class P, int I>
ETCH_DEVICE ETCH_INLINE void begin_scan(registers<P>& states) {
  if constexpr (P::at(I).code == opcode::scan) {
    using T = value_type_of<P::at(I).type>;
    states.template get<I>() = static_cast<T>(op_of<P::at(I).payload>::template identity<T>());
  }
}
template <class P, int... I>
ETCH_DEVICE ETCH_INLINE void begin_scans(registers<P>& states, std::integer_sequence<int, I...>) {
  (begin_scan<P, I>(states), ...);
}
template <class P, int I, int Rank, int Slots>
ETCH_DEVICE ETCH_INLINE void evaluate_or_scan(registers<P>& r, [[maybe_unused]] registers<P>& states, const nest<Rank, Slots>& n,
                                              const position<Slots>& p) {
  constexpr instruction in = P::at(I);
  if constexpr (in.code == opcode::scan) {
    using op = op_of<in.payload>;
    auto& state = states.template get<I>();
    const auto before = state;
    if constexpr (op::arity == 1)
      state = op::combine(before, r.template get<in.a>());
    else
      state = op::combine(before, r.template get<in.a>(), r.template get<in.b>());
    r.template get<I>() = op::is_exclusive || (in.c & scan_exclusive) != 0 ? before : state;
  } else {
    evaluate<P, I>(r, n, p);
  }
}
template <class P, int Rank, int Slots, int... I>
ETCH_DEVICE ETCH_INLINE void scan_one(registers<P>& r, registers<P>& states, const nest<Rank, Slots>& n, const position<Slots>& p,
                                      std::integer_sequence<int, I...>) {
  (evaluate_or_scan<P, I>(r, states, n, p), ...);
}

}  // namespace detail

/// What walks row i of a nest whose last axis is that of the scans.
template <class P, int Rank>
struct scan_one_row {
  nest<Rank, P::slots()> loop;

  ETCH_DEVICE void operator()(std::int64_t i) const {
    position<P::slots()> p;
    advance<0, Rank - 1>(p, loop, i);
    const std::int64_t count = loop.extents[Rank - 1];
    constexpr bool backwards = detail::scans_backwards<P>();
    if (backwards)
      for (int s = 0; s < P::slots(); ++s) p.at[s] += (count - 1) * loop.stride[s][Rank - 1];
    registers<P> r, states;
    detail::begin_scans<P>(states, instructions<P>{});
    for (std::int64_t j = 0; j < count; ++j) {
      detail::scan_one<P>(r, states, loop, p, instructions<P>{});
      for (int s = 0; s < P::slots(); ++s) p.at[s] += backwards ? -loop.stride[s][Rank - 1] : loop.stride[s][Rank - 1];
    }
  }
};

template <class P, int Rank>
void run_scan(const nest<Rank, P::slots()>& n) {
  for_each_index(count_of(n, 0, Rank - 1), scan_one_row<P, Rank>{n});
}

}  // namespace etch::gpu
