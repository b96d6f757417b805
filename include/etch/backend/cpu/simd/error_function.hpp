// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/simd/exponential.hpp>

/// erf without a branch, within 2 units in the last place.
namespace etch::cpu::simd {

/// erf(a) / a - 1 for small a, a polynomial in a^2.
template <class B>
ETCH_INLINE B erf_near_rest(const B& square) {
  if constexpr (is_float<typename B::value_type>)
    return simd::polynomial(square, 0x1.06eba6p-3f, -0x1.8126e8p-2f, 0x1.ce1ab4p-4f, -0x1.b68e66p-6f, 0x1.474a0cp-8f,
                            -0x1.3a48ccp-11f);
  else
    return simd::polynomial(square, 0x1.06eba8214db68p-3, -0x1.812746b0379a9p-2, 0x1.ce2f21a040748p-4, -0x1.b82ce311f8dc9p-6,
                            0x1.565bccfaea2e7p-8, -0x1.c02db0b4a59b1p-11, 0x1.f9a2c9090d5e2p-14, -0x1.f4cb4bd46e9a8p-17,
                            0x1.b98a7ab257e69p-20, -0x1.5c4bace73ac2ep-23, 0x1.d902b6dc52e64p-27, -0x1.b173ac125b9fbp-31);
}

/// -log2(1 - erf(a)) up to where erf(a) is 1, weighted by what the error does to erf.
template <class B>
ETCH_INLINE B erf_far_exponent(const B& a) {
  if constexpr (is_float<typename B::value_type>)
    return simd::polynomial(a, 0x1.3d933ep-12f, 0x1.a0764ep+0f, 0x1.d6bcccp-1f, 0x1.32ce62p-3f, -0x1.0626c4p-5f, 0x1.1ea1b2p-8f,
                            -0x1.26963ap-12f);
  else
    return simd::polynomial(a - B(2.0), 0x1.ef5bbc912e9dep+2, 0x1.97f093d6590d2p+2, 0x1.552b38b782685p+0, 0x1.85301a3628c40p-6,
                            -0x1.519c099b214f3p-8, 0x1.14fd2b2599dd5p-10, -0x1.99629fecaf136p-13, 0x1.f5301553d75abp-16,
                            -0x1.7a031f1cba42fp-19, -0x1.3b96fde4a27bfp-22, 0x1.0c41d7040be6dp-22, -0x1.65817dad78e44p-24,
                            0x1.5abefd6366571p-26, -0x1.02b570f9b804bp-28, 0x1.9779d7065feb3p-32, 0x1.c5e10c1443f55p-34,
                            -0x1.d0b7533f845ecp-35, 0x1.ede428feb0782p-38);
}

template <class T, class A>
ETCH_INLINE xsimd::batch<T, A> erf(const xsimd::batch<T, A>& x) {
  using B = xsimd::batch<T, A>;
  constexpr T far_from_here = static_cast<T>(is_float<T> ? 0.921875 : 1);
  constexpr T one_from_here = static_cast<T>(is_float<T> ? 4 : 6);
  const B one(T(1));
  const B a = cpu::detail::smaller(B(one_from_here), xsimd::abs(x));
  const B near = simd::fma(a, simd::erf_near_rest(a * a), a);

  const B exponent = simd::erf_far_exponent(a);
  const B shifted = B(shift_to_integer<T>) - exponent;
  const B r = (exponent + (shifted - B(shift_to_integer<T>))) * B(static_cast<T>(-0x1.62e42fefa39efp-1));
  const B p = simd::expm1_of_reduced(r) + one;
  const B far = simd::fnma(p, simd::power_of_two(shifted), one);
  return simd::with_sign(xsimd::select(a < B(far_from_here), near, far), x);
}

}  // namespace etch::cpu::simd
