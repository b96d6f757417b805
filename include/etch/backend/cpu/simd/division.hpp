// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <etch/backend/cpu/simd/arithmetic.hpp>

/// floor_divide and remainder as in Python, and the power of integers. Integers go lane by lane, for no x86 divides a
/// vector of them: by 0 both give 0, and what overflows wraps.
namespace etch::cpu::simd {

/// Calls `f` for each lane of two batches.
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

/// a / b rounded towards minus infinity. -1 is apart, for the lowest integer divided by it overflows.
template <class T>
ETCH_INLINE T floor_quotient(T a, T b) {
  using U = std::make_unsigned_t<T>;
  if (b == 0) return 0;
  if (b == -1) return static_cast<T>(U(0) - static_cast<U>(a));
  const T quotient = a / b;
  return quotient - T(a % b != 0 && (a < 0) != (b < 0));
}

template <class T>
ETCH_INLINE T floor_modulus(T a, T b) {
  if (b == 0 || b == -1) return 0;
  const T rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/// By squaring. A negative power is 0, but for 1 and -1.
template <class T>
ETCH_INLINE T integer_power(T a, T n) {
  using U = std::make_unsigned_t<T>;
  if (n < 0) return a == 1 ? T(1) : a == -1 ? (n % 2 == 0 ? T(1) : T(-1)) : T(0);
  U result = 1;
  U square = static_cast<U>(a);
  for (U bits = static_cast<U>(n); bits != 0; bits >>= 1) {
    if (bits & 1) result *= square;
    square *= square;
  }
  return static_cast<T>(result);
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
ETCH_INLINE floor_division<xsimd::batch<T, A>> divide_to_floor(const xsimd::batch<T, A>& a,
                                                              const xsimd::batch<T, A>& b) {
  using B = xsimd::batch<T, A>;
  const B zero(T(0)), inf(infinity<T>);
  const B quotient = simd::floor(a / b);
  B rest = simd::remainder_of_division(a, quotient, b);
  rest = xsimd::select((xsimd::abs(b) == inf) & (xsimd::abs(a) < inf), a, rest);
  const auto too_large = ((rest < zero) & (b > zero)) | ((rest > zero) & (b < zero));
  rest = xsimd::select(rest == zero, simd::sign_of(b), rest);
  return {xsimd::select(too_large, quotient - B(T(1)), quotient), xsimd::select(too_large, rest + b, rest)};
}

/// Of infinity NaN, as of its remainder; by 0 infinite.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> floor_quotient(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
  using B = xsimd::batch<T, A>;
  const auto undefined = (xsimd::abs(a) == B(infinity<T>)) & !(b == B(T(0)));
  return xsimd::select(undefined, B(std::numeric_limits<T>::quiet_NaN()), simd::divide_to_floor(a, b).quotient);
}

template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> floor_divide(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
  if constexpr (std::is_integral_v<T>)
    return simd::lane_by_lane(a, b, [](T x, T y) { return simd::floor_quotient(x, y); });
  else
    return simd::floor_quotient(a, b);
}

/// The lanes whose quotient is so large that its rest is not exact, by the C library.
template <class T>
ETCH_NOINLINE void repair_remainders(const T* a, const T* b, T* result, int count, T largest_quotient) {
  for (int i = 0; i < count; ++i) {
    if (!(std::fabs(a[i] / b[i]) > largest_quotient) || b[i] == 0 || std::isinf(a[i])) continue;
    const T rest = std::fmod(a[i], b[i]);
    result[i] = rest == 0 ? std::copysign(rest, b[i]) : (rest < 0) != (b[i] < 0) ? rest + b[i] : rest;
  }
}

template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> remainder(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
  using B = xsimd::batch<T, A>;
  if constexpr (std::is_integral_v<T>) {
    return simd::lane_by_lane(a, b, [](T x, T y) { return simd::floor_modulus(x, y); });
  } else {
    constexpr T largest_quotient = static_cast<T>(sizeof(T) == 4 ? 0x1p22 : 0x1p51);
    const auto [quotient, rest] = simd::divide_to_floor(a, b);
    if (!xsimd::any(xsimd::abs(quotient) > B(largest_quotient))) [[likely]] return rest;
    alignas(B) T left[B::size];
    alignas(B) T right[B::size];
    alignas(B) T results[B::size];
    a.store_aligned(left);
    b.store_aligned(right);
    rest.store_aligned(results);
    simd::repair_remainders(left, right, results, static_cast<int>(B::size), largest_quotient / 2);
    return B::load_aligned(results);
  }
}

}  // namespace etch::cpu::simd
