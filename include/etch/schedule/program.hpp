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
};

struct instruction {
  opcode code = opcode::load;
  dtype type = dtype::float32;  ///< of the register; of the memory, for loads and stores
  int a = 0, b = 0, c = 0;
  int slot = 0;
  int section = 0;  ///< 2p: within sweep p; 2p + 1: per row, after sweep p
  std::uint64_t payload = 0;

  constexpr std::uint64_t word() const {
    return static_cast<std::uint64_t>(code) | static_cast<std::uint64_t>(type) << 8 |
           static_cast<std::uint64_t>(a) << 16 | static_cast<std::uint64_t>(b) << 24 |
           static_cast<std::uint64_t>(c) << 32 | static_cast<std::uint64_t>(slot) << 40 |
           static_cast<std::uint64_t>(section) << 48;
  }
};

ETCH_HOST_DEVICE constexpr instruction decode_instruction(std::uint64_t word, std::uint64_t payload) {
  instruction i;
  i.code = static_cast<opcode>(word & 255);
  i.type = static_cast<dtype>(word >> 8 & 255);
  i.a = static_cast<int>(word >> 16 & 255);
  i.b = static_cast<int>(word >> 24 & 255);
  i.c = static_cast<int>(word >> 32 & 255);
  i.slot = static_cast<int>(word >> 40 & 255);
  i.section = static_cast<int>(word >> 48 & 255);
  i.payload = payload;
  return i;
}

/// How an access moves along the lanes of a vector.
enum class lane : std::uint8_t { same, next, strided };

/// A kernel: Lanes is a pack of two bits per access slot (its `lane`), the words are the instructions.
template <std::uint64_t Lanes, std::uint64_t... Words>
struct program {
  static constexpr int size = static_cast<int>(sizeof...(Words) / 2);

  ETCH_HOST_DEVICE static constexpr instruction at(int i) {
    const std::uint64_t w[] = {Words..., 0};
    return decode_instruction(w[2 * i], w[2 * i + 1]);
  }
  ETCH_HOST_DEVICE static constexpr lane lane_of(int slot) { return static_cast<lane>(Lanes >> (2 * slot) & 3); }
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
  /// 4 or 8 if every register's elements have that many bytes (bools fit any), 0 if all are bools, -1 if mixed.
  ETCH_HOST_DEVICE static constexpr int lane_bytes() {
    int bytes = 0;
    for (int i = 0; i < size; ++i) {
      const dtype d = at(i).type;
      if (d == dtype::boolean) continue;
      const int b = d == dtype::uint8 ? -1 : size_of_dtype(d);
      if (bytes != 0 && bytes != b) return -1;
      bytes = b;
    }
    return bytes;
  }
};

}  // namespace etch
