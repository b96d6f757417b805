// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>

#include <etch/backend/cpu/program/packed_program.hpp>
#include <etch/backend/nest.hpp>

/// Rows of fewer elements than some vectors, along which operands are broadcast: (n, 3) with (3).
namespace etch::cpu::detail {

/// What a program does with a slot of a nest of two axes: bytes of an element, and whether it moves along the second.
struct row_slot {
  int size = 0;  ///< 0: it is no memory
  bool moves = false, stored = false;
};
template <class P, int Slots>
inline constexpr auto row_slots = [] {
  struct {
    row_slot at[Slots + 1];
    bool any_can_repeat = false, all_can = true;
  } all{};
  for (int i = 0; i < P::size; ++i)
    if (P::at(i).code == opcode::iota || P::at(i).mode == lane::strided) all.all_can = false;
  for (int s = 0; s < Slots; ++s) {
    const slot_use u = use_of_slot<P>(s);
    all.at[s] = {size_of_dtype(u.type), u.mode == lane::next, u.stored};
    all.any_can_repeat = all.any_can_repeat || (all.at[s].moves && !u.stored);
  }
  all.all_can = all.all_can && all.any_can_repeat;
  return all;
}();

/// Registers of a row from which on what fills none at its end is no longer worth it: (1000, 50) takes 0.6 of the time, (500, 100) 0.9 (Zen 3, whose
/// masked stores are several; those of AVX-512 are one).
inline constexpr std::int64_t long_row = sizeof(batch<float>) == 64 ? 8 : 16;

/// Memory for repeated operands, in bytes, and the elements of a row that is made of several.
inline constexpr std::int64_t repeated_bytes = std::int64_t{16} << 10, repeated_elements = 512;

/// How many rows of a nest become one, where each operand either lies in one row already or is the same in each row, which is then repeated in
/// memory; 0 where they stay as they are. `nest`: the words of a nest<2, slots>.
ETCH_NOINLINE inline std::int64_t rows_in_one(const row_slot* slot, int slots, const std::int64_t* extents,
                                              const std::int64_t (*stride)[2], std::int64_t width) {
  const std::int64_t rows = extents[0], row = extents[1];
  if (row == 0 || row >= long_row * width || row % width == 0 || rows * row < 256) return 0;
  std::int64_t repeated = 0;
  for (int s = 0; s < slots; ++s) {
    const bool is_constant = stride[s][0] == 0 && !slot[s].stored;
    if (slot[s].moves && is_constant)
      repeated += slot[s].size;
    else if (slot[s].moves ? stride[s][0] != row * slot[s].size || stride[s][1] != slot[s].size : !is_constant)
      return 0;
  }
  if (repeated == 0) return 0;
  const std::int64_t fitting = repeated_bytes / repeated;
  const std::int64_t at_once = (fitting < repeated_elements ? fitting : repeated_elements) / row;
  return at_once < 2 ? 0 : at_once < rows ? at_once : rows;
}

/// Makes of `n` a nest of longer rows, and of `rest` what does not fill one; the repeated operands go to `memory`.
template <int Slots>
ETCH_NOINLINE void repeat_rows(const row_slot* slot, std::int64_t at_once, nest<2, Slots>& n, nest<2, Slots>& rest, char* memory) {
  const std::int64_t rows = n.extents[0] / at_once, row = n.extents[1];
  rest = n;
  for (int s = 0; s < Slots; ++s) {
    const std::int64_t bytes = row * slot[s].size;
    if (!slot[s].moves) continue;
    if (n.stride[s][0] == 0) {
      std::memcpy(memory, n.data[s], static_cast<std::size_t>(bytes));
      for (std::int64_t done = bytes, all = at_once * bytes; done < all; done *= 2)
        std::memcpy(memory + done, memory, static_cast<std::size_t>(done < all - done ? done : all - done));
      n.data[s] = rest.data[s] = memory;
      n.stride[s][1] = rest.stride[s][1] = slot[s].size;
      memory += at_once * bytes;
    } else {
      n.stride[s][0] = at_once * bytes;
      rest.data[s] += rows * at_once * bytes;
    }
  }
  rest.extents[1] = (n.extents[0] - rows * at_once) * row;
  rest.extents[0] = rest.extents[1] == 0 ? 0 : 1;
  n.extents[0] = rows;
  n.extents[1] = at_once * row;
}

}  // namespace etch::cpu::detail
