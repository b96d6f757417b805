// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <type_traits>

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
}  // namespace detail

/// Element i of a uniform draw: a multiple of 2^-24 (float) or 2^-53 (double) in [0, 1).
template <class T>
ETCH_HOST_DEVICE T uniform_at(const draw_key& k, std::uint64_t i) {
  const std::uint64_t bits = detail::bits_at(k, i);
  if constexpr (std::is_same_v<T, float>)
    return static_cast<float>(bits >> 40) * 0x1p-24f;
  else
    return static_cast<double>(bits >> 11) * 0x1p-53;
}

/// Element i of a normal draw: elements 2j and 2j + 1 are the two results of one Box-Muller transform.
template <class T>
ETCH_HOST_DEVICE T normal_at(const draw_key& k, std::uint64_t i) {
  const std::uint64_t pair = i / 2;
  const T radius = std::sqrt(T(-2) * std::log(T(1) - uniform_at<T>(k, 2 * pair)));
  const T angle = T(6.283185307179586) * uniform_at<T>(k, 2 * pair + 1);
  return i % 2 == 0 ? radius * std::cos(angle) : radius * std::sin(angle);
}

}  // namespace etch
