// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <limits>
#include <type_traits>

#include <etch/config.hpp>

/// Numbers of 16 bits, which are for memory: whoever computes with them does so in float.
namespace etch {

/// The upper half of a float: its sign, its exponent and 7 bits behind the point. Rounded to nearest, halves to even; beyond the largest
/// one to infinity; subnormals are numbers like others; a NaN stays one, and becomes quiet. Other numbers are rounded to float first.
struct bfloat16 {
  std::uint16_t bits;  ///< public, so that a number may be a template argument

  bfloat16() = default;
  ETCH_HOST_DEVICE explicit constexpr bfloat16(float x) : bits(rounded(__builtin_bit_cast(std::uint32_t, x))) {}
  template <class Number>
    requires std::is_arithmetic_v<Number>
  ETCH_HOST_DEVICE explicit constexpr bfloat16(Number x) : bfloat16(static_cast<float>(x)) {}

  ETCH_HOST_DEVICE static constexpr bfloat16 from_bits(std::uint16_t bits) {
    bfloat16 x{};
    x.bits = bits;
    return x;
  }
  /// Exact. Comparisons, arithmetic and printing of C++ are those of floats.
  ETCH_HOST_DEVICE constexpr operator float() const { return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16); }

 private:
  ETCH_HOST_DEVICE static constexpr std::uint16_t rounded(std::uint32_t x) {
    if ((x & 0x7fffffff) > 0x7f800000) return static_cast<std::uint16_t>(x >> 16 | 0x40);
    return static_cast<std::uint16_t>((x + 0x7fff + (x >> 16 & 1)) >> 16);
  }
};

/// Whether T is a number that is narrower in memory than what computes with it, and no arithmetic type of C++.
template <class T>
inline constexpr bool is_storage_number = false;
template <>
inline constexpr bool is_storage_number<bfloat16> = true;

/// Whether T is a number, of C++ or of ours.
template <class T>
inline constexpr bool is_number_type = std::is_arithmetic_v<T> || is_storage_number<T>;

}  // namespace etch

template <>
struct std::numeric_limits<etch::bfloat16> : std::numeric_limits<float> {
  static constexpr int digits = 8, digits10 = 2, max_digits10 = 4;
  static constexpr etch::bfloat16 min() noexcept { return etch::bfloat16::from_bits(0x0080); }
  static constexpr etch::bfloat16 max() noexcept { return etch::bfloat16::from_bits(0x7f7f); }
  static constexpr etch::bfloat16 lowest() noexcept { return etch::bfloat16::from_bits(0xff7f); }
  static constexpr etch::bfloat16 epsilon() noexcept { return etch::bfloat16::from_bits(0x3c00); }
  static constexpr etch::bfloat16 round_error() noexcept { return etch::bfloat16::from_bits(0x3f00); }
  static constexpr etch::bfloat16 infinity() noexcept { return etch::bfloat16::from_bits(0x7f80); }
  static constexpr etch::bfloat16 quiet_NaN() noexcept { return etch::bfloat16::from_bits(0x7fc0); }
  static constexpr etch::bfloat16 signaling_NaN() noexcept { return etch::bfloat16::from_bits(0x7fa0); }
  static constexpr etch::bfloat16 denorm_min() noexcept { return etch::bfloat16::from_bits(0x0001); }
  static constexpr bool is_iec559 = false;  // of the standard's formats it is none
};
