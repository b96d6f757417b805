// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>

#include <etch/backend/cpu/simd.hpp>
#include <etch/eager/value.hpp>

/// Elements from strided places to where they lie one behind another, by their size: once for all ops and dtypes.
namespace etch::eager {

/// A walk through memory: extents outermost first, elements from one to the next along each axis.
struct walk {
  int rank = 0;
  std::int64_t extents[max_rank + 1];
  std::int64_t strides[max_rank + 1];

  /// One more axis inside; one that goes on where the axis before it steps becomes part of it.
  void add(std::int64_t extent, std::int64_t stride) {
    if (extent == 1) return;
    if (rank > 0 && strides[rank - 1] == extent * stride) {
      extents[rank - 1] *= extent;
      strides[rank - 1] = stride;
    } else {
      extents[rank] = extent;
      strides[rank++] = stride;
    }
  }
};

namespace detail {

/// In vectors: g++ makes none of such loops at -O2.
template <class Word>
void fill(Word* to, Word element, std::int64_t count) {
  std::int64_t i = 0;
  if constexpr (sizeof(Word) >= 4) {
    using lanes = cpu::batch<std::make_signed_t<Word>>;
    const lanes all(static_cast<std::make_signed_t<Word>>(element));
    constexpr auto width = static_cast<std::int64_t>(lanes::size);
    for (; i + width <= count; i += width) cpu::store(reinterpret_cast<std::make_signed_t<Word>*>(to) + i, all);
  }
  for (; i < count; ++i) to[i] = element;
}

template <class Word>
void copy_row(Word* to, const Word* from, std::int64_t count, std::int64_t stride) {
  if (stride == 1)
    std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(Word));
  else if (stride == 0)
    fill(to, *from, count);
  else
    for (std::int64_t i = 0; i < count; ++i) to[i] = from[i * stride];
}

/// The transpose of `rows` x `columns` elements, in squares that stay in L1 (cache blocking).
template <class Word>
void copy_transposed(Word* to, const Word* from, std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                     std::int64_t column_stride) {
  constexpr std::int64_t side = 16;
  for (std::int64_t i = 0; i < rows; i += side)
    for (std::int64_t j = 0; j < columns; j += side) {
      const std::int64_t last_row = i + side < rows ? i + side : rows, last_column = j + side < columns ? j + side : columns;
      for (std::int64_t r = i; r < last_row; ++r)
        for (std::int64_t c = j; c < last_column; ++c) to[r * columns + c] = from[r * row_stride + c * column_stride];
    }
}

/// Elements `first` to `first + count` of what the walk passes.
template <class Word>
void copy_walk(Word* to, const Word* from, const walk& w, std::int64_t first, std::int64_t count) {
  if (count == 0) return;
  if (w.rank == 0) {
    *to = *from;
    return;
  }
  const int inner = w.rank - 1;
  std::int64_t at[max_rank + 1], left = first;
  for (int i = inner; i >= 0; --i) {
    at[i] = left % w.extents[i];
    left /= w.extents[i];
    from += at[i] * w.strides[i];
  }
  const bool whole = first == 0 && w.rank > 1 && w.strides[inner] != 1 && w.strides[inner - 1] == 1;
  const std::int64_t square = whole ? w.extents[inner] * w.extents[inner - 1] : 0;
  while (true) {
    int axis = inner;
    if (square > 0 && count >= square) {
      copy_transposed(to, from, w.extents[inner - 1], w.extents[inner], w.strides[inner - 1], w.strides[inner]);
      to += square;
      count -= square;
      axis = inner - 1;
    } else {
      const std::int64_t row = w.extents[inner] - at[inner], n = row < count ? row : count;
      copy_row(to, from, n, w.strides[inner]);
      to += n;
      count -= n;
      from -= at[inner] * w.strides[inner];
      at[inner] = 0;
    }
    if (count == 0) return;
    while (axis-- > 0) {
      from += w.strides[axis];
      if (++at[axis] < w.extents[axis]) break;
      from -= w.strides[axis] * w.extents[axis];
      at[axis] = 0;
    }
  }
}

}  // namespace detail

/// Calls f with a word of that many bytes.
template <class F>
void with_word(int size, const F& f) {
  switch (size) {
    case 1: return f(std::uint8_t{});
    case 2: return f(std::uint16_t{});
    case 4: return f(std::uint32_t{});
    default: return f(std::uint64_t{});
  }
}

/// Writes `count` times the element of `size` bytes that lies there.
inline void fill_elements(char* to, const char* element, std::int64_t count, int size) {
  with_word(size,
            [&]<class Word>(Word) { detail::fill(reinterpret_cast<Word*>(to), *reinterpret_cast<const Word*>(element), count); });
}

/// Writes elements `first` to `first + count` of what a walk from `from` passes. Elements have `size` bytes.
inline void copy_elements(char* to, const char* from, const walk& w, std::int64_t first, std::int64_t count, int size) {
  with_word(size, [&]<class Word>(Word) {
    detail::copy_walk(reinterpret_cast<Word*>(to), reinterpret_cast<const Word*>(from), w, first, count);
  });
}

/// The walk that reads x as the elements of an array of those extents, to which it broadcasts.
inline walk broadcast_walk(const tensor_type& x, const tensor_type& to) {
  std::int64_t strides[max_rank], stride = 1;
  for (int i = x.rank; i-- > 0;) {
    strides[i] = x.extents[i] == 1 ? 0 : stride;
    stride *= x.extents[i];
  }
  walk w;
  const int extra = to.rank - x.rank;
  for (int i = 0; i < to.rank; ++i) w.add(to.extents[i], i < extra ? 0 : strides[i - extra]);
  return w;
}

}  // namespace etch::eager
