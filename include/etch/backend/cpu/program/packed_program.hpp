// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <etch/config.hpp>
#include <etch/schedule/program.hpp>

/// Programs whose elements have been packed: they are contiguous.
namespace etch::cpu::detail {

template <lane (*Mode)(const instruction&)>
constexpr std::uint64_t word_with_mode(std::uint64_t word) {
  instruction i = decode_instruction(word, 0);
  if (i.has_slot()) i.mode = Mode(i);
  return i.word();
}
/// P, where lanes of accesses move otherwise: as Mode says of an instruction that has one.
template <class P, lane (*Mode)(const instruction&), class Sequence = std::make_index_sequence<2 * P::size>>
struct with_modes;
template <std::uint64_t... Words, lane (*Mode)(const instruction&), std::size_t... I>
struct with_modes<program<Words...>, Mode, std::index_sequence<I...>> {
  static constexpr std::uint64_t words[sizeof...(Words)] = {Words...};
  using type = program<(I % 2 == 0 ? word_with_mode<Mode>(words[I]) : words[I])...>;
};
/// Of an access that lies in a tile, one element after another.
constexpr lane mode_in_tile(const instruction& i) {
  return i.mode == lane::strided && i.code != opcode::iota ? lane::next : i.mode;
}
template <class P>
using packed_program = typename with_modes<P, mode_in_tile>::type;

/// What a program does with the memory of a slot, in all of its sections or in one.
struct slot_use {
  bool loaded_first = false, stored = false;
  lane mode = lane::same;
  dtype type = dtype::float32;
};
template <class P>
constexpr slot_use use_of_slot(int slot, int section = -1) {
  slot_use u;
  for (int i = 0; i < P::size; ++i) {
    const instruction in = P::at(i);
    if ((section >= 0 && in.section != section) || in.slot != slot || (in.code != opcode::load && in.code != opcode::store))
      continue;
    u.loaded_first = u.loaded_first || (!u.stored && in.code == opcode::load);
    u.mode = in.mode;
    u.stored = u.stored || in.code == opcode::store;
    u.type = in.memory;
  }
  return u;
}
/// Which slots section 0 has another value in for each element: those that are read only, and those that are written.
template <int Slots>
struct own_slots {
  bool read[Slots]{}, written[Slots]{};
};
template <class P, int Slots>
constexpr own_slots<Slots> own_slots_of() {
  own_slots<Slots> own;
  for (int s = 0; s < Slots; ++s)
    if (const slot_use u = use_of_slot<P>(s, 0); u.mode == lane::next) (u.stored ? own.written : own.read)[s] = true;
  return own;
}
/// Calls f<slot>() for each.
template <int Slots, class F>
ETCH_PART void for_each_slot(const F& f) {
  [&]<int... S>(std::integer_sequence<int, S...>)
      ETCH_PARTED { (f.template operator()<S>(), ...); }(std::make_integer_sequence<int, Slots>{});
}
/// Whether one is strided.
template <class P>
constexpr bool has_strided_memory() {
  for (int s = 0; s < P::slots(); ++s)
    if (use_of_slot<P>(s).mode == lane::strided) return true;
  return false;
}

}  // namespace etch::cpu::detail
