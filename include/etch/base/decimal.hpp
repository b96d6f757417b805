// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstdint>

/// Doubles from decimal digits.
namespace etch {

namespace detail {

/// A number of many words, the lowest first, as large as 2^60 * 5^308 and 5^342 * 2.
struct large_integer {
  static constexpr int most_words = 26;
  std::uint32_t words[most_words]{};
  int count = 0;

  explicit constexpr large_integer(std::uint64_t number) {
    for (; number != 0; number >>= 32) words[count++] = static_cast<std::uint32_t>(number);
  }
  constexpr int bits() const { return count == 0 ? 0 : 32 * count - std::countl_zero(words[count - 1]); }
  constexpr bool operator<(const large_integer& other) const {
    if (count != other.count) return count < other.count;
    for (int i = count; i-- > 0;)
      if (words[i] != other.words[i]) return words[i] < other.words[i];
    return false;
  }
  constexpr void multiply(std::uint32_t factor) {
    std::uint64_t carry = 0;
    for (int i = 0; i < count; ++i) {
      carry += std::uint64_t{words[i]} * factor;
      words[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) words[count++] = static_cast<std::uint32_t>(carry);
  }
  constexpr void multiply_by_power_of_5(int exponent) {
    for (; exponent >= 13; exponent -= 13) multiply(1220703125);
    for (; exponent > 0; --exponent) multiply(5);
  }
  constexpr void shift_left(int places) {
    for (; places >= 32; places -= 32) {
      for (int i = count++; i > 0; --i) words[i] = words[i - 1];
      words[0] = 0;
    }
    multiply(std::uint32_t{1} << places);
  }
  /// Of one that is not less.
  constexpr void subtract(const large_integer& other) {
    std::int64_t borrow = 0;
    for (int i = 0; i < count; ++i) {
      borrow += std::int64_t{words[i]} - (i < other.count ? other.words[i] : 0);
      words[i] = static_cast<std::uint32_t>(borrow);
      borrow >>= 32;
    }
    while (count > 0 && words[count - 1] == 0) --count;
  }
};

}  // namespace detail

/// The double nearest to mantissa * 10^exponent, of two the even one; infinity where that is beyond its range. By a division of
/// integers. mantissa: below 2^60.
constexpr double nearest_double(std::uint64_t mantissa, int exponent) {
  constexpr std::uint64_t infinity = std::uint64_t{0x7ff} << 52;
  if (mantissa == 0 || exponent < -342) return 0;
  if (exponent > 308) return std::bit_cast<double>(infinity);
  detail::large_integer above(mantissa), below(1);
  (exponent < 0 ? below : above).multiply_by_power_of_5(exponent < 0 ? -exponent : exponent);
  // above / below * 2^binary, the quotient from 1 to 2.
  const int shift = above.bits() - below.bits();
  (shift < 0 ? above : below).shift_left(shift < 0 ? -shift : shift);
  int binary = exponent + shift;
  if (above < below) {
    above.shift_left(1);
    --binary;
  }
  // The first 54 bits of the quotient: one more than a double has, and what is left of `above` says whether others follow.
  std::uint64_t quotient = 0;
  for (int i = 0; i < 54; ++i) {
    quotient <<= 1;
    if (!(above < below)) {
      above.subtract(below);
      quotient |= 1;
    }
    above.shift_left(1);
  }
  const bool is_normal = binary >= -1022;
  const int dropped = is_normal ? 1 : -1021 - binary;
  if (dropped > 54) return 0;
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1), rest = quotient & (2 * half - 1);
  std::uint64_t kept = quotient >> dropped;
  if (rest > half || (rest == half && (above.count > 0 || kept % 2 != 0))) ++kept;
  // The first bit of a normal number's fraction, which is not kept, is 1 more in its exponent; so is a carry out of the fraction.
  const std::uint64_t bits = kept + (is_normal ? static_cast<std::uint64_t>(binary + 1022) << 52 : 0);
  return std::bit_cast<double>(bits < infinity ? bits : infinity);
}

}  // namespace etch
