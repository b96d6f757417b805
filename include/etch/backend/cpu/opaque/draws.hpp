// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>

#include <etch/backend/cpu/opaque/kernel.hpp>
#include <etch/backend/cpu/simd/lanes.hpp>
#include <etch/backend/cpu/simd/memory.hpp>
#include <etch/backend/random.hpp>
#include <etch/ops/random.hpp>

/// Kernels of random draws on vectors: the bits of `uniform_at` and `normal_at`.
namespace etch::cpu {

namespace detail {

/// Registers as the compiler's own vectors: draws need few of what batches have, and whole programs of random numbers compile for it.
template <class T>
inline constexpr std::size_t register_bytes = sizeof(typename batch<T>::register_type);
template <class T>
struct vector_of_register {
  typedef T type __attribute__((vector_size(register_bytes<float>)));
};
template <class T>
using vector_type = typename vector_of_register<T>::type;
using vector_of_64 = vector_type<std::uint64_t>;

/// Of vectors, what `scalar_arithmetic` is of one number.
template <class T>
struct vector_arithmetic {
  using value = T;
  using number = vector_type<T>;
  using unsigned_type = unsigned_like<T>;
  using word = vector_type<unsigned_type>;

  ETCH_INLINE static number product(number a, number b) {
    number p = a * b;
#if defined(__SSE2__)
    asm("" : "+v"(p));
#elif defined(__aarch64__)
    asm("" : "+w"(p));
#endif
    return p;
  }
  ETCH_INLINE static number all(T value) { return number{} + value; }
  ETCH_INLINE static word all_bits(unsigned_type value) { return word{} + value; }
  ETCH_INLINE static number root(number x) { return __builtin_bit_cast(number, simd::sqrt(from_register<batch<T>>(x)).data); }
  ETCH_INLINE static number from_integer(word x) {
    if constexpr (sizeof(T) == 4) {
      return __builtin_convertvector(__builtin_bit_cast(vector_type<std::int32_t>, x), number);
    } else {
      // The upper and the lower 32 bits of x + 2^51 as the last bits of 2^84 and of 2^52.
      const word moved = x + (std::uint64_t{1} << 51);
      const number upper = __builtin_bit_cast(number, (moved >> 32) | __builtin_bit_cast(std::uint64_t, 0x1p84));
      const number lower = __builtin_bit_cast(number, (moved & 0xffffffffu) | __builtin_bit_cast(std::uint64_t, 0x1p52));
      return (upper - (0x1p84 + 0x1p52 + 0x1p51)) + lower;
    }
  }
};

/// Philox for as many counters from `first` on as a register has words of 64 bits. The words stand in the lower halves of lanes; what is in the
/// upper ones is no part of them.
struct philox_words {
  vector_of_64 word[4];

  ETCH_INLINE philox_words(const draw_key& k, std::uint64_t first) {
    vector_of_64 c0;
    for (std::size_t i = 0; i < sizeof c0 / 8; ++i) c0[i] = first + i;
    vector_of_64 c1 = c0 >> 32, c2 = vector_of_64{} + k.run, c3 = vector_of_64{} + (k.run >> 32);
    auto k0 = static_cast<std::uint32_t>(k.key), k1 = static_cast<std::uint32_t>(k.key >> 32);
    ETCH_UNROLL(10)
    for (int round = 0; round < 10; ++round) {
      const vector_of_64 p0 = product_of_low(c0, 0xD2511F53u), p1 = product_of_low(c2, 0xCD9E8D57u);
      c0 = (p1 >> 32) ^ c1 ^ std::uint64_t{k0};
      c2 = (p0 >> 32) ^ c3 ^ std::uint64_t{k1};
      c1 = p1;
      c3 = p0;
      k0 += 0x9E3779B9u;
      k1 += 0xBB67AE85u;
    }
    word[0] = c0;
    word[1] = c1;
    word[2] = c2;
    word[3] = c3;
  }
  /// The lower halves of words i and j as one word of 64 bits, i the lower half.
  ETCH_INLINE static vector_of_64 joined(vector_of_64 i, vector_of_64 j) { return (i & 0xffffffffu) | (j << 32); }

 private:
  /// Of the lower halves of lanes.
  ETCH_INLINE static vector_of_64 product_of_low(vector_of_64 x, std::uint32_t by) {
#if defined(__SSE2__)
    using R = typename batch<std::uint64_t>::register_type;
    const vector_of_64 factor = vector_of_64{} + std::uint64_t{by};
    return __builtin_bit_cast(vector_of_64, low_product(__builtin_bit_cast(R, x), __builtin_bit_cast(R, factor)));
#else
    return (x & 0xffffffffu) * std::uint64_t{by};
#endif
  }
};

template <class V, class T>
ETCH_INLINE void store_vector(T* to, V x) {
  std::memcpy(to, &x, sizeof x);
}

/// As many elements as a block of a kernel makes at once, from an even element on.
template <class T>
inline constexpr int drawn_at_once = 2 * lanes<T>;

/// a0 b0 a1 b1 ...
ETCH_INLINE void store_in_turns(double* to, vector_type<double> a, vector_type<double> b) {
  for (std::size_t i = 0; i < sizeof a / 8; ++i) {
    to[2 * i] = a[i];
    to[2 * i + 1] = b[i];
  }
}

template <class T>
ETCH_INLINE void draw_uniform(T* to, const draw_key& k, std::uint64_t first) {
  using A = vector_arithmetic<T>;
  using W = typename A::word;
  constexpr int digits = etch::detail::mantissa_digits<T>, width = 8 * static_cast<int>(sizeof(T));
  const auto number = [](W w) { return A::from_integer(w >> (width - digits)) * etch::detail::least_uniform<T>; };
  if constexpr (sizeof(T) == 4) {
    for (int half = 0; half < 2; ++half) {
      const philox_words p(k, first / 2 + static_cast<std::uint64_t>(half * lanes<double>));
      store_vector(to + half * lanes<T>, number(__builtin_bit_cast(W, p.joined(p.word[1], p.word[3]))));
    }
  } else {
    const philox_words p(k, first / 2);
    store_in_turns(to, number(p.joined(p.word[0], p.word[1])), number(p.joined(p.word[2], p.word[3])));
  }
}

template <class T>
ETCH_INLINE void draw_normal(T* to, const draw_key& k, std::uint64_t first) {
  using A = vector_arithmetic<T>;
  using N = typename A::number;
  using W = typename A::word;
  constexpr int digits = etch::detail::mantissa_digits<T>, width = 8 * static_cast<int>(sizeof(T));
  const auto left_of = [](W w) {
    return A::from_integer((unsigned_like<T>(1) << digits) - (w >> (width - digits))) * etch::detail::least_uniform<T>;
  };
  N left;
  if constexpr (sizeof(T) == 4) {
    // Pairs of the first half in the lower words of 64 bits, of the second in the upper ones: so their results are neighbours.
    const philox_words a(k, first / 2), b(k, first / 2 + static_cast<std::uint64_t>(lanes<double>));
    left = left_of(__builtin_bit_cast(W, philox_words::joined(a.word[1], b.word[1])));
    const auto [even, odd] = etch::detail::normal_of<A>(left, __builtin_bit_cast(W, philox_words::joined(a.word[3], b.word[3])));
    const auto cosines = __builtin_bit_cast(vector_of_64, even), sines = __builtin_bit_cast(vector_of_64, odd);
    store_vector(to, philox_words::joined(cosines, sines));
    store_vector(to + lanes<T>, philox_words::joined(cosines >> 32, sines >> 32));
  } else {
    const philox_words p(k, first / 2);
    left = left_of(p.joined(p.word[0], p.word[1]));
    const auto [even, odd] = etch::detail::normal_of<A>(left, p.joined(p.word[2], p.word[3]));
    store_in_turns(to, even, odd);
  }
  // Where all 64 bits count: one vector of 4,000.
  if (xsimd::any(from_register<batch<T>>(left) <= batch<T>(256 * etch::detail::least_uniform<T>))) [[unlikely]]
    for (int i = 0; i < drawn_at_once<T>; ++i) to[i] = normal_at<T>(k, first + static_cast<std::uint64_t>(i));
}

/// Elements [first, first + count) of a draw.
template <class T, class Draw, class One>
ETCH_NOINLINE void draw_elements(T* to, std::int64_t first, std::int64_t count, const draw_key& k, const Draw& draw,
                                 const One& one) {
  constexpr std::int64_t step = drawn_at_once<T>;
  std::int64_t i = 0;
  if (first % 2 != 0 && count > 0) to[i++] = one(k, static_cast<std::uint64_t>(first));
  for (; i + step <= count; i += step) draw(to + i, k, static_cast<std::uint64_t>(first + i));
  if (i == count) return;
  T rest[step];
  draw(rest, k, static_cast<std::uint64_t>(first + i));
  std::memcpy(to + i, rest, static_cast<std::size_t>(count - i) * sizeof(T));
}
/// All of a result, or of a slice of it.
template <class T, class Draw, class One>
void draw_into(const tensor_view& to, std::int64_t name, const draw_state& state, const Draw& draw, const One& one) {
  const std::int64_t first = to.rank == 0 ? 0 : to.first * to.strides[0];
  draw_elements(reinterpret_cast<T*>(to.data), first, to.count(),
                draw_key::of(state.seed, state.run, static_cast<std::uint64_t>(name)), draw, one);
}

}  // namespace detail

template <>
struct opaque_kernel<uniform_draw> {
  template <class T>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state& state) {
    detail::draw_into<T>(v[0], attributes[0], state, detail::draw_uniform<T>, uniform_at<T>);
  }
};

template <>
struct opaque_kernel<normal_draw> {
  template <class T>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state& state) {
    detail::draw_into<T>(v[0], attributes[0], state, detail::draw_normal<T>, normal_at<T>);
  }
};

}  // namespace etch::cpu
