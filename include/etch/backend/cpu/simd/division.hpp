// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/simd/arithmetic.hpp>
#include <etch/base/scalar_math.hpp>

/// floor_divide and remainder, and the power of integers. Integers go lane by lane, for no x86 divides a vector of them, and
/// so do floating numbers where there is no fused multiply-add.
namespace etch::cpu::simd {

/// Calls f, a function of numbers, for each lane.
template <class T, class A, class F>
ETCH_INLINE xsimd::batch<T, A> lane_by_lane(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b, const F& f) {
  using B = xsimd::batch<T, A>;
  alignas(B) T left[B::size];
  alignas(B) T right[B::size];
  a.store_aligned(left);
  b.store_aligned(right);
  for (std::size_t i = 0; i < B::size; ++i) left[i] = f(left[i], right[i]);
  return B::load_aligned(left);
}

/// floor(a / b), and a minus b times that.
template <class B>
struct floor_division {
  B quotient;
  B rest;
};

/// The rounded quotient may be too large by one; then the exact rest has not the sign of b. It is exact where the
/// quotient has no bits below 1.
template <class T, class A>
ETCH_INLINE floor_division<xsimd::batch<T, A>> divide_to_floor(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
  using B = xsimd::batch<T, A>;
  const B zero(T(0)), inf(infinity<T>);
  const B quotient = simd::floor(a / b);
  B rest = simd::fnma(quotient, b, a);
  rest = xsimd::select((xsimd::abs(b) == inf) & (xsimd::abs(a) < inf), a, rest);
  const auto too_large = ((rest < zero) & (b > zero)) | ((rest > zero) & (b < zero));
  rest = xsimd::select(rest == zero, simd::sign_of(b), rest);
  return {xsimd::select(too_large, quotient - B(T(1)), quotient), xsimd::select(too_large, rest + b, rest)};
}

/// Of infinity NaN, as of its remainder; by 0 infinite.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> floor_divide(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
  using B = xsimd::batch<T, A>;
  if constexpr (std::is_integral_v<T> || !cpu::detail::has_fma) {
    return simd::lane_by_lane(a, b, [](T x, T y) { return math::functions<T>::floor_divide(x, y); });
  } else {
    const auto undefined = (xsimd::abs(a) == B(infinity<T>)) & !(b == B(T(0)));
    return xsimd::select(undefined, B(std::numeric_limits<T>::quiet_NaN()), simd::divide_to_floor(a, b).quotient);
  }
}

/// Out of line, for it is rarely needed.
template <class T>
ETCH_NOINLINE void remainders(T* a, const T* b, int count) {
  for (int i = 0; i < count; ++i) a[i] = math::functions<T>::remainder(a[i], b[i]);
}

/// A batch with a lane whose quotient is so large that its rest is not exact is done lane by lane.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> remainder(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
  using B = xsimd::batch<T, A>;
  if constexpr (std::is_integral_v<T> || !cpu::detail::has_fma) {
    return simd::lane_by_lane(a, b, [](T x, T y) { return math::functions<T>::remainder(x, y); });
  } else {
    constexpr T largest_quotient = static_cast<T>(sizeof(T) == 4 ? 0x1p22 : 0x1p51);
    const auto [quotient, rest] = simd::divide_to_floor(a, b);
    if (!xsimd::any(xsimd::abs(quotient) > B(largest_quotient))) [[likely]]
      return rest;
    alignas(B) T left[B::size];
    alignas(B) T right[B::size];
    a.store_aligned(left);
    b.store_aligned(right);
    simd::remainders(left, right, static_cast<int>(B::size));
    return B::load_aligned(left);
  }
}

}  // namespace etch::cpu::simd
