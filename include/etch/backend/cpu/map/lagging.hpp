// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>

#include <etch/backend/cpu/map/map.hpp>

/// Elementwise kernels whose results go back to where they read, as a stencil's do.
namespace etch::cpu {

/// A map that keeps its last `Returned` results for some rows, in memory of their own, and stores each row when it is `Lag` rows
/// behind. The rows that are kept stay in L1. A step of heat on 128 x 128 floats takes 1.1 of the time of a loop from one array to
/// another that are exchanged (g++ 12, AVX-512); a loop to an array that is copied back takes 1.6.
template <class P, int Rank, int Returned, int Lag>
struct lagging_map_kernel {
  static constexpr int slots = P::slots(), first_kept = slots - Returned;
  using loops = nest<Rank, slots + Returned>;

  ETCH_KERNEL static void run(const loops& n) noexcept {
    if constexpr (is_host_pass) {
      nest<Rank - 1, slots> row;
      for (int d = 1; d < Rank; ++d) row.extents[d - 1] = n.extents[d];
      for (int s = 0; s < slots; ++s)
        for (int d = 1; d < Rank; ++d) row.stride[s][d - 1] = n.stride[s][d];
      const std::int64_t rows = n.extents[0];
      for (std::int64_t r = 0; r < rows; ++r) {
        for (int s = 0; s < first_kept; ++s) row.data[s] = n.data[s] + r * n.stride[s][0];
        for (int s = first_kept; s < slots; ++s) row.data[s] = kept_at(n, s, r);
        map_kernel<P, Rank - 1, lanes_of<P>, false, keeps_all>::run_inline(row);
        if (r >= Lag) give_back(n, r - Lag);
      }
      for (std::int64_t r = rows < Lag ? 0 : rows - Lag; r < rows; ++r) give_back(n, r);
    }
  }

 private:
  /// Whether all that it stores is kept first: none of that is what it loads.
  static constexpr bool keeps_all = [] {
    for (int s = 0; s < first_kept; ++s)
      if (P::stored_by(s) != dtype::none) return false;
    return true;
  }();
  /// Where row r of a result is kept: from a multiple of 64 bytes on, where its memory, which is for all rows, is large enough.
  ETCH_PART static char* kept_at(const loops& n, int slot, std::int64_t r) {
    const std::int64_t bytes = n.stride[slot][0], rounded = (bytes + 63) / 64 * 64;
    return n.data[slot] + r % (Lag + 1) * ((Lag + 1) * rounded <= n.extents[0] * bytes ? rounded : bytes);
  }
  ETCH_PART static void give_back(const loops& n, std::int64_t r) {
    [&]<int... K>(std::integer_sequence<int, K...>) {
      (give_back<first_kept + K, slots + K>(n, r), ...);
    }(std::make_integer_sequence<int, Returned>{});
  }
  template <int From, int To>
  ETCH_PART static void give_back(const loops& n, std::int64_t r) {
    copy_axes<From, To, 1>(n, kept_at(n, From, r), n.data[To] + r * n.stride[To][0]);
  }
  template <int From, int To, int Axis>
  ETCH_PART static void copy_axes(const loops& n, const char* from, char* to) {
    constexpr int size = static_cast<int>(size_of_dtype(P::stored_by(From)));
    if constexpr (Axis < Rank - 1) {
      for (std::int64_t i = 0; i < n.extents[Axis]; ++i)
        copy_axes<From, To, Axis + 1>(n, from + i * n.stride[From][Axis], to + i * n.stride[To][Axis]);
    } else if (n.stride[From][Axis] == size && n.stride[To][Axis] == size) {
      copy_bytes(from, to, n.extents[Axis] * size);
    } else {
      for (std::int64_t i = 0; i < n.extents[Axis]; ++i)
        std::memcpy(to + i * n.stride[To][Axis], from + i * n.stride[From][Axis], size);
    }
  }
  /// Whole vectors, the last of which may repeat some of the one before: a call for so few bytes costs more than it copies.
  ETCH_PART static void copy_bytes(const char* from, char* to, std::int64_t bytes) {
    using vector = batch<float>;
    constexpr std::int64_t size = sizeof(vector);
    if (bytes < size) {
      std::memcpy(to, from, static_cast<std::size_t>(bytes));
      return;
    }
    const auto copy = [&](std::int64_t i)
                          ETCH_PARTED { store(reinterpret_cast<float*>(to + i), load(reinterpret_cast<const float*>(from + i))); };
    std::int64_t i = 0;
    for (; i + 4 * size <= bytes; i += 4 * size) copy(i), copy(i + size), copy(i + 2 * size), copy(i + 3 * size);
    for (; i + size <= bytes; i += size) copy(i);
    if (i < bytes) copy(bytes - size);
  }
};

}  // namespace etch::cpu
