// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include <etch/backend/cpu/opaque/copying.hpp>
#include <etch/backend/cpu/simd/memory.hpp>
#include <etch/ops.hpp>

/// Rows and parts that integers choose: where they lie, how they are prefetched and copied.
namespace etch::cpu {

namespace detail {

template <class T>
std::int64_t clamped(const char* data, std::int64_t i, std::int64_t n) {
  const T row = reinterpret_cast<const T*>(data)[i];
  if constexpr (std::is_unsigned_v<T>)
    return static_cast<std::uint64_t>(row) >= static_cast<std::uint64_t>(n) ? n - 1 : static_cast<std::int64_t>(row);
  else
    return row < 0 ? 0 : row >= n ? n - 1 : row;
}

/// Whether the axes from `first` on are contiguous in memory, as one row.
inline bool is_one_row(const tensor_view& v, int first) {
  std::int64_t stride = 1;
  for (int i = v.rank; i-- > first; stride *= v.extents[i])
    if (v.extents[i] != 1 && v.strides[i] != stride) return false;
  return true;
}

/// Calls f(number in row-major order, where it leads) for each index: `width` numbers behind the first `rows` axes, the first of them at i, which
/// lead to place(i). ask(where a later one leads), where that is known.
template <class Place, class F, class Ask>
ETCH_INLINE void for_each_chosen(const tensor_view& indices, int rows, std::int64_t width, const Place& place, const F& f,
                                 const Ask& ask) {
  constexpr std::int64_t ahead = 8;
  if (is_one_row(indices, 0)) {
    std::int64_t count = 1;
    for (int i = 0; i < rows; ++i) count *= indices.extents[i];
    for (std::int64_t i = 0; i < count; ++i) {
      if (i + ahead < count) ask(place((i + ahead) * width));
      f(i, place(i * width));
    }
    return;
  }
  std::int64_t number = 0;
  for_each_pair(rows, indices.extents, indices.strides, indices.strides,
                [&](std::int64_t at, std::int64_t) { f(number++, place(at)); });
}
/// Indices along one axis, which lead to a row.
template <class I, class F, class Ask>
void for_each_index(const tensor_view& indices, std::int64_t rows, const F& f, const Ask& ask) {
  for_each_chosen(indices, indices.rank, 1, [&](std::int64_t at) { return clamped<I>(indices.data, at, rows); }, f, ask);
}
template <class I, class F>
void for_each_index(const tensor_view& indices, std::int64_t rows, const F& f) {
  for_each_index<I>(indices, rows, f, [](std::int64_t) {});
}

/// Copies the rows that `count` indices behind one another choose, of at most 16 bytes, such as the colours of pixels, as `copy_rows` does.
template <class I, std::size_t N = 1>
ETCH_NOINLINE void copy_chosen(const char* indices, std::int64_t count, std::int64_t n, char* to, const char* from,
                               std::int64_t step, std::int64_t bytes) {
  if constexpr (N < 16)
    if (bytes >= 2 * static_cast<std::int64_t>(N)) return copy_chosen<I, 2 * N>(indices, count, n, to, from, step, bytes);
  const std::int64_t last = bytes - static_cast<std::int64_t>(N);
  for (std::int64_t i = 0; i < count; ++i, to += bytes) {
    struct {
      char bytes[N];
    } first, second;
    const char* const row = from + clamped<I>(indices, i, n) * step;
    std::memcpy(&first, row, N);
    std::memcpy(&second, row + last, N);
    std::memcpy(to, &first, N);
    std::memcpy(to + last, &second, N);
  }
}

/// Copies rows of so many bytes. Those of a table that is larger than the near caches are prefetched (software prefetch), and large
/// results are written by non-temporal stores: 100,000 rows of 256 bytes, of 5 MB, take 0.5 to 0.6 of the time of memcpy alone (Zen
/// 3, in turns).
class row_copies {
 public:
  row_copies(std::int64_t bytes, std::int64_t table_rows, std::int64_t rows)
      : bytes_(bytes), prefetches_(!is_near(bytes, table_rows)), streams_(2 * rows * bytes >= least_streamed_bytes) {}

  /// Whether such a table stays in the near caches.
  static bool is_near(std::int64_t bytes, std::int64_t table_rows) { return table_rows * bytes < std::int64_t{1} << 18; }

  /// Inlined, as what calls it: g++ drops calls of functions that only prefetch.
  ETCH_INLINE void ask(const void* row) const {
    if (!prefetches_) return;
    for (std::int64_t at = 0; at < (bytes_ < most_asked ? bytes_ : most_asked); at += 64)
      __builtin_prefetch(static_cast<const char*>(row) + at);
  }
  /// Of one byte or more.
  void copy(void* to, const void* from) const {
    // Of a few elements by instructions, not by a call: the colours of a pixel.
    if (bytes_ <= 16) return copy_rows(static_cast<char*>(to), 0, static_cast<const char*>(from), 0, bytes_, 1);
    // Where `to` begins at 16 bytes, as large results do, and rows are as many: in lines they need not be.
    if (streams_ && (reinterpret_cast<std::uintptr_t>(to) | static_cast<std::uintptr_t>(bytes_)) % 16 == 0)
      copy_streamed(static_cast<char*>(to), static_cast<const char*>(from), bytes_);
    else
      std::memcpy(to, from, static_cast<std::size_t>(bytes_));
  }
  void finish() const {
    if (streams_) finish_streamed();
  }

 private:
  static constexpr std::int64_t most_asked = 1024;
  const std::int64_t bytes_;
  const bool prefetches_, streams_;
};

/// Where a position of `width` numbers leads, the first of which is at `i`.
template <class I>
std::int64_t place_of(const tensor_view& x, const tensor_view& indices, std::int64_t i, std::int64_t width) {
  std::int64_t offset = 0;
  for (std::int64_t k = 0; k < width; ++k)
    offset += clamped<I>(indices.data, i + k * indices.strides[indices.rank - 1], x.extents[k]) * x.strides[k];
  return offset;
}

/// Positions of `width` numbers, which lead to an element of x.
template <class I, class F, class Ask>
void for_each_position(const tensor_view& x, const tensor_view& indices, std::int64_t width, const F& f, const Ask& ask) {
  for_each_chosen(indices, indices.rank - 1, width, [&](std::int64_t at) { return place_of<I>(x, indices, at, width); }, f, ask);
}

/// Whether one of the first `count` axes has no elements.
inline bool has_no_places(const tensor_view& x, std::int64_t count) {
  return std::any_of(x.extents, x.extents + count, [](std::int64_t n) { return n == 0; });
}

/// How many elements lie behind the first `count` axes, 0 where they do not lie side by side.
inline std::int64_t part_of(const tensor_view& x, int count) {
  std::int64_t elements = 1;
  for (int i = count; i < x.rank; ++i) elements *= x.extents[i];
  return is_one_row(x, count) ? elements : 0;
}

}  // namespace detail

}  // namespace etch::cpu
