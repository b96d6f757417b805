// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/simd/division.hpp>
#include <etch/backend/cpu/simd/error_function.hpp>
#include <etch/backend/cpu/simd/mask.hpp>
#include <etch/backend/cpu/simd/power.hpp>
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

#define ETCH_CPU_FLOATING(NAME)                 \
  ETCH_INLINE static V NAME(const V& x)         \
    requires floating                           \
  {                                             \
    return cpu::simd::NAME(x);                  \
  }
  ETCH_CPU_FLOATING(floor)
  ETCH_CPU_FLOATING(ceil)
  ETCH_CPU_FLOATING(round)
  ETCH_CPU_FLOATING(trunc)
  ETCH_CPU_FLOATING(sqrt)
  ETCH_CPU_FLOATING(rsqrt)
  ETCH_CPU_FLOATING(exp)
  ETCH_CPU_FLOATING(expm1)
  ETCH_CPU_FLOATING(log)
  ETCH_CPU_FLOATING(log1p)
  ETCH_CPU_FLOATING(sin)
  ETCH_CPU_FLOATING(cos)
  ETCH_CPU_FLOATING(tanh)
  ETCH_CPU_FLOATING(sigmoid)
  ETCH_CPU_FLOATING(erf)
#undef ETCH_CPU_FLOATING

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
  ETCH_INLINE static V maximum(const V& a, const V& b) { return cpu::simd::maximum(a, b); }
  ETCH_INLINE static V minimum(const V& a, const V& b) { return cpu::simd::minimum(a, b); }
  ETCH_INLINE static V floor_divide(const V& a, const V& b) { return cpu::simd::floor_divide(a, b); }
  ETCH_INLINE static V remainder(const V& a, const V& b) { return cpu::simd::remainder(a, b); }

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
};

}  // namespace etch::math
