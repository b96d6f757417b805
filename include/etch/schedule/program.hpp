// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <etch/core/dtype.hpp>
#include <etch/core/op.hpp>

/// The body of a kernel as integers. A program is a list of instructions of two words each; instruction i writes register
/// i. As template arguments (`program<0x..., ...>`) equal bodies are one instantiation, and nvcc can name them.
namespace etch {

enum class opcode : std::uint8_t {
  load,         ///< from access `slot`
  store,        ///< register a to access `slot`
  immediate,    ///< payload: bits as in the constant op
  iota,         ///< the integer that access `slot` points at
  apply,        ///< payload: op id; operands a, b, c
  reduce,       ///< payload: op id of the reduction; combines register a along the sweep
  accumulator,  ///< the result of the contraction
  /// payload: op id of the scan; takes register a, of a recurrence a and b, into its state; c: its options. The register is the state
  /// behind the element, or before it.
  scan,
};

/// The section of a product's program that is the prologue of operand k: what computes its elements.
constexpr int operand_section(int k) { return 2 * k + 2; }

/// How an access moves along the lanes of a vector.
enum class lane : std::uint8_t { same, next, strided };

/// The bits of an instruction's fields: said here, and nowhere else.
struct instruction_bits {
  static constexpr int code = 4, mode = 2, type = 5, section = 6, place = 14;
  static constexpr int at_mode = code, at_type = at_mode + mode, at_memory = at_type + type, at_section = at_memory + type,
                       at_a = at_section + section, at_b = at_a + place, at_c = at_b + place;
};
static_assert(instruction_bits::at_c + instruction_bits::place == 64);

/// What a program may have at most: more does not fit into its words, and is refused where programs are made.
inline constexpr int max_instructions = 1 << instruction_bits::place;
inline constexpr int max_slots = 1 << instruction_bits::place;
inline constexpr int max_sections = 1 << instruction_bits::section;
// The last of each.
static_assert(static_cast<int>(opcode::scan) < 1 << instruction_bits::code);
static_assert(static_cast<int>(lane::strided) < 1 << instruction_bits::mode);
static_assert(static_cast<int>(dtype::none) < 1 << instruction_bits::type);

struct instruction {
  opcode code = opcode::load;
  dtype type = dtype::float32;    ///< of the register
  dtype memory = dtype::float32;  ///< loads and stores: of the elements in memory, converted as `cast` does
  lane mode = lane::same;         ///< loads, stores and iotas: of the access
  /// 2p: within sweep p; 2p + 1: per row, after sweep p. Of a product: 0 its epilogue, 2 and 4 its operands' prologues.
  int section = 0;
  int a = 0, b = 0, c = 0;  ///< registers
  int slot = 0;             ///< of loads, stores and iotas; shares its bits with c
  std::uint64_t payload = 0;

  constexpr bool has_slot() const { return code == opcode::load || code == opcode::store || code == opcode::iota; }
  constexpr std::uint64_t word() const {
    using bits = instruction_bits;
    return static_cast<std::uint64_t>(code) | static_cast<std::uint64_t>(mode) << bits::at_mode |
           static_cast<std::uint64_t>(type) << bits::at_type | static_cast<std::uint64_t>(memory) << bits::at_memory |
           static_cast<std::uint64_t>(section) << bits::at_section | static_cast<std::uint64_t>(a) << bits::at_a |
           static_cast<std::uint64_t>(b) << bits::at_b | static_cast<std::uint64_t>(has_slot() ? slot : c) << bits::at_c;
  }
};

ETCH_HOST_DEVICE constexpr instruction decode_instruction(std::uint64_t word, std::uint64_t payload) {
  using bits = instruction_bits;
  constexpr std::uint64_t place_mask = (1 << bits::place) - 1, type_mask = (1 << bits::type) - 1;
  instruction i;
  i.code = static_cast<opcode>(word & ((1 << bits::code) - 1));
  i.mode = static_cast<lane>(word >> bits::at_mode & ((1 << bits::mode) - 1));
  i.type = static_cast<dtype>(word >> bits::at_type & type_mask);
  i.memory = static_cast<dtype>(word >> bits::at_memory & type_mask);
  i.section = static_cast<int>(word >> bits::at_section & ((1 << bits::section) - 1));
  i.a = static_cast<int>(word >> bits::at_a & place_mask);
  i.b = static_cast<int>(word >> bits::at_b & place_mask);
  i.slot = i.c = static_cast<int>(word >> bits::at_c & place_mask);
  i.payload = payload;
  return i;
}

/// A kernel's body: the words are the instructions.
template <std::uint64_t... Words>
struct program {
  static constexpr int size = static_cast<int>(sizeof...(Words) / 2);

  ETCH_HOST_DEVICE static constexpr instruction at(int i) {
    const std::uint64_t w[] = {Words..., 0};
    return decode_instruction(w[2 * i], w[2 * i + 1]);
  }
  ETCH_HOST_DEVICE static constexpr int sections() {
    int n = 0;
    for (int i = 0; i < size; ++i) n = at(i).section + 1 > n ? at(i).section + 1 : n;
    return n;
  }
  ETCH_HOST_DEVICE static constexpr int slots() {
    int n = 0;
    for (int i = 0; i < size; ++i) {
      const instruction in = at(i);
      const bool access = in.code == opcode::load || in.code == opcode::store || in.code == opcode::iota;
      if (access && in.slot + 1 > n) n = in.slot + 1;
    }
    return n;
  }
  /// The dtype of the elements that are stored by that slot, or `none`.
  static constexpr dtype stored_by(int slot) {
    for (int i = 0; i < size; ++i)
      if (at(i).code == opcode::store && at(i).slot == slot) return at(i).memory;
    return dtype::none;
  }
  /// 4 or 8 if every register's elements have that many bytes (bools fit any), 0 if all are bools, -1 if mixed.
  static constexpr int lane_bytes() {
    int bytes = 0;
    for (int i = 0; i < size; ++i) {
      const int b = lane_bytes_of(at(i).type);
      if (b == 0) continue;
      if (bytes != 0 && bytes != b) return -1;
      bytes = b;
    }
    return bytes;
  }
};

}  // namespace etch
