// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <limits>
#include <random>

#include <etch/convolution.hpp>
#include <etch/etch.hpp>

/// What the calls of elementwise.inc, functions.inc and structure.inc are made of. These are all calls of docs/ops.md that mean the same
/// in every mode (tests/modes/complete.cpp), each one once, with what is known of it. A test defines `ETCH_CALL(kind, call)` and
/// includes them.
namespace etch::every_call {

enum class kind {
  value,            ///< no gradient with respect to x, or one that is zero everywhere
  gradient,         ///< gradients with respect to x, of any order
  finite_gradient,  ///< the same, of finite operands only
};

namespace slots {
constexpr placeholder<"x", float, 4, 6> x;
constexpr placeholder<"y", float, 4, 6> y;
constexpr placeholder<"b", bool, 4, 6> b;
constexpr placeholder<"i", std::int32_t, 4, 6> i;
constexpr placeholder<"rows", std::int32_t, 3> rows;
constexpr placeholder<"labels", std::int32_t, 4> labels;
}  // namespace slots

struct arrays {
  xt::xtensor<float, 2> x = xt::xtensor<float, 2>::from_shape({4, 6}), y = x;
  xt::xtensor<bool, 2> b = xt::xtensor<bool, 2>::from_shape({4, 6});
  xt::xtensor<std::int32_t, 2> i = xt::xtensor<std::int32_t, 2>::from_shape({4, 6});
  xt::xtensor<std::int32_t, 1> rows{2, 0, 3}, labels{1, 5, 0, 2};
};

/// Inside the domain of nearly every op; of acosh it is NaN.
inline arrays tame_arrays(std::size_t number) {
  arrays a;
  for (std::size_t k = 0; k < a.x.size(); ++k) {
    a.x.data()[k] = 0.1f + 0.8f * static_cast<float>((k + number) * 37 % 101) / 101.f;
    a.y.data()[k] = 0.1f + 0.8f * static_cast<float>((k + number) * 59 % 101) / 101.f;
    a.b.data()[k] = (k + number) * 7 % 5 < 2;
    a.i.data()[k] = static_cast<std::int32_t>((k + number) * 5 % 4);
  }
  return a;
}

/// Everywhere and beyond.
inline arrays wild_arrays() {
  arrays a = tame_arrays(0);
  const float nan = std::numeric_limits<float>::quiet_NaN(), far = std::numeric_limits<float>::infinity();
  const float special[] = {nan, far, -far, 0.f, -0.f, -2.5f, 1e30f, -1e-30f};
  for (std::size_t k = 0; k < 8; ++k) a.x.data()[3 * k] = special[k];
  for (std::size_t k = 0; k < 8; ++k) a.y.data()[3 * k + 1] = special[7 - k];
  return a;
}

/// Random numbers: floats in (low, high), indices that are in range.
inline arrays random_arrays(unsigned seed, float low, float high) {
  arrays a;
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(low, high);
  for (std::size_t k = 0; k < a.x.size(); ++k) {
    a.x.data()[k] = uniform(random);
    a.y.data()[k] = uniform(random);
    a.b.data()[k] = random() % 2 == 1;
    a.i.data()[k] = static_cast<std::int32_t>(random() % 4);
  }
  for (std::int32_t& row : a.rows) row = static_cast<std::int32_t>(random() % 4);
  for (std::int32_t& label : a.labels) label = static_cast<std::int32_t>(random() % 6);
  return a;
}

}  // namespace etch::every_call

/// The call as a function of these operands, in any mode.
#define ETCH_CALLED(...)                                                                                 \
  []([[maybe_unused]] auto x, [[maybe_unused]] auto y, [[maybe_unused]] auto b, [[maybe_unused]] auto i, \
     [[maybe_unused]] auto rows, [[maybe_unused]] auto labels) { return __VA_ARGS__; }
#define ETCH_CALL(KIND, ...) check<every_call::kind::KIND>(#__VA_ARGS__, ETCH_CALLED(__VA_ARGS__));
