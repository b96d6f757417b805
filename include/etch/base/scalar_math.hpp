// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <etch/base/constant_math.hpp>
#include <etch/base/math.hpp>
#include <etch/config.hpp>

/// The functions of numbers. For floating numbers they are the standard library's at run time and constant_math's in a
/// constant expression. Integers wrap around. A bool is the integer 0 or 1: its maximum is `or`, its minimum `and`.
namespace etch::math {

template <class T>
  requires std::is_arithmetic_v<T>
struct functions<T> {
  static_assert(!std::is_same_v<T, long double>, "etch has no tensors of long double");

  using mask = bool;

  static constexpr bool is_floating = std::is_floating_point_v<T>;

  // The builtin rather than std::is_constant_evaluated, which is a host function to nvcc.
#define ETCH_MATH_ROUNDING(NAME, AT_COMPILE_TIME, AT_RUN_TIME) \
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T NAME(T x) {  \
    if constexpr (!is_floating)                                \
      return x;                                                \
    else if (__builtin_is_constant_evaluated())                \
      return narrow(constant_math::AT_COMPILE_TIME(x));        \
    else                                                       \
      return std::AT_RUN_TIME(x);                              \
  }
  ETCH_MATH_ROUNDING(floor, floor, floor)
  ETCH_MATH_ROUNDING(ceil, ceil, ceil)
  ETCH_MATH_ROUNDING(round, round_to_even, rint)
  ETCH_MATH_ROUNDING(trunc, trunc, trunc)
#undef ETCH_MATH_ROUNDING

#define ETCH_MATH_FLOATING(NAME)                                                  \
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T NAME(T x)                       \
    requires is_floating                                                          \
  {                                                                               \
    if (__builtin_is_constant_evaluated()) return narrow(constant_math::NAME(x)); \
    return std::NAME(x);                                                          \
  }
  ETCH_STEEP_FUNCTIONS(ETCH_MATH_FLOATING)
  ETCH_OTHER_FUNCTIONS(ETCH_MATH_FLOATING)
#undef ETCH_MATH_FLOATING

  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T atan2(T y, T x)
    requires is_floating
  {
    if (__builtin_is_constant_evaluated()) return narrow(constant_math::atan2(y, x));
    return std::atan2(y, x);
  }
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T hypot(T a, T b)
    requires is_floating
  {
    if (__builtin_is_constant_evaluated()) return narrow(constant_math::hypot(a, b));
    return std::hypot(a, b);
  }

  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T rsqrt(T x)
    requires is_floating
  {
    if (__builtin_is_constant_evaluated()) return narrow(constant_math::rsqrt(x));
    return 1 / std::sqrt(x);
  }

  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T sigmoid(T x)
    requires is_floating
  {
    if (__builtin_is_constant_evaluated()) return narrow(constant_math::sigmoid(x));
    const T e = std::exp(-std::fabs(x));  // of -|x|, for exp of a large number would overflow
    return (x < 0 ? e : T(1)) / (1 + e);
  }

  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T negative(T x) {
    if constexpr (is_floating)
      return -x;
    else
      return wrapped(0 - unsigned_of(x));
  }

  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T abs(T x) {
    if constexpr (is_floating) {
      if (__builtin_is_constant_evaluated()) return narrow(constant_math::fabs(x));
      return std::fabs(x);
    } else {
      return is_below_zero(x) ? negative(x) : x;
    }
  }

  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T sign(T x) {
    if constexpr (is_floating)
      return greater(x, 0) ? T(1) : less(x, 0) ? T(-1) : x;
    else
      return is_below_zero(x) ? negative(1) : static_cast<T>(x != 0);
  }

#define ETCH_MATH_WRAPPING(NAME, SYMBOL)                           \
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T NAME(T a, T b) { \
    if constexpr (is_floating)                                     \
      return a SYMBOL b;                                           \
    else                                                           \
      return wrapped(unsigned_of(a) SYMBOL unsigned_of(b));        \
  }
  ETCH_MATH_WRAPPING(add, +)
  ETCH_MATH_WRAPPING(subtract, -)
  ETCH_MATH_WRAPPING(multiply, *)
#undef ETCH_MATH_WRAPPING

  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T pow(T base, T exponent) {
    if constexpr (!is_floating)
      return integer_power(base, exponent);
    else if (__builtin_is_constant_evaluated())
      return narrow(constant_math::pow(base, exponent));
    else
      return std::pow(base, exponent);
  }

  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T maximum(T a, T b) {
    if constexpr (is_floating) {
      if (a == b) return has_sign(a) ? b : a;
    }
    return greater(a, b) || is_nan(a) ? a : b;
  }
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T minimum(T a, T b) {
    if constexpr (is_floating) {
      if (a == b) return has_sign(a) ? a : b;
    }
    return less(a, b) || is_nan(a) ? a : b;
  }

  /// Of floats (a - remainder) / b, an integer but for rounding: floor(a / b) is off by one where a / b is rounded up
  /// to an integer.
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T floor_divide(T a, T b) {
    if constexpr (is_floating) {
      if (b == 0) return divide_by_zero(a, b);
      const T rest = truncated_remainder(a, b);
      if (is_nan(rest)) return rest;
      T quotient = (a - rest) / b;
      if (rest != 0 && (rest < 0) != (b < 0)) quotient -= 1;
      if (quotient == 0) return a != 0 ? T(0) : b < 0 ? -a : a;
      return round(quotient);
    } else {
      if (b == 0) return 0;
      if (is_minus_one(b)) return negative(a);
      const T quotient = static_cast<T>(a / b);
      return static_cast<T>(quotient - (a % b != 0 && is_below_zero(a) != is_below_zero(b)));
    }
  }

  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T remainder(T a, T b) {
    if constexpr (is_floating) {
      const T rest = truncated_remainder(a, b);
      if (rest == 0) return b < 0 ? T(-0.0) : T(0);
      return !is_nan(rest) && (rest < 0) != (b < 0) ? rest + b : rest;
    } else {
      if (b == 0 || is_minus_one(b)) return 0;
      const T rest = static_cast<T>(a % b);
      return static_cast<T>(rest != 0 && is_below_zero(rest) != is_below_zero(b) ? rest + b : rest);
    }
  }

  // Of a bool as of an integer of one bit: its not is the logical one.
#define ETCH_MATH_BITWISE(NAME, SYMBOL)                          \
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T NAME(T a, T b) \
    requires(!is_floating)                                       \
  {                                                              \
    return static_cast<T>(a SYMBOL b);                           \
  }
  ETCH_MATH_BITWISE(bitwise_and, &)
  ETCH_MATH_BITWISE(bitwise_or, |)
  ETCH_MATH_BITWISE(bitwise_xor, ^)
#undef ETCH_MATH_BITWISE
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T bitwise_not(T x)
    requires(!is_floating)
  {
    if constexpr (std::is_same_v<T, bool>)
      return !x;
    else
      return static_cast<T>(~x);
  }

  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T left_shift(T a, T count)
    requires(!is_floating)
  {
    return is_below_zero(count) || unsigned_of(count) >= width ? T(0) : wrapped(unsigned_of(a) << unsigned_of(count));
  }
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T right_shift(T a, T count)
    requires(!is_floating)
  {
    if (is_below_zero(count) || unsigned_of(count) >= width) return is_below_zero(a) ? negative(1) : T(0);
    return static_cast<T>(a >> count);
  }

  ETCH_HOST_DEVICE ETCH_INLINE static constexpr bool isfinite(T x) {
    return !is_floating || less(abs(x), detail::highest_number<T>);
  }
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr bool isinf(T x) { return is_floating && equal(abs(x), detail::highest_number<T>); }
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr bool equal(T a, T b) { return a == b; }
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr bool not_equal(T a, T b) { return a != b; }
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr bool less(T a, T b) { return !incomparable(a, b) && a < b; }
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr bool less_equal(T a, T b) { return !incomparable(a, b) && a <= b; }
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr bool greater(T a, T b) { return !incomparable(a, b) && a > b; }
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr bool greater_equal(T a, T b) { return !incomparable(a, b) && a >= b; }

  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T select(bool condition, T a, T b) { return condition ? a : b; }

  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T fma(T a, T b, T c) {
    if constexpr (!is_floating)
      return wrapped(unsigned_of(a) * unsigned_of(b) + unsigned_of(c));
    else if (__builtin_is_constant_evaluated())
      return narrow(constant_math::fma(a, b, c));
    else
#if defined(__CUDA_ARCH__) || defined(__FMA__) || defined(__ARM_FEATURE_FMA)
      return std::fma(a, b, c);
#else
      return a * b + c;  // std::fma would be a call of a function that computes with integers
#endif
  }

 private:
  /// Arithmetic of this type wraps around, and is not promoted to int as that of smaller ones is.
  using wrapping = std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>;

  static constexpr wrapping width = 8 * sizeof(T);

  ETCH_HOST_DEVICE ETCH_INLINE static constexpr wrapping unsigned_of(T x) { return static_cast<wrapping>(x); }
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T wrapped(wrapping x) { return static_cast<T>(x); }

  // Where T has no such values, no comparison: compilers warn of what is always false.
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr bool is_below_zero([[maybe_unused]] T x) {
    if constexpr (std::is_signed_v<T>)
      return x < 0;
    else
      return false;
  }
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr bool is_minus_one([[maybe_unused]] T x) {
    if constexpr (std::is_signed_v<T>)
      return x == -1;
    else
      return false;
  }
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr bool is_nan([[maybe_unused]] T x) {
    if constexpr (is_floating)
      return x != x;
    else
      return false;
  }

  /// Of zero and NaN too.
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr bool has_sign(T x) {
    if constexpr (sizeof(T) == 4)
      return __builtin_bit_cast(std::int32_t, x) < 0;
    else
      return __builtin_bit_cast(std::int64_t, x) < 0;
  }

  /// nvcc's constant expressions do not order NaN; at run time < and > answer right.
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr bool incomparable(T a, T b) {
    return __builtin_is_constant_evaluated() && (is_nan(a) || is_nan(b));
  }

  /// By squaring. Negative powers other than of 1 and -1 are rounded to 0.
  ETCH_HOST_DEVICE static constexpr T integer_power(T base, T exponent) {
    if (is_below_zero(exponent)) return base == 1 || is_minus_one(base) ? (exponent % 2 == 0 ? T(1) : base) : T(0);
    wrapping power = 1, factor = unsigned_of(base);
    for (wrapping rest = unsigned_of(exponent); rest != 0; rest >>= 1) {
      if (rest % 2 != 0) power *= factor;
      factor *= factor;
    }
    return wrapped(power);
  }

  /// A result of constant_math in T. The conversion of what over- or underflows a float is no constant expression to
  /// every compiler. Doubles from the middle of the largest float and 2^128 on are infinite as floats. Subnormal floats
  /// are multiples of 2^-149: the sum with 2^-97, whose last bit is worth that, rounds to one.
  ETCH_HOST_DEVICE static constexpr T narrow(double x) {
    if constexpr (std::is_same_v<T, float>) {
      if (constant_math::is_nan(x)) return __builtin_nanf("");
      if (constant_math::fabs(x) >= 0x1.ffffffp+127) return x < 0 ? -__builtin_huge_valf() : __builtin_huge_valf();
      if (constant_math::fabs(x) < 0x1p-126)
        return static_cast<float>(constant_math::copysign((constant_math::fabs(x) + 0x1p-97) - 0x1p-97, x));
    }
    return static_cast<T>(x);
  }

  /// With the sign of a, as of std::fmod.
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T truncated_remainder(T a, T b) {
    if (__builtin_is_constant_evaluated()) return static_cast<T>(constant_math::fmod(a, b));
    return std::fmod(a, b);
  }

  /// a / b for b = 0, which no constant expression may divide by.
  ETCH_HOST_DEVICE ETCH_INLINE static constexpr T divide_by_zero(T a, T b) {
    if (__builtin_is_constant_evaluated()) {
      if (a == 0 || is_nan(a)) return narrow(constant_math::quiet_nan);
      return narrow(constant_math::is_negative(b) == (a < 0) ? constant_math::infinity : -constant_math::infinity);
    }
    return a / b;
  }
};

}  // namespace etch::math
