// SPDX-License-Identifier: MIT
#pragma once
#include <bit>

#include <etch/backend/cpu/matmul/axis_group.hpp>
#include <etch/backend/cpu/matmul/byte_dot.hpp>
#include <etch/backend/cpu/matmul/pack.hpp>

/// Copies of narrow operands as words: each word has adjacent elements along the inner axis, as many as `Dot::group`, and zeros
/// behind the last.
namespace etch::cpu::matmul_detail {

#if defined(__SSE2__)
/// Rows of elements to columns of words, within each 128 bits: lane i of x[q] is word 4 q + i.
template <class R>
ETCH_INLINE void interleave(R (&x)[4]) noexcept {
  const R a = low_bytes(x[0], x[1]), b = high_bytes(x[0], x[1]), c = low_bytes(x[2], x[3]), d = high_bytes(x[2], x[3]);
  x[0] = low_pairs(a, c);
  x[1] = high_pairs(a, c);
  x[2] = low_pairs(b, d);
  x[3] = high_pairs(b, d);
}

template <class R>
ETCH_INLINE void interleave(R (&x)[2]) noexcept {
  const R low = low_pairs(x[0], x[1]);
  x[1] = high_pairs(x[0], x[1]);
  x[0] = low;
}

/// A register of memory that is aligned to nothing; of the first `count` bytes, and zeros. By instructions of its width: what g++ 12 makes of
/// memcpy for any x86 takes four times as long.
template <class V>
ETCH_INLINE V load_bytes(const void* from) noexcept {
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == 64) return std::bit_cast<V>(_mm512_loadu_si512(from));
#endif
#if defined(__AVX2__)
  if constexpr (sizeof(V) == 32) return std::bit_cast<V>(_mm256_loadu_si256(static_cast<const __m256i*>(from)));
#endif
  if constexpr (sizeof(V) == 16) return std::bit_cast<V>(_mm_loadu_si128(static_cast<const __m128i*>(from)));
}
template <class V>
ETCH_INLINE V load_bytes(const void* from, index count) noexcept {
  if (count >= static_cast<index>(sizeof(V))) return load_bytes<V>(from);
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  if constexpr (sizeof(V) == 64) return __builtin_bit_cast(V, _mm512_maskz_loadu_epi8((__mmask64{1} << count) - 1, from));
  if constexpr (sizeof(V) == 32) return __builtin_bit_cast(V, _mm256_maskz_loadu_epi8((__mmask32{1} << count) - 1, from));
  if constexpr (sizeof(V) == 16)
    return __builtin_bit_cast(V, _mm_maskz_loadu_epi8(static_cast<__mmask16>((1u << count) - 1), from));
#endif
  alignas(64) unsigned char bytes[sizeof(V)] = {};
  std::memcpy(bytes, from, static_cast<std::size_t>(count));
  return load_bytes<V>(bytes);
}

/// So many elements, `step` apart, as so many words.
template <index Group, class M, class T>
ETCH_INLINE void copy_words(const M* from, index step, index count, index words, T* to) noexcept {
  static_assert(Group * sizeof(M) == sizeof(T));
  index w = 0;
  if (step == 1) {
    w = count / Group;
    std::memcpy(to, from, static_cast<std::size_t>(w) * sizeof(T));
  }
  for (; w < words; ++w) {
    M word[Group] = {};
    for (index q = 0; q < Group && w * Group + q < count; ++q) word[q] = from[(w * Group + q) * step];
    std::memcpy(to + w, word, sizeof word);
  }
}

/// The first operand as rows of words; its inner axis is one.
template <class Dot>
class left_words {
  using M = typename Dot::left_type;
  using T = typename Dot::sum_type;
  static constexpr index group = Dot::group;

 public:
  left_words(const grouped_matrix<M>& a, index depth) noexcept : a_(a), step_(a.columns.strides[0]), depth_(depth) {}

  packed_operand<T> packed() const noexcept { return {this, &pack}; }
  void copy_row(index i, index words, T* to) const noexcept { copy_words<group>(row(i), step_, depth_, words, to); }
  /// The sum of a row's elements, modulo 2^32.
  T sum_of_row(index i) const noexcept {
    using V = vector<T>;
    constexpr index L = lanes<T>, most = 8 * L;
    V sum(T(0));
    if (step_ == 1) {
      for (index p = 0; p < depth_; p += L * group)
        sum = Dot::add_elements(load_bytes<V>(row(i) + p, (depth_ - p) * static_cast<index>(sizeof(M))), sum);
    } else {
      alignas(64) T words[most];
      for (index p = 0; p < depth_; p += most * group) {
        copy_words<group>(row(i) + p * step_, step_, minimum(depth_ - p, most * group), most, words);
        for (index w = 0; w < most; w += L) sum = Dot::add_elements(V::load_aligned(words + w), sum);
      }
    }
    alignas(64) T elements[L];
    sum.store_aligned(elements);
    unsigned total = 0;
    for (const T e : elements) total += static_cast<unsigned>(e);
    return static_cast<T>(total);
  }

 private:
  const M* row(index i) const noexcept { return a_.data + a_.rows.offset(i); }

  static void pack(const void* from, index i, index rows, index j, index columns, index width, T* to) noexcept {
    const left_words& w = *static_cast<const left_words*>(from);
    const index p = j * group, count = minimum(w.depth_ - p, columns * group);
    index r = 0;
    if (w.step_ != 1 && w.a_.rows.count == 1 && w.a_.rows.strides[0] == 1)
      for (; r + across <= rows; r += across) w.pack_across(w.row(i + r) + p * w.step_, count, columns, width, to + r * width);
    for (; r < rows; ++r) copy_words<group>(w.row(i + r) + p * w.step_, w.step_, count, columns, to + r * width);
  }
  /// Rows at a stride of 1: a column-major operand.
  static constexpr index across = 16 / static_cast<index>(sizeof(M));
  ETCH_INLINE void pack_across(const M* from, index count, index columns, index width, T* to) const noexcept {
    for (index c = 0; c < columns; ++c) {
      __m128i x[group];
      for (index q = 0; q < group; ++q)
        x[q] = c * group + q < count ? load_bytes<__m128i>(from + (c * group + q) * step_) : _mm_setzero_si128();
      interleave(x);
      T words[across];
      std::memcpy(words, x, sizeof words);
      for (index r = 0; r < across; ++r) to[r * width + c] = words[r];
    }
  }

  const grouped_matrix<M>& a_;
  const index step_, depth_;
};

/// The second operand as panels of words.
template <class Dot>
class right_words {
  using M = typename Dot::right_type;
  using T = typename Dot::sum_type;
  static constexpr index group = Dot::group;
  static constexpr index size = sizeof(M);

 public:
  right_words(const matrix<M>& b, index depth) noexcept : b_(b), depth_(depth) {}

  packed_operand<T> packed() const noexcept { return {this, &pack}; }

 private:
  static void pack(const void* from, index i, index rows, index j, index columns, index width, T* to) noexcept {
    const right_words& w = *static_cast<const right_words*>(from);
    const matrix<M> b = block(w.b_, i * group, j);
    const index depth = minimum(w.depth_ - i * group, rows * group);
    if (b.column_stride == 1) return pack_rows(b, rows, depth, columns, width, to);
    for (index first = 0; first < columns; first += width, to += rows * width) {
      const index these = minimum(columns - first, width);
      if (b.row_stride == 1)
        pack_columns(block(b, 0, first), rows, depth, these, width, to);
      else
        for (index c = 0; c < width; ++c) pack_column(block(b, 0, first + c), 0, rows, c < these ? depth : 0, width, to + c);
    }
  }
  ETCH_INLINE static __m128i moved(__m128i x) noexcept {
    if constexpr (Dot::moves_right)
      return Dot::moved(xsimd::batch<T, xsimd::sse2>(x)).data;
    else
      return x;
  }

  /// Of a row-major operand: some words of `group` rows at a time.
  static void pack_rows(const matrix<M>& b, index rows, index depth, index columns, index width, T* to) noexcept {
    const M* row = b.data;
    for (index r = 0; r < rows; ++r, row += group * b.row_stride, to += width) {
      const index there = minimum(depth - r * group, group);
      T* panel = to;
      for (index first = 0; first < columns; first += width, panel += rows * width) {
        const index these = minimum(columns - first, width);
        index c = 0;
        if (there == group)
          for (; c + across <= these; c += across) pack_some(row + first + c, b.row_stride, panel + c);
        for (; c < these; c += across) pack_edge(row + first + c, b.row_stride, there, columns - first - c, width - c, panel + c);
      }
    }
  }
  static constexpr index across = 16 / size;
  ETCH_INLINE static void pack_some(const M* from, index row_stride, T* to) noexcept {
    __m128i x[group];
    ETCH_UNROLL(4)
    for (index q = 0; q < group; ++q) x[q] = moved(load_bytes<__m128i>(from + q * row_stride));
    interleave(x);
    // One by one: as a whole g++ 12 copies them through memory, and packs at a quarter of the speed.
    ETCH_UNROLL(4)
    for (index q = 0; q < group; ++q) std::memcpy(to + 4 * q, &x[q], sizeof x[q]);
  }
  /// Of `there` rows and `columns` columns, at most so many words.
  static void pack_edge(const M* from, index row_stride, index there, index columns, index words, T* to) noexcept {
    __m128i x[group];
    for (index q = 0; q < group; ++q)
      x[q] = moved(q < there ? load_bytes<__m128i>(from + q * row_stride, columns * size) : _mm_setzero_si128());
    interleave(x);
    std::memcpy(to, x, static_cast<std::size_t>(minimum(across, words)) * sizeof(T));
  }
  /// Of a column-major operand: four words of four columns at a time, of a cache line of each.
  static void pack_columns(const matrix<M>& b, index rows, index depth, index columns, index width, T* to) noexcept {
    constexpr index line = 64 / static_cast<index>(sizeof(T));
    const index whole_rows = depth / group / 4 * 4, whole_columns = columns / 4 * 4;
    for (index r = 0; r < whole_rows; r += line)
      for (index c = 0; c < whole_columns; c += 4) {
        const M* const from = b.data + c * b.column_stride + r * group;
        ETCH_UNROLL(4)
        for (index q = 0; q < 4; ++q) __builtin_prefetch(from + q * b.column_stride + 64 / size);
        for (index w = 0; w < minimum(whole_rows - r, line); w += 4)
          pack_words(from + w * group, b.column_stride, to + (r + w) * width + c, width);
      }
    for (index c = 0; c < width; ++c)
      pack_column(block(b, 0, c), c < whole_columns ? whole_rows : 0, rows, c < columns ? depth : 0, width, to + c);
  }
  ETCH_INLINE static void pack_words(const M* from, index column_stride, T* to, index width) noexcept {
    __m128 x[4];
    ETCH_UNROLL(4)
    for (index q = 0; q < 4; ++q) x[q] = _mm_castsi128_ps(load_bytes<__m128i>(from + q * column_stride));
    cpu::detail::transpose(x);
    ETCH_UNROLL(4)
    for (index q = 0; q < 4; ++q) {
      const __m128i words = moved(_mm_castps_si128(x[q]));
      std::memcpy(to + q * width, &words, sizeof words);
    }
  }
  /// Words [first, rows) of one column. What is moved is no zero behind the last element: zeros of a meet it.
  static void pack_column(const matrix<M>& b, index first, index rows, index depth, index width, T* to) noexcept {
    for (index r = first; r < rows; ++r) {
      M word[group] = {};
      for (index q = 0; q < group && r * group + q < depth; ++q) word[q] = *element(b, r * group + q, 0);
      for (M& m : word) m = Dot::moved_element(m);
      std::memcpy(to + r * width, word, sizeof word);
    }
  }

  const matrix<M>& b_;
  const index depth_;
};
#endif

}  // namespace etch::cpu::matmul_detail
