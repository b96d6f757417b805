// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>

#include <etch/backend/cpu/program/packed_program.hpp>
#include <etch/backend/cpu/simd/arithmetic.hpp>
#include <etch/backend/nest.hpp>

/// Rows that fill no registers at their ends, beside operands that are broadcast: (n, 3) with (3), with (n, 1), or with both. As many rows as fit
/// become one, beside copies of such operands: repeated, or each element of a column as often as a row is long.
namespace etch::cpu::detail {

/// What a program does with a slot: bytes of an element, and whether it moves along the last axis.
struct row_slot {
  int size = 0;  ///< 0: it is no memory
  bool moves = false, stored = false;
};
/// Columns: whether what does not move along the last axis is expanded; else programs that have such operands are left as they are.
template <class P, bool Columns>
inline constexpr auto row_slots = [] {
  struct {
    row_slot at[P::slots() + 1];
    bool any_can_repeat = false, all_can = true;
  } all{};
  for (int i = 0; i < P::size; ++i)
    if (P::at(i).code == opcode::iota || P::at(i).mode == lane::strided) all.all_can = false;
  for (int s = 0; s < P::slots(); ++s) {
    const slot_use u = use_of_slot<P>(s);
    all.at[s] = {size_of_dtype(u.type), u.mode == lane::next, u.stored};
    all.any_can_repeat = all.any_can_repeat || ((Columns || all.at[s].moves) && !u.stored);
    if (u.stored && u.mode != lane::next) all.all_can = false;
  }
  all.all_can = all.all_can && all.any_can_repeat;
  return all;
}();

constexpr lane mode_in_packed_row(const instruction& i) { return i.code == opcode::load ? lane::next : i.mode; }
/// P for rows beside expanded columns.
template <class P>
using packed_rows_program = typename with_modes<P, mode_in_packed_row>::type;

/// Registers of a row from which on what fills none at its end is no longer worth it: (1000, 50) takes 0.6 of the time, (500, 100) 0.9 (Zen 3, whose
/// masked stores are several; those of AVX-512 are one).
inline constexpr std::int64_t long_row = sizeof(batch<float>) == 64 ? 8 : 16;
/// Memory for copies, in bytes, and behind each of them, which moves of 16 bytes may overwrite; the elements of a row that is made of several.
inline constexpr std::int64_t packed_bytes = std::int64_t{16} << 10, packed_gap = 16, packed_elements = 512;
template <int Slots>
struct packed_memory {
  alignas(64) char at[packed_bytes + Slots * packed_gap];
};

/// The last two axes of a nest.
struct two_axes {
  std::int64_t rows, row;
  const std::int64_t* stride;  ///< of slot s along the rows at s * rank, along a row behind that
  int rank;
  std::int64_t along_rows(int s) const { return stride[s * rank]; }
  std::int64_t along_row(int s) const { return stride[s * rank + 1]; }
};
/// Which slots are copied.
struct copied_slots {
  std::int64_t at_once = 0;  ///< how many rows become one; 0: they stay as they are
  bool has_columns = false;
};

ETCH_INLINE bool is_in_one_row(const row_slot& slot, const two_axes& n, int s) {
  return slot.moves && n.along_row(s) == slot.size && n.along_rows(s) == n.row * slot.size;
}
ETCH_NOINLINE inline copied_slots find_copied(const row_slot* slot, int slots, const two_axes& n, std::int64_t width,
                                              bool is_column_wanted) {
  copied_slots found;
  if (n.row == 0 || n.row >= long_row * width || n.row % width == 0 || n.rows * n.row < 256) return found;
  std::int64_t copied = 0;
  for (int s = 0; s < slots; ++s) {
    if (slot[s].size == 0 || is_in_one_row(slot[s], n, s)) continue;
    const bool is_column = !slot[s].moves;
    if (slot[s].stored || (!is_column && (n.along_rows(s) != 0 || n.along_row(s) != slot[s].size))) return found;
    if (is_column && !is_column_wanted) {
      if (n.along_rows(s) != 0) return found;
      continue;
    }
    copied += slot[s].size;
    found.has_columns = found.has_columns || is_column;
  }
  if (copied == 0) return found;
  const std::int64_t fitting = packed_bytes / copied;
  const std::int64_t at_once = (fitting < packed_elements ? fitting : packed_elements) / n.row;
  found.at_once = at_once < 2 ? 0 : at_once < n.rows ? at_once : n.rows;
  return found;
}

/// Each of `rows` elements so far apart as often as a row is long. Of up to 8 bytes.
template <class T>
void expand_column(char* to, const char* from, std::int64_t step, std::int64_t rows, std::int64_t row) {
  constexpr std::int64_t lanes = 16 / sizeof(T);
  typedef T quad __attribute__((vector_size(16)));
  for (std::int64_t i = 0; i < rows; ++i, from += step, to += row * static_cast<std::int64_t>(sizeof(T))) {
    T x;
    std::memcpy(&x, from, sizeof x);
    const quad all = x - quad{};
    // What is written too much is written over by the next, or lies behind the copies.
    for (std::int64_t j = 0; j < row; j += lanes) std::memcpy(to + j * static_cast<std::int64_t>(sizeof(T)), &all, sizeof all);
  }
}
ETCH_NOINLINE inline void expand_column(int size, char* to, const char* from, std::int64_t step, std::int64_t rows,
                                        std::int64_t row) {
  switch (size) {
    case 1: return expand_column<std::uint8_t>(to, from, step, rows, row);
    case 2: return expand_column<std::uint16_t>(to, from, step, rows, row);
    case 4: return expand_column<std::uint32_t>(to, from, step, rows, row);
    default: return expand_column<std::uint64_t>(to, from, step, rows, row);
  }
}
/// `bytes` as often as `all` has room for.
ETCH_NOINLINE inline void repeat_row(char* to, const char* from, std::int64_t bytes, std::int64_t all) {
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
  for (std::int64_t done = bytes; done < all; done *= 2)
    std::memcpy(to + done, to, static_cast<std::size_t>(done < all - done ? done : all - done));
}

/// Calls run(nest of rows made of several): with columns for one after the other, whose elements are expanded before; without for all, then for the
/// rest. data: where the slots of these rows begin.
template <int Slots, class Run>
ETCH_INLINE void for_packed_rows(const row_slot* slot, const copied_slots& copied, const two_axes& n, char* const* data,
                                 packed_memory<Slots>& copies, const Run& run) {
  char* memory = copies.at;
  nest<2, Slots> packed;
  char* expanded[Slots + 1] = {};
  for (int s = 0; s < Slots; ++s) {
    packed.data[s] = data[s];
    packed.stride[s][0] = 0;
    packed.stride[s][1] = slot[s].moves || copied.has_columns ? slot[s].size : 0;
    if (slot[s].size == 0) continue;
    const std::int64_t bytes = n.row * slot[s].size;
    if (is_in_one_row(slot[s], n, s)) {
      packed.stride[s][0] = copied.at_once * bytes;
    } else if (slot[s].moves || copied.has_columns) {
      packed.data[s] = memory;
      if (slot[s].moves)
        repeat_row(memory, data[s], bytes, copied.at_once * bytes);
      else
        expanded[s] = memory;
      memory += copied.at_once * bytes + packed_gap;
    }
  }
  const std::int64_t step = copied.has_columns ? copied.at_once : n.rows / copied.at_once * copied.at_once;
  for (std::int64_t done = 0; done < n.rows;) {
    const std::int64_t left = n.rows - done, some = left >= step ? step : left,
                       together = some < copied.at_once ? some : copied.at_once;
    for (int s = 0; s < Slots; ++s)
      if (expanded[s] != nullptr)
        expand_column(slot[s].size, expanded[s], data[s] + done * n.along_rows(s), n.along_rows(s), some, n.row);
    packed.extents[0] = some / together;
    packed.extents[1] = together * n.row;
    run(packed);
    done += some;
    for (int s = 0; s < Slots; ++s) packed.data[s] += packed.extents[0] * packed.stride[s][0];
  }
}

}  // namespace etch::cpu::detail
