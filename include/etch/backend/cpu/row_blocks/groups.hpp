// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/row_blocks/row_blocking.hpp>
#include <etch/backend/nest.hpp>

/// Groups of steps that are run block by block, and the memory that they need.
namespace etch::cpu {

/// Steps that are run block by block.
struct row_group {
  /// Each pair of steps is compared, by the compiler as well.
  static constexpr int most_steps = 8;

  int first = 0, count = 0;
  row_blocking blocks;
  row_axes axes[most_steps]{};
};

struct row_groups {
  vector<row_group> groups;
  vector<std::int64_t> row_bytes;  ///< by buffers: of a row, where memory is needed for one block only; else 0
};

/// The memory that a row group's blocks need of a buffer, in bytes of one worker.
constexpr std::int64_t block_bytes_of(const row_group& g, std::int64_t row_bytes) {
  return (g.blocks.most_rows() * row_bytes + 63) / 64 * 64;
}

/// A plan's buffers as groups need them: all that their steps use lives as long as they run, and of what is theirs each worker has one block.
/// stage_of(step): the unit in which the buffers' lifetimes are counted.
template <class StageOf>
constexpr vector<buffer> buffers_of_row_groups(const row_groups& found, const step_tables& t, const buffer* buffers, int count,
                                               int workers, const StageOf& stage_of) {
  vector<buffer> all;
  all.append(buffers, count);
  for (int k = 0; k < found.groups.size(); ++k) {
    const row_group& g = found.groups[k];
    const int begin = stage_of(g.first), end = stage_of(g.first + g.count - 1);
    for (int i = g.first; i < g.first + g.count; ++i)
      for (int a = 0; a < t.steps[i].access_count; ++a) {
        const int used = t.accesses[t.steps[i].first_access + a].buffer;
        if (used < 0) continue;
        buffer& b = all[used];
        if (begin < b.first) b.first = begin;
        if (end > b.last) b.last = end;
        if (found.row_bytes[used] > 0) b.elements = workers * block_bytes_of(g, found.row_bytes[used]) / size_of_dtype(b.type);
      }
  }
  return all;
}

}  // namespace etch::cpu
