// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <etch/backend/normal_transform.hpp>
#include <etch/base/hash.hpp>
#include <etch/base/philox.hpp>

/// Elements of random draws: the same on every backend.
namespace etch {

/// What tells one draw's numbers from another's: the session's seed, the number of the run, the draw's name.
struct draw_key {
  std::uint64_t key = 0;
  std::uint64_t run = 0;

  static constexpr draw_key of(std::uint64_t seed, std::uint64_t run, std::uint64_t stream) { return {mix(seed, stream), run}; }
};

namespace detail {
/// 64 random bits for element i.
ETCH_HOST_DEVICE constexpr std::uint64_t bits_at(const draw_key& k, std::uint64_t i) {
  const philox::block b = philox::generate(i / 2, k.run, k.key);
  return i % 2 == 0 ? b.word[0] | std::uint64_t{b.word[1]} << 32 : b.word[2] | std::uint64_t{b.word[3]} << 32;
}

/// As many of the highest bits as T has digits, as a number in [0, 1).
template <class T>
ETCH_HOST_DEVICE T uniform_of(std::uint64_t bits) {
  return static_cast<T>(bits >> (64 - mantissa_digits<T>)) * least_uniform<T>;
}

/// 1 less that number; of the last 256 numbers below 1 by all 64 bits, for its logarithm: with those of a float alone normal draws would
/// end at 5.77 deviations.
template <class T>
ETCH_HOST_DEVICE T complement_of(std::uint64_t bits) {
  if (~bits >> (64 - mantissa_digits<T> + 8) == 0) return static_cast<T>(~bits + 1) * T(0x1p-64);
  return T(1) - uniform_of<T>(bits);
}
}  // namespace detail

/// Element i of a uniform draw: a multiple of 2^-24 (float) or 2^-53 (double) in [0, 1).
template <class T>
ETCH_HOST_DEVICE T uniform_at(const draw_key& k, std::uint64_t i) {
  return detail::uniform_of<T>(detail::bits_at(k, i));
}

/// Element i of a normal draw: elements 2j and 2j + 1 are the two results of one Box-Muller transform. The largest there can be is 9.42,
/// where the first uniform number is the 2^-64 next to 1.
template <class T>
T normal_at(const draw_key& k, std::uint64_t i) {
  using arithmetic = detail::scalar_arithmetic<T>;
  const std::uint64_t pair = i / 2, turn = detail::bits_at(k, 2 * pair + 1);
  const auto both = detail::normal_of<arithmetic>(detail::complement_of<T>(detail::bits_at(k, 2 * pair)),
                                                  static_cast<typename arithmetic::word>(turn >> (64 - 8 * sizeof(T))));
  return i % 2 == 0 ? both.even : both.odd;
}

}  // namespace etch
