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

/// Of batches, what `scalar_arithmetic` is of one number.
template <class T>
struct batch_arithmetic {
  using value = T;
  using number = batch<T>;
  using word = batch<unsigned_like<T>>;

  ETCH_INLINE static number product(const number& a, const number& b) {
    number p = a * b;
#if defined(__SSE2__)
    asm("" : "+v"(p.data));
#elif defined(__aarch64__)
    asm("" : "+w"(p.data));
#endif
    return p;
  }
  ETCH_INLINE static number root(const number& x) { return simd::sqrt(x); }
  ETCH_INLINE static word bits(const number& x) { return detail::bits(x); }
  ETCH_INLINE static number from_bits(const word& x) { return detail::reinterpret<T>(x); }
  template <int Count>
  ETCH_INLINE static word shift_left(const word& x) {
    return detail::shift_left<Count>(x);
  }
  template <int Count>
  ETCH_INLINE static word shift_right(const word& x) {
    return detail::shift_right<Count>(x);
  }
  ETCH_INLINE static number from_integer(const word& x) {
#if defined(__AVX512DQ__)
    constexpr bool has_instruction = sizeof(T) == 4 || is_avx512<number>;
#else
    constexpr bool has_instruction = sizeof(T) == 4;
#endif
    if constexpr (has_instruction) {
      return floating_of<T>(detail::reinterpret<integer_like<T>>(x));
    } else {
      // The upper and the lower 32 bits of x + 2^51 as the last bits of 2^84 and of 2^52.
      const word moved = x + word(std::uint64_t{1} << 51);
      const number upper = from_bits(detail::shift_right<32>(moved) | word(__builtin_bit_cast(std::uint64_t, 0x1p84)));
      const number lower = from_bits((moved & word(0xffffffffu)) | word(__builtin_bit_cast(std::uint64_t, 0x1p52)));
      return (upper - number(0x1p84 + 0x1p52 + 0x1p51)) + lower;
    }
  }
};

/// Philox for as many counters from `first` on as a batch of 64 bits has lanes. The words stand in the lower halves of lanes; what is in the
/// upper ones is no part of them.
struct philox_words {
  using lanes_of_64 = batch<std::uint64_t>;
  lanes_of_64 word[4];

  ETCH_INLINE philox_words(const draw_key& k, std::uint64_t first) {
    lanes_of_64 c0 = iota<std::uint64_t>() + lanes_of_64(first), c1 = detail::shift_right<32>(c0);
    lanes_of_64 c2(k.run), c3(k.run >> 32);
    auto k0 = static_cast<std::uint32_t>(k.key), k1 = static_cast<std::uint32_t>(k.key >> 32);
    ETCH_UNROLL(10)
    for (int round = 0; round < 10; ++round) {
      const lanes_of_64 p0 = product_of_low(c0, 0xD2511F53u), p1 = product_of_low(c2, 0xCD9E8D57u);
      c0 = detail::shift_right<32>(p1) ^ c1 ^ lanes_of_64(k0);
      c2 = detail::shift_right<32>(p0) ^ c3 ^ lanes_of_64(k1);
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
  /// Words i and j as one word of 64 bits, i the lower half.
  template <int I, int J>
  ETCH_INLINE lanes_of_64 joined() const {
    return (word[I] & lanes_of_64(0xffffffffu)) | detail::shift_left<32>(word[J]);
  }

 private:
  /// Of the lower halves of lanes.
  ETCH_INLINE static lanes_of_64 product_of_low(const lanes_of_64& x, std::uint32_t by) {
#if defined(__SSE2__)
    return lanes_of_64(low_product(x.data, lanes_of_64(by).data));
#else
    return simd::wrapping_product(x & lanes_of_64(0xffffffffu), lanes_of_64(by));
#endif
  }
};

/// As many elements as a block of a kernel makes at once, from an even element on.
template <class T>
inline constexpr int drawn_at_once = 2 * lanes<T>;

/// a0 b0 a1 b1 ...
ETCH_INLINE void store_in_turns(double* to, const batch<double>& a, const batch<double>& b) {
  alignas(batch<double>) double both[2][lanes<double>];
  a.store_aligned(both[0]);
  b.store_aligned(both[1]);
  for (int i = 0; i < lanes<double>; ++i) {
    to[2 * i] = both[0][i];
    to[2 * i + 1] = both[1][i];
  }
}

template <class T>
ETCH_INLINE void draw_uniform(T* to, const draw_key& k, std::uint64_t first) {
  using A = batch_arithmetic<T>;
  constexpr int digits = etch::detail::mantissa_digits<T>, width = 8 * static_cast<int>(sizeof(T));
  const auto number = [](const typename A::word& w) {
    return A::from_integer(A::template shift_right<width - digits>(w)) * batch<T>(etch::detail::least_uniform<T>);
  };
  if constexpr (sizeof(T) == 4) {
    for (int half = 0; half < 2; ++half) {
      const philox_words p(k, first / 2 + static_cast<std::uint64_t>(half * lanes<double>));
      store(to + half * lanes<T>, number(detail::reinterpret<std::uint32_t>(p.joined<1, 3>())));
    }
  } else {
    const philox_words p(k, first / 2);
    store_in_turns(to, number(p.joined<0, 1>()), number(p.joined<2, 3>()));
  }
}

template <class T>
ETCH_INLINE void draw_normal(T* to, const draw_key& k, std::uint64_t first) {
  using A = batch_arithmetic<T>;
  using N = typename A::number;
  using W = typename A::word;
  constexpr int digits = etch::detail::mantissa_digits<T>, width = 8 * static_cast<int>(sizeof(T));
  const auto left_of = [](const W& w) {
    const W integer = W(unsigned_like<T>(1) << digits) - A::template shift_right<width - digits>(w);
    return A::from_integer(integer) * N(etch::detail::least_uniform<T>);
  };
  N left;
  if constexpr (sizeof(T) == 4) {
    // Pairs of the first half in the lower words of 64 bits, of the second in the upper ones: so their results are neighbours.
    const philox_words a(k, first / 2), b(k, first / 2 + static_cast<std::uint64_t>(lanes<double>));
    using lanes_of_64 = philox_words::lanes_of_64;
    const lanes_of_64 lower(0xffffffffu);
    const auto both = [&](int i) {
      return detail::reinterpret<std::uint32_t>((a.word[i] & lower) | detail::shift_left<32>(b.word[i]));
    };
    left = left_of(both(1));
    const auto [even, odd] = etch::detail::normal_of<A>(left, both(3));
    const lanes_of_64 cosines = detail::reinterpret<std::uint64_t>(even), sines = detail::reinterpret<std::uint64_t>(odd);
    store(to, detail::reinterpret<float>((cosines & lower) | detail::shift_left<32>(sines)));
    store(to + lanes<T>, detail::reinterpret<float>(detail::shift_right<32>(cosines) | ((sines | lower) ^ lower)));
  } else {
    const philox_words p(k, first / 2);
    left = left_of(p.joined<0, 1>());
    const auto [even, odd] = etch::detail::normal_of<A>(left, p.joined<2, 3>());
    store_in_turns(to, even, odd);
  }
  // Where all 64 bits count: one vector of 4,000.
  if (xsimd::any(left <= N(256 * etch::detail::least_uniform<T>))) [[unlikely]]
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
