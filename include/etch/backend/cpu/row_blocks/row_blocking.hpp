// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

/// How the rows that consecutive steps have in common are cut into blocks.
namespace etch::cpu {

/// Matrices of a stack, and rows of each.
struct row_range {
  std::int64_t stack = 0, stacks = 0, row = 0, rows = 0;
};

/// Blocks of a stack of matrices with the same number of rows: some rows of one of them, or several whole ones, each of which counts as one
/// row.
struct row_blocking {
  /// Pieces begin at multiples of this. Sums of a tile with few rows have another order: so only the rows behind the last whole tile are
  /// in such, in a piece as in the whole; and so many elements of each row begin a register of any dtype.
  static constexpr std::int64_t unit = 48;

  std::int64_t stacks = 0, rows = 0;  ///< of the whole
  std::int64_t parts = 1;             ///< of the stack
  std::int64_t pieces = 1;            ///< of each matrix; unless matrices have one row, a part is one matrix

  constexpr std::int64_t count() const { return parts * pieces; }
  constexpr row_range at(std::int64_t block) const {
    const std::int64_t part = block / pieces, piece = block % pieces;
    const std::int64_t stack = part * stacks / parts, row = begin_of(piece);
    return {stack, (part + 1) * stacks / parts - stack, row, begin_of(piece + 1) - row};
  }
  /// Of any block, in all its matrices.
  constexpr std::int64_t most_rows() const {
    std::int64_t most_stacks = (stacks + parts - 1) / parts, most = 0;
    for (std::int64_t piece = 0; piece < pieces; ++piece)
      if (const std::int64_t n = begin_of(piece + 1) - begin_of(piece); n > most) most = n;
    return most_stacks * most;
  }

 private:
  constexpr std::int64_t begin_of(std::int64_t piece) const {
    return piece == pieces ? rows : piece * (rows / unit) / pieces * unit;
  }
};

/// Along which axes of a step's loop nest these rows lie: the first, or the last of the first ones, of which the others are the stack's.
struct row_axes {
  int count = 0;          ///< 0: along none
  std::int64_t unit = 0;  ///< elements of the last of them, for each row
};

}  // namespace etch::cpu
