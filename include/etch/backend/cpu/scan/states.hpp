// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/map/map.hpp>

/// What scans keep from one element of a row to the next, and the elements of a program that has any.
namespace etch::cpu {

/// The scans of a program: where they stand, and which way they all walk.
template <class P>
struct scans_of {
  struct list {
    int count = 0, at[P::size + 1]{};
    bool backwards = false;
  };
  static constexpr list value = [] {
    list l;
    for (int i = 0; i < P::size; ++i) {
      if (decoded<P>::at(i).code != opcode::scan) continue;
      l.at[l.count++] = i;
      l.backwards = (decoded<P>::at(i).c & scan_backwards) != 0;
    }
    return l;
  }();
  template <int... K>
  static std::integer_sequence<int, value.at[K]...> expand(std::integer_sequence<int, K...>);
  using type = decltype(expand(std::make_integer_sequence<int, value.count>{}));
};

namespace detail {

/// Scan I of a program, on registers and on elements.
template <class P, int I>
struct scan_at {
  static constexpr instruction in = decoded<P>::at(I);
  using op = op_of<in.payload>;
  using T = value_type_of<in.type>;
  static constexpr bool exclusive = op::is_exclusive || (in.c & scan_exclusive) != 0;

  template <class L>
  static ETCH_INLINE auto identity() {
    return broadcast<L, in.type>(static_cast<T>(op::template identity<T>()));
  }
  template <class L>
  static ETCH_INLINE auto after(registers<P, L>& r, const typename L::template value<in.type>& state) {
    if constexpr (op::arity == 1)
      return op::combine(state, r.template get<in.a>());
    else
      return op::combine(state, r.template get<in.a>(), r.template get<in.b>());
  }
};

template <class P, class L, int I>
struct state_of_scan {
  typename L::template value<decoded<P>::at(I).type> value;
};
template <class P, class L, class Scans>
struct state_file;
template <class P, class L, int... I>
struct state_file<P, L, std::integer_sequence<int, I...>> : state_of_scan<P, L, I>... {
  ETCH_PART void clear() { ((get<I>() = scan_at<P, I>::template identity<L>()), ...); }
  template <int N>
  ETCH_INLINE auto& get() {
    return static_cast<state_of_scan<P, L, N>&>(*this).value;
  }
};

}  // namespace detail

/// The states of all scans of a program, of as many rows as there are lanes.
template <class P, class L>
using scan_states = detail::state_file<P, L, typename scans_of<P>::type>;

namespace detail {

template <class P, class L, int I, bool Partial, int Slots>
ETCH_PART void step(registers<P, L>& r, scan_states<P, L>& states, const cursor<Slots>& c, std::int64_t i, int count) {
  if constexpr (decoded<P>::at(I).code == opcode::scan) {
    auto& state = states.template get<I>();
    const auto after = scan_at<P, I>::template after<L>(r, state);
    if constexpr (scan_at<P, I>::exclusive)
      r.template get<I>() = state;
    else
      r.template get<I>() = after;
    state = after;
  } else {
    evaluate<P, L, I, (Partial && touches_memory<P, I>), false>(r, c, i, count);
  }
}
template <class P, class L, bool Partial, int Slots, int... I>
ETCH_PART void step_each(registers<P, L>& r, scan_states<P, L>& states, const cursor<Slots>& c, std::int64_t i, int count,
                         std::integer_sequence<int, I...>) {
  (step<P, L, I, Partial>(r, states, c, i, count), ...);
}

}  // namespace detail

/// One element of as many rows as there are lanes: of rows from number `i` of the nest's on, of which `count` are there.
template <class P, class L, bool Partial, int Slots>
ETCH_PART void scan_element(registers<P, L>& r, scan_states<P, L>& states, const cursor<Slots>& c, std::int64_t i, int count) {
  detail::step_each<P, L, Partial>(r, states, c, i, count, selected<P, 0, choice::varying>{});
}

}  // namespace etch::cpu
