// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/simd/bitwise.hpp>
#include <etch/backend/cpu/simd/division.hpp>
#include <etch/backend/cpu/simd/error_function.hpp>
#include <etch/backend/cpu/simd/hyperbolic.hpp>
#include <etch/backend/cpu/simd/inverse_trigonometric.hpp>
#include <etch/backend/cpu/simd/mask.hpp>
#include <etch/backend/cpu/simd/order.hpp>
#include <etch/backend/cpu/simd/power.hpp>
#include <etch/backend/cpu/simd/roots.hpp>
#include <etch/backend/cpu/simd/trigonometric.hpp>
#include <etch/base/math.hpp>

/// The vocabulary of kernels for batches.
namespace etch::math {

template <class T, class A>
struct functions<xsimd::batch<T, A>> {
  using V = xsimd::batch<T, A>;
  using mask = xsimd::batch_bool<T, A>;
  static constexpr bool floating = std::is_floating_point_v<T>;

  ETCH_INLINE static V negative(const V& x) { return cpu::simd::negative(x); }
  ETCH_INLINE static V abs(const V& x) { return cpu::simd::abs(x); }
  ETCH_INLINE static V sign(const V& x) { return cpu::simd::sign(x); }

#define ETCH_CPU_FLOATING(NAME)         \
  ETCH_INLINE static V NAME(const V& x) \
    requires floating                   \
  {                                     \
    return cpu::simd::NAME(x);          \
  }
  ETCH_CPU_FLOATING(rsqrt)
  ETCH_CPU_FLOATING(sigmoid)
  ETCH_ROUNDING_FUNCTIONS(ETCH_CPU_FLOATING)
  ETCH_STEEP_FUNCTIONS(ETCH_CPU_FLOATING)
  ETCH_OTHER_FUNCTIONS(ETCH_CPU_FLOATING)
#undef ETCH_CPU_FLOATING

  ETCH_INLINE static V add(const V& a, const V& b) { return a + b; }
  ETCH_INLINE static V subtract(const V& a, const V& b) { return a - b; }
  ETCH_INLINE static V multiply(const V& a, const V& b) {
    if constexpr (floating)
      return a * b;
    else
      return cpu::simd::wrapping_product(a, b);
  }
  ETCH_INLINE static V pow(const V& a, const V& b) {
    if constexpr (floating)
      return cpu::simd::pow(a, b);
    else
      return cpu::simd::lane_by_lane(a, b, [](T x, T n) { return functions<T>::pow(x, n); });
  }
  ETCH_INLINE static V atan2(const V& y, const V& x)
    requires floating
  {
    return cpu::simd::atan2(y, x);
  }
  ETCH_INLINE static V hypot(const V& a, const V& b)
    requires floating
  {
    return cpu::simd::hypot(a, b);
  }
  ETCH_INLINE static V maximum(const V& a, const V& b) { return cpu::simd::maximum(a, b); }
  ETCH_INLINE static V minimum(const V& a, const V& b) { return cpu::simd::minimum(a, b); }
  ETCH_INLINE static V floor_divide(const V& a, const V& b) { return cpu::simd::floor_divide(a, b); }
  ETCH_INLINE static V remainder(const V& a, const V& b) { return cpu::simd::remainder(a, b); }

#define ETCH_CPU_INTEGER(NAME)                      \
  ETCH_INLINE static V NAME(const V& a, const V& b) \
    requires(!floating)                             \
  {                                                 \
    return cpu::simd::NAME(a, b);                   \
  }
  ETCH_BITWISE_FUNCTIONS(ETCH_CPU_INTEGER)
  ETCH_CPU_INTEGER(left_shift)
  ETCH_CPU_INTEGER(right_shift)
#undef ETCH_CPU_INTEGER
  ETCH_INLINE static V bitwise_not(const V& x)
    requires(!floating)
  {
    return cpu::simd::bitwise_not(x);
  }

  ETCH_INLINE static mask isfinite(const V& x) { return cpu::simd::isfinite(x); }
  ETCH_INLINE static mask isinf(const V& x) { return cpu::simd::isinf(x); }
  ETCH_INLINE static mask equal(const V& a, const V& b) { return a == b; }
  ETCH_INLINE static mask not_equal(const V& a, const V& b) { return cpu::detail::differs(a, b); }
  ETCH_INLINE static mask less(const V& a, const V& b) { return a < b; }
  ETCH_INLINE static mask less_equal(const V& a, const V& b) { return a <= b; }
  ETCH_INLINE static mask greater(const V& a, const V& b) { return a > b; }
  ETCH_INLINE static mask greater_equal(const V& a, const V& b) { return a >= b; }

  ETCH_INLINE static V select(const mask& condition, const V& a, const V& b) { return cpu::detail::blend(condition, a, b); }
  ETCH_INLINE static V fma(const V& a, const V& b, const V& c) { return cpu::simd::fma(a, b, c); }
};

/// Bools that stand in vectors, beside numbers. Not by xsimd 8's `==` of masks: with SSE2 it compares floats, and all ones is
/// a NaN.
template <class T, class A>
struct functions<xsimd::batch_bool<T, A>> {
  using mask = xsimd::batch_bool<T, A>;
  ETCH_INLINE static mask equal(const mask& a, const mask& b) { return !cpu::logical_xor<T>(a, b); }
  ETCH_INLINE static mask not_equal(const mask& a, const mask& b) { return cpu::logical_xor<T>(a, b); }
  ETCH_INLINE static mask bitwise_and(const mask& a, const mask& b) { return a & b; }
  ETCH_INLINE static mask bitwise_or(const mask& a, const mask& b) { return a | b; }
  ETCH_INLINE static mask bitwise_xor(const mask& a, const mask& b) { return cpu::logical_xor<T>(a, b); }
  ETCH_INLINE static mask bitwise_not(const mask& x) { return !x; }
  ETCH_INLINE static mask isfinite(const mask& x) { return x | !x; }
  ETCH_INLINE static mask isinf(const mask& x) { return x & !x; }
  ETCH_INLINE static mask select(const mask& condition, const mask& a, const mask& b) {
    return (condition & a) | ((!condition) & b);
  }
};

}  // namespace etch::math
