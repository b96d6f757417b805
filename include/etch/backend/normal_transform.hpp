// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <etch/config.hpp>

/// The transform of Box and Muller (1958), of two uniform numbers to two normal ones, for numbers and for vectors of them. Every operation is
/// rounded by itself, and none is the C library's, so that draws have the same bits on every backend, instruction set and compiler. For the
/// host: nvcc takes no function of a device that may be one of vectors.
namespace etch {

namespace detail {

/// What the transform is made of, for one number. A product is hidden from the compiler, lest it contract it with the sum that it goes into.
template <class T>
struct scalar_arithmetic {
  using value = T;
  using number = T;
  using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

  static T product(T a, T b) {
    T p = a * b;
#if defined(__SSE2__)
    asm("" : "+x"(p));
#elif defined(__aarch64__)
    asm("" : "+w"(p));
#endif
    return p;
  }
  static T all(T value) { return value; }
  static word all_bits(word value) { return value; }
  static T root(T x) { return std::sqrt(x); }
  /// Exactly; of two's complement, of at most as many bits as a mantissa has.
  static T from_integer(word x) { return static_cast<T>(static_cast<std::make_signed_t<word>>(x)); }
};

template <class T>
inline constexpr int mantissa_digits = std::is_same_v<T, float> ? 24 : 53;
/// Between two neighbours of the numbers that so many bits make in [0, 1).
template <class T>
inline constexpr T least_uniform = static_cast<T>(std::is_same_v<T, float> ? 0x1p-24 : 0x1p-53);

/// c0 + x (c1 + x (...)).
template <class A, class N, class... Rest>
ETCH_INLINE N unfused_polynomial(const N& x, typename A::value first, Rest... rest) {
  if constexpr (sizeof...(Rest) == 0)
    return A::all(first);
  else
    return A::all(first) + A::product(x, unfused_polynomial<A>(x, rest...));
}

/// log(x), x = m 2^e in (0, 1] and no subnormal number, 0.75 <= m < 1.5; by the polynomials and the parts of log(2) of
/// `backend/cpu/simd/logarithm.hpp`.
template <class A>
ETCH_INLINE typename A::number unfused_log(const typename A::number& x) {
  using T = typename A::value;
  using N = typename A::number;
  using W = typename A::word;
  constexpr bool single = sizeof(T) == 4;
  constexpr int stored = mantissa_digits<T> - 1;
  using unsigned_type = typename scalar_arithmetic<T>::word;
  constexpr auto base = __builtin_bit_cast(unsigned_type, T(0.75)), one = __builtin_bit_cast(unsigned_type, T(1));
  const W from_base = __builtin_bit_cast(W, x) + A::all_bits(one - base);
  const N e = A::from_integer(from_base >> stored) - A::all(T(single ? 127 : 1023));
  const N f = __builtin_bit_cast(N, (from_base & A::all_bits((unsigned_type(1) << stored) - 1)) + A::all_bits(base)) - A::all(T(1));
  const N square = A::product(f, f);
  N rest;
  if constexpr (single) {
    const N p = unfused_polynomial<A>(f, 0x1.5555a4p-2f, -0x1.000046p-2f, 0x1.99695ep-3f, -0x1.54ed82p-3f, 0x1.288458p-3f,
                                      -0x1.0da412p-3f, 0x1.ad06d0p-4f, -0x1.71e246p-5f);
    rest = A::product(square, A::product(f, p) - A::all(0.5f));
  } else {
    const N s = f / (f + A::all(2.0));
    const N z = A::product(s, s);
    const N p = unfused_polynomial<A>(z, 0x1.555555555554fp-1, 0x1.999999999c187p-2, 0x1.24924921e32e6p-2, 0x1.c71c7490db753p-3,
                                      0x1.745c4a958f503p-3, 0x1.3b35c9ff2c7e3p-3, 0x1.0dcaf83db921fp-3, 0x1.1b85ca9059ec1p-3);
    const N half = A::product(A::all(0.5), square);
    rest = A::product(s, half + A::product(z, p)) - half;
  }
  const N low = A::product(e, A::all(static_cast<T>(single ? 0x1.7f7d1cf79abcap-20 : 0x1.cf79abc9e3b39p-40)));
  return A::product(e, A::all(static_cast<T>(single ? 0x1.62e4p-1 : 0x1.62e42fefap-1))) + (f + (rest + low));
}

/// (cos, sin) of the highest bits of a word as a part of a turn: the nearest quarter, and polynomials within an eighth of it
/// (tools/polynomials.py sin cos).
template <class A>
ETCH_INLINE auto unfused_cos_sin(const typename A::word& turn) {
  using T = typename A::value;
  using N = typename A::number;
  using W = typename A::word;
  struct both {
    N cos, sin;
  };
  using unsigned_type = typename scalar_arithmetic<T>::word;
  constexpr bool single = sizeof(T) == 4;
  constexpr int digits = mantissa_digits<T>, width = 8 * static_cast<int>(sizeof(T));
  const W a = turn >> (width - digits);
  const W quarter = (a + A::all_bits(unsigned_type(1) << (digits - 3))) >> (digits - 2);
  const N x = A::product(A::from_integer(a - (quarter << (digits - 2))),
                         A::all(static_cast<T>(single ? 0x1.921fb6p-22 : 0x1.921fb54442d18p-51)));
  const N z = A::product(x, x);
  N sin_rest, cos_rest;
  if constexpr (single) {
    sin_rest = unfused_polynomial<A>(z, -0x1.555546p-3f, 0x1.110778p-7f, -0x1.995408p-13f);
    cos_rest = unfused_polynomial<A>(z, -0x1p-1f, 0x1.55554ap-5f, -0x1.6c0c28p-10f, 0x1.99e80cp-16f);
  } else {
    sin_rest = unfused_polynomial<A>(z, -0x1.5555555555555p-3, 0x1.1111111111068p-7, -0x1.a01a019ffe08bp-13, 0x1.71de3a332c263p-19,
                                     -0x1.ae642b992b785p-26, 0x1.61093a0a3cacbp-33, -0x1.9fb6749ab45a1p-41);
    cos_rest = unfused_polynomial<A>(z, -0x1p-1, 0x1.555555555554bp-5, -0x1.6c16c16c15015p-10, 0x1.a01a019c8f254p-16,
                                     -0x1.27e4f7f191468p-22, 0x1.1ee9dbcef7bdep-29, -0x1.8fa684836dadfp-37);
  }
  const W sin = __builtin_bit_cast(W, x + A::product(A::product(x, z), sin_rest)),
          cos = __builtin_bit_cast(W, A::all(T(1)) + A::product(z, cos_rest));
  // In the second and the fourth quarter they are exchanged; the sine is negative in the last two, the cosine in the second and the third.
  const W exchanged = A::all_bits(0) - (quarter & A::all_bits(1));
  const W of_sin = (quarter & A::all_bits(2)) << (width - 2);
  const W of_cos = ((quarter + A::all_bits(1)) & A::all_bits(2)) << (width - 2);
  const W differing = (sin ^ cos) & exchanged;
  return both{__builtin_bit_cast(N, (cos ^ differing) ^ of_cos), __builtin_bit_cast(N, (sin ^ differing) ^ of_sin)};
}

/// Two normal numbers: `left`, in (0, 1], gives their distance from 0, the highest bits of `turn` their direction.
template <class N>
struct normal_pair {
  N even, odd;
};
template <class A>
ETCH_INLINE normal_pair<typename A::number> normal_of(const typename A::number& left, const typename A::word& turn) {
  using N = typename A::number;
  const N radius = A::root(A::product(A::all(-2), unfused_log<A>(left)));
  const auto direction = unfused_cos_sin<A>(turn);
  return {A::product(radius, direction.cos), A::product(radius, direction.sin)};
}

}  // namespace detail
}  // namespace etch
