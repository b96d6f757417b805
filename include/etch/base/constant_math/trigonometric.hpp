// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/constant_math/pair.hpp>

/// Sine, cosine and tangent for arguments of any size.
namespace etch::constant_math {

ETCH_HOST_DEVICE constexpr pair half_pi() { return {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54}; }

/// x = angle + quadrant * pi / 2 up to whole turns, |angle| <= pi / 4.
struct reduced_angle {
  pair angle;
  unsigned quadrant;
};

/// For x > pi / 4, after M. Payne and R. Hanek, "Radian reduction for trigonometric functions", SIGNUM Newsletter 18
/// (1983). x = m * 2^e for an integer m of 53 bits. The bits of 2 / pi that make multiples of 4 when multiplied with
/// 2^e are skipped: they are whole turns. The product of m and the next 192 bits is x / (pi / 2) modulo 4, its error
/// below 2^-137; no double's x / (pi / 2) comes closer than 2^-62 to an integer.
ETCH_HOST_DEVICE constexpr reduced_angle reduce_large_angle(double x) {
  // 2 / pi in base 2^32, after 64 zero bits: e is at least -53
  constexpr std::uint32_t two_over_pi[] = {
      0x00000000u, 0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u,
      0xfe5163abu, 0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
      0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu, 0xbdf9283bu,
      0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u, 0x9e5fea2du,
      0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u, 0x56033046u, 0xfc7b6babu};
  constexpr int words = 6;
  const std::uint64_t m = (to_bits(x) & 0xfffffffffffffu) | 0x10000000000000u;
  const std::uint64_t m_lower = m & 0xffffffffu, m_upper = m >> 32;
  const int e = static_cast<int>(to_bits(x) >> 52) - 1075;
  const int first_bit = e - 2 + 64, first_word = first_bit / 32, shift = 32 - first_bit % 32;

  std::uint32_t product[words] = {};  // the most significant word first
  std::uint64_t carry_lower = 0, carry_upper = 0;
  for (int i = words - 1; i >= 0; --i) {
    const std::uint64_t two_words = std::uint64_t{two_over_pi[first_word + i]} << 32 | two_over_pi[first_word + i + 1];
    const std::uint64_t factor = two_words >> shift & 0xffffffffu;
    carry_lower += m_lower * factor + product[i];
    product[i] = static_cast<std::uint32_t>(carry_lower);
    carry_lower >>= 32;
    if (i == 0) break;
    carry_upper += m_upper * factor;
    product[i - 1] = static_cast<std::uint32_t>(carry_upper);
    carry_upper >>= 32;
  }

  // the point is after the second bit: the quadrant before it, and after it a fraction, taken in [-1/2, 1/2)
  const bool next = (product[0] & 0x20000000u) != 0;
  double weight = 0x1p-30;
  pair fraction = {(product[0] & 0x3fffffffu) * weight - (next ? 1.0 : 0.0), 0};
  for (int i = 1; i < words; ++i) {
    weight *= 0x1p-32;
    fraction = fraction + product[i] * weight;
  }
  return {fraction * half_pi(), (product[0] >> 30) + (next ? 1u : 0u)};
}

ETCH_HOST_DEVICE constexpr reduced_angle reduce_angle(double x) {
  return x > 0.78539816339744828 ? reduce_large_angle(x) : reduced_angle{{x, 0}, 0};
}

/// 1 - z/(n (n+1)) (1 - z/((n+2) (n+3)) (...)): with z = x^2, cos(x) for n = 1, sin(x) / x for n = 2. From the third
/// term on doubles are enough: that term is below 2^-5 of the sum, and what is rounded of it is below 2^-5 of it.
ETCH_HOST_DEVICE constexpr pair alternating_series(const pair& z, int n) {
  double tail = 0;
  for (int i = n + 20; i >= n + 4; i -= 2) tail = z.hi / (i * (i + 1)) * (1 - tail);
  pair sum = two_sum(1, -tail);
  for (int i = n + 2; i >= n; i -= 2) sum = 1 - z * sum / (i * (i + 1));
  return sum;
}

struct sine_and_cosine {
  pair sine, cosine;
};

/// For |x| <= pi / 4.
ETCH_HOST_DEVICE constexpr sine_and_cosine of_small_angle(const pair& x) {
  const pair z = x * x;
  return {x * alternating_series(z, 2), alternating_series(z, 1)};
}

/// The sine of a reduced angle, after further quarter turns.
ETCH_HOST_DEVICE constexpr double sine_after(const reduced_angle& r, unsigned quarter_turns) {
  const unsigned quadrant = (r.quadrant + quarter_turns) % 4;
  const pair z = r.angle * r.angle;
  const pair sine = quadrant % 2 == 0 ? r.angle * alternating_series(z, 2) : alternating_series(z, 1);
  return quadrant < 2 ? sine.hi : -sine.hi;
}

ETCH_HOST_DEVICE constexpr double sin(double x) {
  if (is_nan(x) || fabs(x) < 0x1p-27) return x;
  if (fabs(x) == infinity) return quiet_nan;
  const double sine = sine_after(reduce_angle(fabs(x)), 0);
  return x < 0 ? -sine : sine;
}

ETCH_HOST_DEVICE constexpr double cos(double x) {
  if (is_nan(x)) return x;
  if (fabs(x) == infinity) return quiet_nan;
  if (fabs(x) < 0x1p-27) return 1;
  return sine_after(reduce_angle(fabs(x)), 1);
}

ETCH_HOST_DEVICE constexpr double tan(double x) {
  if (is_nan(x) || fabs(x) < 0x1p-27) return x;
  if (fabs(x) == infinity) return quiet_nan;
  const reduced_angle r = reduce_angle(fabs(x));
  const sine_and_cosine of = of_small_angle(r.angle);
  const double tangent = r.quadrant % 2 == 0 ? (of.sine / of.cosine).hi : -(of.cosine / of.sine).hi;
  return x < 0 ? -tangent : tangent;
}

}  // namespace etch::constant_math
