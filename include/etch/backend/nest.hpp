// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <etch/backend/memory.hpp>
#include <etch/schedule/program.hpp>

/// What a kernel of any backend is called with: a step's program as a type, and its loop nest with addresses.
namespace etch {

/// A loop nest: extents outermost first; per access the address of the first element and bytes per axis. An iota has no
/// memory: its "address" is its first value from `count_origin` on, its "bytes" are counts.
template <int Rank, int Slots>
struct nest {
  std::int64_t extents[Rank];
  char* data[Slots + 1];
  std::int64_t stride[Slots + 1][Rank];
};

/// The "address" of the count 0. Not null: adding to a null pointer is undefined, and sanitizers say so.
inline constexpr std::intptr_t count_origin = std::intptr_t{1} << 62;

/// The count that an iota's "address" stands for.
ETCH_HOST_DEVICE ETCH_INLINE std::int64_t count_at(const char* data) {
  return reinterpret_cast<std::intptr_t>(data) - count_origin;
}

namespace detail {
template <class Plan, int I, int... W>
constexpr auto make_program(std::integer_sequence<int, W...>) {
  constexpr const auto& p = Plan::value;
  return program<p.steps[I].lanes, p.program_words[p.steps[I].first_word + W]...>{};
}
}  // namespace detail

/// The program of step I of a plan.
template <class Plan, int I>
using program_of =
    decltype(detail::make_program<Plan, I>(std::make_integer_sequence<int, Plan::value.steps[I].word_count>{}));

/// The loop nest of step I of a plan in memory `m`.
template <class Plan, int I, int Rank, int Slots, class Memory>
ETCH_INLINE nest<Rank, Slots> make_nest(const Memory& m) {
  constexpr const auto& p = Plan::value;
  constexpr const step& s = p.steps[I];
  nest<Rank, Slots> n;
  [&]<int... D>(std::integer_sequence<int, D...>) {
    ((n.extents[D] = m.value(p.steps[I].extents[D])), ...);
  }(std::make_integer_sequence<int, Rank>{});
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (
        [&] {
          if constexpr (K < s.access_count) {
            constexpr const access& a = p.accesses[s.first_access + K];
            constexpr std::int64_t size = a.buffer < 0 ? 1 : size_of_dtype(a.type);
            if constexpr (a.buffer < 0)
              n.data[K] = reinterpret_cast<char*>(count_origin + static_cast<std::intptr_t>(m.value(a.offset)));
            else
              n.data[K] = m.buffer[a.buffer] + m.value(a.offset) * size;
            for (int d = 0; d < Rank; ++d) n.stride[K][d] = m.value(p.accesses[s.first_access + K].stride[d]) * size;
          }
        }(),
        ...);
  }(std::make_integer_sequence<int, Slots>{});
  return n;
}

}  // namespace etch
