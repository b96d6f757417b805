// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include <etch/config.hpp>

/// The functions that each value type has. `round`: to the nearest integer, halves to even. Steep: infinite of finite operands.
#define ETCH_ROUNDING_FUNCTIONS(F) F(floor) F(ceil) F(round) F(trunc)
#define ETCH_STEEP_FUNCTIONS(F) F(exp) F(exp2) F(expm1) F(sinh) F(cosh)
#define ETCH_OTHER_FUNCTIONS(F) \
  F(sqrt)                       \
  F(cbrt) F(log) F(log2) F(log10) F(log1p) F(sin) F(cos) F(tan) F(asin) F(acos) F(atan) F(tanh) F(asinh) F(acosh) F(atanh) F(erf)
#define ETCH_BITWISE_FUNCTIONS(F) F(bitwise_and) F(bitwise_or) F(bitwise_xor)
#define ETCH_COMPARISONS(F) F(equal) F(not_equal) F(less) F(less_equal) F(greater) F(greater_equal)

/// The vocabulary that op kernels are written in, spelt once for every value type: a scalar, a SIMD batch, a device
/// thread's scalar, a constant expression. What a value type can do is said by a specialisation of `functions`:
/// `base/scalar_math.hpp` for numbers, `backend/cpu/simd.hpp` for batches. The arithmetic operators + - * / are the
/// value type's own.
namespace etch::math {

/// Specialised per value type V. `mask` is what a comparison gives: bool for a number, a batch of bools for a batch.
template <class V>
struct functions;

template <class V>
using mask = typename functions<V>::mask;

#define ETCH_MATH_UNARY(NAME)                                 \
  template <class V>                                          \
  ETCH_HOST_DEVICE ETCH_INLINE constexpr V NAME(const V& x) { \
    return functions<V>::NAME(x);                             \
  }
ETCH_MATH_UNARY(negative)  ///< changes the sign, also of zero
ETCH_MATH_UNARY(abs)
ETCH_MATH_UNARY(sign)  ///< -1, 0 or 1; NaN stays NaN; sign(-0) = -0
ETCH_MATH_UNARY(bitwise_not)
ETCH_MATH_UNARY(rsqrt)  ///< 1 / sqrt(x) at full precision
ETCH_MATH_UNARY(sigmoid)
ETCH_ROUNDING_FUNCTIONS(ETCH_MATH_UNARY)
ETCH_STEEP_FUNCTIONS(ETCH_MATH_UNARY)
ETCH_OTHER_FUNCTIONS(ETCH_MATH_UNARY)
#undef ETCH_MATH_UNARY

#define ETCH_MATH_BINARY(NAME)                                            \
  template <class V>                                                      \
  ETCH_HOST_DEVICE ETCH_INLINE constexpr V NAME(const V& a, const V& b) { \
    return functions<V>::NAME(a, b);                                      \
  }
// Those of the operators whose integers wrap around, where the value type's own may not.
ETCH_MATH_BINARY(add)
ETCH_MATH_BINARY(subtract)
ETCH_MATH_BINARY(multiply)
ETCH_MATH_BINARY(pow)
ETCH_MATH_BINARY(atan2)  ///< the angle of (b, a)
ETCH_MATH_BINARY(hypot)
ETCH_MATH_BINARY(maximum)       ///< NaN if either operand is; of zeros of two signs 0
ETCH_MATH_BINARY(minimum)       ///< NaN if either operand is; of zeros of two signs -0
ETCH_MATH_BINARY(floor_divide)  ///< rounds towards minus infinity; by integer zero: 0
ETCH_MATH_BINARY(remainder)     ///< a - b * floor(a / b): the sign of b; by integer zero: 0
ETCH_BITWISE_FUNCTIONS(ETCH_MATH_BINARY)
ETCH_MATH_BINARY(left_shift)   ///< by a negative count, or one not below the width: 0
ETCH_MATH_BINARY(right_shift)  ///< likewise: the sign in every bit
#undef ETCH_MATH_BINARY

#define ETCH_MATH_COMPARE(NAME)                                                 \
  template <class V>                                                            \
  ETCH_HOST_DEVICE ETCH_INLINE constexpr mask<V> NAME(const V& a, const V& b) { \
    return functions<V>::NAME(a, b);                                            \
  }
ETCH_COMPARISONS(ETCH_MATH_COMPARE)
#undef ETCH_MATH_COMPARE

template <class V>
ETCH_HOST_DEVICE ETCH_INLINE constexpr mask<V> isfinite(const V& x) {
  return functions<V>::isfinite(x);
}
template <class V>
ETCH_HOST_DEVICE ETCH_INLINE constexpr mask<V> isinf(const V& x) {
  return functions<V>::isinf(x);
}

/// `condition` ? a : b, lane by lane; both sides are evaluated.
template <class V>
ETCH_HOST_DEVICE ETCH_INLINE constexpr V select(const mask<V>& condition, const V& a, const V& b) {
  return functions<V>::select(condition, a, b);
}

/// a * b + c, in one rounding where the machine has it.
template <class V>
ETCH_HOST_DEVICE ETCH_INLINE constexpr V fma(const V& a, const V& b, const V& c) {
  return functions<V>::fma(a, b, c);
}

namespace detail {
// Variables, since std::numeric_limits has no device functions, and a variable's initial value is computed on the host.
template <class V>
inline constexpr V lowest_number =
    std::numeric_limits<V>::has_infinity ? V(-std::numeric_limits<V>::infinity()) : std::numeric_limits<V>::lowest();
template <class V>
inline constexpr V highest_number =
    std::numeric_limits<V>::has_infinity ? std::numeric_limits<V>::infinity() : std::numeric_limits<V>::max();
}  // namespace detail

/// The value that no other is below: -inf for floats, false for bool.
template <class V>
ETCH_HOST_DEVICE constexpr auto lowest() {
  if constexpr (std::numeric_limits<V>::is_specialized)
    return detail::lowest_number<V>;
  else
    return lowest<typename V::value_type>();
}

/// The value that no other is above: inf for floats, true for bool.
template <class V>
ETCH_HOST_DEVICE constexpr auto highest() {
  if constexpr (std::numeric_limits<V>::is_specialized)
    return detail::highest_number<V>;
  else
    return highest<typename V::value_type>();
}

}  // namespace etch::math
