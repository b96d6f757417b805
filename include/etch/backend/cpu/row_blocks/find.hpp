// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/row_blocks/groups.hpp>
#include <etch/backend/cpu/threads/slices.hpp>

/// Finds steps for cache blocking (loop tiling across steps): consecutive ones, of which a block of rows needs of those before it the same
/// rows only, as scores, softmax and values of attention. Run block by block, what they leave for each other stays in L2, and of what no
/// other step reads memory for one block is enough.
namespace etch::cpu {

namespace detail {

/// A product of deeper sums has so much more to do than to write its result that this is no matter.
inline constexpr std::int64_t deepest_sum = 128;

/// Of what is smaller most is in L2 from step to step. Blocks were measured from 1 MiB on: attention of 256 tokens, 4 heads of 64, takes 0.98 of
/// the time (Sapphire Rapids).
inline constexpr std::int64_t least_blocked_bytes = std::int64_t{1} << 19;
/// Whether a plan has a buffer of its own that may be as large.
constexpr bool has_large_buffer(const buffer* buffers, int count) {
  for (int b = 0; b < count; ++b)
    if (buffers[b].kind == storage::arena &&
        (!is_static(buffers[b].elements) || buffers[b].elements * size_of_dtype(buffers[b].type) >= least_blocked_bytes))
      return true;
  return false;
}

/// Whether rows of a product can be made block by block.
constexpr bool has_row_blocks(const step_tables& t, const plan_step& s) {
  return s.kind == cluster_kind::contraction && s.is_plain_product() && s.bounded == 0 && (s.packed & 2) == 0 &&
         !s.reads_narrow(t.accesses[s.first_access]) && lanes_of_sums(s.type) > 0;
}
constexpr bool may_begin_row_group(const step_tables& t, const plan_step& s) {
  if (!has_row_blocks(t, s)) return false;
  const extent_value depth = t.extents_pool[s.first_extent + s.kept];
  return !is_static(depth) || depth <= deepest_sum;
}

class row_group_finder {
 public:
  constexpr row_group_finder(const step_tables& t, const buffer* buffers, int buffer_count, const run_values& run, int workers)
      : t_(t), buffer_count_(buffer_count), run_(run), workers_(workers) {
    set_memories(buffers);
  }

  constexpr row_groups find() {
    for (int i = 0; i < t_.step_count; ++i)
      if (has_group_at(i)) {
        keep();
        i += group_.count - 1;
      }
    return static_cast<row_groups&&>(found_);
  }
  /// Whether there is one, on so many workers or on one more.
  constexpr bool has_any() {
    bool found = false;
    for (int i = 0; i < t_.step_count && !found; ++i) found = has_group_at(i, 1);
    return found;
  }

 private:
  /// What one block leaves for its steps: with what its products pack, in an L2 of 1 MiB. Attention of 512 tokens, 4 heads of 64, takes as long
  /// with half and with twice as much, that of 2048 with twice and four times as much, within 8 % (Sapphire Rapids).
  static constexpr std::int64_t block_bytes = std::int64_t{1} << 19;
  /// From 96 rows on products choose their code, so their order of summation, without looking at the number of rows.
  static constexpr std::int64_t least_rows = 3 * row_blocking::unit;
  /// Each block packs the second operands of its products again: to pack an element takes as long as so many bytes from beyond L2.
  static constexpr std::int64_t bytes_of_packing = 12;

  /// An access of the group's steps to memory.
  struct use {
    int memory = -1;
    std::int64_t row_bytes = -1;  ///< from row to row; -1: its rows do not follow one another
    bool stores = false;
  };

  /// The steps that use a memory: found by them, since buffers say it of their own only. Kept, since asked of each use of each group anew,
  /// all steps and buffers exceed what compilers evaluate: 8 transformer blocks of a training step.
  struct users {
    int first = -1, last = -1;
    bool all_arena = true;  ///< whether each of its buffers is the plan's own
  };

  constexpr void set_memories(const buffer* buffers) {
    memory_of_.resize(buffer_count_);
    users_.resize(buffer_count_);
    for (int b = 0; b < buffer_count_; ++b) {
      memory_of_[b] = etch::memory_of(buffers, b);
      if (buffers[b].kind != storage::arena) users_[memory_of_[b]].all_arena = false;
    }
    for (int i = 0; i < t_.step_count; ++i) {
      const plan_step& s = t_.steps[i];
      for (int k = 0; k < s.access_count; ++k) {
        const int b = t_.accesses[s.first_access + k].buffer;
        if (b < 0) continue;
        users& u = users_[memory_of_[b]];
        if (u.last < 0) u.first = i;
        u.last = i;
      }
    }
  }

  constexpr std::int64_t value(int in_pool) const { return run_.value(t_.extents_pool[in_pool]); }
  constexpr std::int64_t extent(const plan_step& s, int axis) const { return value(s.first_extent + axis); }
  constexpr std::int64_t rows() const { return group_.blocks.stacks * group_.blocks.rows; }

  [[gnu::cold]] constexpr bool has_group_at(int i, int more_workers = 0) {
    const plan_step& s = t_.steps[i];
    if (!may_begin_row_group(t_, s) || extent(s, s.kept) > deepest_sum) return false;
    std::int64_t stacks = 1;
    for (int d = 0; d < s.kept - 2; ++d) stacks *= extent(s, d);
    return finds(i, stacks, extent(s, s.kept - 2), more_workers) || (s.kept > 2 && finds(i, extent(s, 0), 1, more_workers));
  }
  /// Whether a group begins with step i whose blocks are of the rows of stacked matrices; rows == 1: of whole matrices.
  constexpr bool finds(int i, std::int64_t stacks, std::int64_t rows, int more_workers) {
    group_ = {i, 0, {stacks, rows}};
    if (stacks == 0 || (cuts_rows() ? rows < 2 * least_rows : stacks < 2)) return false;
    grow(i);
    bool pays = false;
    for (int more = 0; more <= more_workers && !pays; ++more) pays = set_blocks(workers_ + more);
    return pays;
  }
  constexpr bool cuts_rows() const { return group_.blocks.rows != 1; }

  /// Appends steps as long as they can be.
  [[gnu::cold]] constexpr void grow(int first) {
    uses_.clear();
    packed_ = 0;
    for (int i = first; i < t_.step_count && group_.count < row_group::most_steps; ++i) {
      const row_axes along = axes_of(t_.steps[i]);
      if (along.count == 0 || !add_uses(t_.steps[i], along)) break;
      const plan_step& s = t_.steps[i];
      if (s.kind == cluster_kind::contraction) packed_ += extent(s, s.kept - 1) * extent(s, s.kept);
      group_.axes[group_.count++] = along;
    }
  }
  [[gnu::cold]] constexpr row_axes axes_of(const plan_step& s) const {
    if (s.draws || s.on_host || s.returned > 0 || frame_bytes(s) > most_frame_bytes) return {};
    switch (s.kind) {
      case cluster_kind::contraction: return axes_of_product(s);
      case cluster_kind::sweep:
        if (s.lanes_along_rows || s.short_row > 0) return {};
        return axes_along(s, s.kept, s.kept);
      case cluster_kind::map:
      case cluster_kind::copy: return axes_along(s, s.rank, s.rank - 1);
      default: return {};
    }
  }
  constexpr row_axes axes_of_product(const plan_step& s) const {
    if (!has_row_blocks(t_, s)) return {};
    const auto& [stacks, rows, parts, pieces] = group_.blocks;
    if (!cuts_rows()) return s.kept > 2 && extent(s, 0) == stacks ? row_axes{1, 1} : row_axes{};
    const std::int64_t columns = extent(s, s.kept - 1), inner = extent(s, s.kept);
    const bool in_lines = value(t_.accesses[s.first_access + 1].first_stride + s.kept - 1) == 1;
    // Of few columns the transposed product is computed; small ones have code for their number of rows.
    if (columns <= 4 || inner == 0 || is_small_product(lanes_of_sums(s.type), rows, columns, inner, in_lines)) return {};
    return is_stack(s, s.kept - 2) && extent(s, s.kept - 2) == rows ? row_axes{s.kept - 1, 1} : row_axes{};
  }
  /// Of a nest whose first `axes` axes may be those of rows; those before `vectors` can be cut anywhere.
  constexpr row_axes axes_along(const plan_step& s, int axes, int vectors) const {
    for (int count = 1; count <= axes; ++count) {
      const std::int64_t all = count == 1 ? rows() : group_.blocks.rows, n = extent(s, count - 1), unit = n / all;
      if (unit == 0 || n != all * unit || (count > 1 && !(cuts_rows() && is_stack(s, count - 1)))) continue;
      const bool begins_registers = (cuts_rows() ? row_blocking::unit : 1) * unit % 256 == 0;
      if (count <= vectors || begins_registers) return {count, unit};
    }
    return {};
  }

  /// Whether the first axes of a nest are those of the stack.
  constexpr bool is_stack(const plan_step& s, int axes) const {
    std::int64_t n = 1;
    for (int d = 0; d < axes; ++d) n *= extent(s, d);
    return n == group_.blocks.stacks;
  }

  constexpr std::int64_t row_bytes_of(const plan_step& s, const row_axes& along, const access& a) const {
    const int last = along.count - 1;
    const std::int64_t step = value(a.first_stride + last), pitch = step * along.unit;
    if (pitch <= 0) return -1;
    std::int64_t of_stack = group_.blocks.rows * pitch;
    for (int d = last - 1; d >= 0; of_stack *= extent(s, d--))
      if (value(a.first_stride + d) != of_stack) return -1;
    std::int64_t end = run_.value(a.offset) + (along.unit - 1) * step;
    for (int d = along.count; d < s.rank; ++d) {
      const std::int64_t stride = value(a.first_stride + d);
      if (stride < 0 || extent(s, d) == 0) return -1;
      end += (extent(s, d) - 1) * stride;
    }
    return end >= 0 && end < pitch ? pitch * size_of_dtype(a.type) : -1;
  }
  /// Whether what a step reads and writes lies, row by row, where the others of the group write and read it.
  [[gnu::cold]] constexpr bool add_uses(const plan_step& s, const row_axes& along) {
    const int before = uses_.size();
    for (int k = 0; k < s.access_count; ++k) {
      const access& a = t_.accesses[s.first_access + k];
      if (a.buffer < 0) continue;
      const use u{memory_of_[a.buffer], row_bytes_of(s, along, a), a.stores};
      // Else several workers would write one place.
      bool fits = true;
      for (int d = 0; d < along.count; ++d) fits = fits && !(u.stores && value(a.first_stride + d) == 0);
      for (int o = 0; o < uses_.size(); ++o)
        fits = fits && (uses_[o].memory != u.memory || !(uses_[o].stores || u.stores) ||
                        (u.row_bytes >= 0 && u.row_bytes == uses_[o].row_bytes));
      if (!fits) {
        uses_.resize(before);
        return false;
      }
      uses_.push_back(u);
    }
    return true;
  }

  /// Whether no step before or behind the group uses a memory.
  constexpr bool is_private(int memory) const {
    const users& u = users_[memory];
    return u.all_arena && u.first >= group_.first && u.last < group_.first + group_.count;
  }

  /// Whether it pays, and then in which blocks.
  [[gnu::cold]] constexpr bool set_blocks(int workers) {
    std::int64_t of_blocks = 0, saved = 0, whole = 0;
    private_.clear();
    for (int u = 0; u < uses_.size(); ++u) {
      bool is_known = !uses_[u].stores;
      for (int o = 0; o < u && !is_known; ++o) is_known = uses_[o].memory == uses_[u].memory && uses_[o].stores;
      if (is_known) continue;
      const use& stored = uses_[u];
      const bool is_own = stored.row_bytes > 0 && is_private(stored.memory);
      std::int64_t times = is_own ? 1 : 0;
      for (int o = u + 1; o < uses_.size(); ++o)
        if (uses_[o].memory == stored.memory) times += uses_[o].stores && !is_own ? 0 : 1;
      if (is_own) {
        private_.push_back(stored);
        of_blocks += stored.row_bytes;
      }
      saved += times * stored.row_bytes;
      whole += times > 0 ? rows() * stored.row_bytes : 0;
    }
    if (of_blocks == 0 || whole < least_blocked_bytes) return false;
    const std::int64_t least = cuts_rows() ? least_rows : 1, tasks = workers == 1 ? 1 : 4 * workers;
    const std::int64_t wanted = block_bytes / of_blocks > least ? block_bytes / of_blocks : least;
    row_blocking& b = group_.blocks;
    const auto between = [](std::int64_t n, std::int64_t low, std::int64_t high) {
      n = n < low ? low : n;
      return n > high ? high : n;
    };
    if (cuts_rows()) {
      b.parts = b.stacks;
      b.pieces = between(b.rows / wanted, (tasks + b.stacks - 1) / b.stacks, b.rows / least_rows);
    } else {
      b.parts = between(b.stacks * b.rows / wanted, tasks, b.stacks);
    }
    if (b.count() < 2 || (b.count() < tasks && b.count() % workers != 0)) return false;
    return b.pieces == 1 || b.rows / b.pieces * saved >= bytes_of_packing * packed_;
  }
  [[gnu::cold]] constexpr void keep() {
    if (found_.groups.empty()) found_.row_bytes.resize(buffer_count_);
    for (int p = 0; p < private_.size(); ++p)
      for (int b = 0; b < buffer_count_; ++b)
        if (memory_of_[b] == private_[p].memory) found_.row_bytes[b] = private_[p].row_bytes;
    found_.groups.push_back(group_);
  }

  const step_tables& t_;
  int buffer_count_;
  const run_values& run_;
  int workers_;
  row_group group_;  ///< the one that is looked at; its steps' accesses, and elements that their products pack
  vector<use> uses_, private_;
  vector<int> memory_of_;  ///< by buffers
  vector<users> users_;    ///< by memories
  std::int64_t packed_ = 0;
  row_groups found_;
};

}  // namespace detail

/// The groups of a plan whose steps run for these counts of the named extents, on so many workers.
constexpr row_groups find_row_groups(const step_tables& t, const buffer* buffers, int buffer_count, const run_values& run,
                                     int workers) {
  detail::row_group_finder finder(t, buffers, buffer_count, run, workers);
  return finder.find();
}

/// Whether some of a plan's steps may be run block by block, on one worker or on several. With named extents (`is_known` is false), whether
/// a product of shallow sums is followed by another; what else there must be is known when it runs.
constexpr bool may_have_row_groups(const step_tables& t, const buffer* buffers, int buffer_count, bool is_known) {
  if (!detail::has_large_buffer(buffers, buffer_count)) return false;
  if (is_known) {
    const run_values run;
    return detail::row_group_finder(t, buffers, buffer_count, run, 1).has_any();
  }
  int products = 0;
  for (int i = 0; i < t.step_count; ++i)
    if (t.steps[i].kind == cluster_kind::contraction && (products > 0 || detail::may_begin_row_group(t, t.steps[i]))) ++products;
  return products > 1;
}

}  // namespace etch::cpu
