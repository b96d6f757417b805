// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/simd/logarithm.hpp>

/// The cube root, and the root of a sum of two squares, without a branch.
namespace etch::cpu::simd {

/// m^(-1/3) within 2^-14.6, 0.75 <= m < 1.5, by tools/polynomials.py rcbrt.
template <class B>
ETCH_INLINE B reciprocal_cube_root(const B& m) {
  if constexpr (is_float<typename B::value_type>)
    return simd::polynomial(m, 0x1.d68c6ep+0f, -0x1.b8a278p+0f, 0x1.5c60ap+0f, -0x1.2786p-1f, 0x1.975f32p-4f);
  else
    return simd::polynomial(m, 0x1.d68c6dc9464a9p+0, -0x1.b8a2781bcee3p+0, 0x1.5c60a188c97d6p+0, -0x1.278602cdb0766p-1,
                            0x1.975f3562e368dp-4);
}

/// x = m 8^k with 0.375 <= m < 3. With z near m^(-1/3) and h = 1 - m z^3, the root of m is m z^2 (1 - h)^(-2/3): some terms
/// of that, and one of Newton's steps, y + (m - y^3) / (3 y^2), whose difference is exact. Within 0.51 units in the last
/// place.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> cbrt(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  const B zero(T(0)), one(T(1));
  const B a = xsimd::abs(x);
  const auto [mantissa, e] = simd::split(a);
  const B shifted = simd::fma(e, B(static_cast<T>(0x1.5555555555555p-2)), B(shift_to_integer<T>));
  const B k = shifted - B(shift_to_integer<T>);
  const B rest = simd::fnma(k, B(T(3)), e);  // -1, 0 or 1
  const auto below = rest<zero, above = rest> zero;
  const B m = mantissa * xsimd::select(below, B(T(0.5)), xsimd::select(above, B(T(2)), one));
  const B z =
      simd::reciprocal_cube_root(mantissa) * xsimd::select(below, B(static_cast<T>(0x1.428a2f98d728bp+0)),
                                                           xsimd::select(above, B(static_cast<T>(0x1.965fea53d6e3dp-1)), one));

  const B square = z * z;
  const B product = m * z;
  const B h = simd::fnma(square, product, one);
  const B start = product * z;
  const B series = [&] {
    if constexpr (is_float<T>)
      return B(T(0x1.555556p-1));
    else
      return simd::polynomial(h, 0x1.5555555555555p-1, 0x1.1c71c71c71c72p-1, 0x1.f9add3c0ca458p-2);
  }();
  const B y = simd::fma(start * h, series, start);

  const B y2 = y * y, y3 = y2 * y;
  const B lost = simd::fma(simd::lost_by_product(y, y, y2), y, simd::lost_by_product(y2, y, y3));
  const B difference = (m - y3) - lost;
  const B root = simd::fma(difference, square * B(static_cast<T>(0x1.5555555555555p-2)), y) * simd::power_of_two(shifted);
  return xsimd::select((a > zero) & (a < B(infinity<T>)), simd::with_sign(root, x), x);
}

/// sqrt(a^2 + b^2), of numbers that are scaled where squares would be too large or too small. Infinite where a or b is, also
/// beside a NaN. Within 1.2 units in the last place.
template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> hypot(const xsimd::batch<T, A>& x, const xsimd::batch<T, A>& y) {
  using B = xsimd::batch<T, A>;
  constexpr T large = static_cast<T>(is_float<T> ? 0x1p60 : 0x1p500);
  constexpr T small = static_cast<T>(is_float<T> ? 0x1p-50 : 0x1p-480);
  constexpr T power = static_cast<T>(is_float<T> ? 0x1p100 : 0x1p600);
  const B one(T(1)), inf(infinity<T>);
  const B a = xsimd::abs(x), b = xsimd::abs(y);
  const auto ordered = a < b;  // not by minimum and maximum: a NaN is to stay
  const B longer = xsimd::select(ordered, b, a), shorter = xsimd::select(ordered, a, b);
  const auto too_large = longer > B(large), too_small = longer < B(small);
  const B factor = xsimd::select(too_large, B(T(1) / power), xsimd::select(too_small, B(power), one));
  const B back = xsimd::select(too_large, B(power), xsimd::select(too_small, B(T(1) / power), one));
  const B p = longer * factor, q = shorter * factor;
  const B root = simd::sqrt(simd::fma(p, p, q * q)) * back;
  return xsimd::select((a == inf) | (b == inf), inf, root);
}

}  // namespace etch::cpu::simd
