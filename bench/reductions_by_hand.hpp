// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

/// What one would write by hand for fixed extents: several accumulators in an array, so that g++ -O3 vectorises without
/// -ffast-math, and an exponential without calls or branches. A maximum here loses NaN, which etch's does not.
namespace by_hand {

inline constexpr int most_accumulators = 64;

template <bool Max>
inline float combine(float a, float b) {
  return Max ? (a < b ? b : a) : a + b;
}
template <bool Max>
inline constexpr float identity = Max ? -__builtin_inff() : 0;

/// The accumulators of `f(0) ... f(N - 1)`, combined in pairs.
template <bool Max, int N, class F>
inline float accumulate(const F& f) {
  constexpr int width = N < most_accumulators ? N : most_accumulators;
  float a[width];
  for (int k = 0; k < width; ++k) a[k] = identity<Max>;
  int i = 0;
  for (; i + width <= N; i += width)
    for (int k = 0; k < width; ++k) a[k] = combine<Max>(a[k], f(i + k));
  for (int k = 0; k < N % width; ++k) a[k] = combine<Max>(a[k], f(i + k));
  if constexpr (width == most_accumulators || width == 8)
    for (int half = width / 2; half > 0; half /= 2)
      for (int k = 0; k < half; ++k) a[k] = combine<Max>(a[k], a[k + half]);
  else
    for (int k = 1; k < width; ++k) a[0] = combine<Max>(a[0], a[k]);
  return a[0];
}

template <int Rows, int Columns, bool Max>
__attribute__((noinline)) void rows(const float* __restrict x, float* __restrict to) {
  for (int i = 0; i < Rows; ++i, x += Columns) to[i] = accumulate<Max, Columns>([=](int j) { return x[j]; });
}

/// Four rows at a time, so that the result is read and written a quarter as often.
template <int Rows, int Columns, bool Max>
__attribute__((noinline)) void columns(const float* __restrict x, float* __restrict to) {
  static_assert(Rows % 4 == 0);
  if constexpr (Columns <= most_accumulators) {
    float a[4][Columns];
    for (int r = 0; r < 4; ++r)
      for (int j = 0; j < Columns; ++j) a[r][j] = identity<Max>;
    for (int i = 0; i < Rows; i += 4)
      for (int r = 0; r < 4; ++r, x += Columns)
        for (int j = 0; j < Columns; ++j) a[r][j] = combine<Max>(a[r][j], x[j]);
    for (int j = 0; j < Columns; ++j) to[j] = combine<Max>(combine<Max>(a[0][j], a[1][j]), combine<Max>(a[2][j], a[3][j]));
  } else {
    for (int j = 0; j < Columns; ++j) to[j] = identity<Max>;
    for (int i = 0; i < Rows; i += 4, x += 4 * Columns)
      for (int j = 0; j < Columns; ++j)
        to[j] = combine<Max>(
            to[j], combine<Max>(combine<Max>(x[j], x[j + Columns]), combine<Max>(x[j + 2 * Columns], x[j + 3 * Columns])));
  }
}

/// exp for x <= 0, to about one unit in the last place.
inline float exponential(float x) {
  x = x < -87.0f ? -87.0f : x;
  const float shifted = x * 0x1.715476p+0f + (0x1.8p23f + 254);
  const float n = shifted - (0x1.8p23f + 254);
  const float r = (x - n * 0x1.62e4p-1f) - n * 0x1.7f7d1cp-20f;
  float p = 0x1.6ac16ep-10f;
  p = p * r + 0x1.122e1ep-7f;
  p = p * r + 0x1.555796p-5f;
  p = p * r + 0x1.5554a8p-3f;
  p = p * r + 0x1.fffffep-2f;
  std::uint32_t bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits - 127) << 23;
  float power;
  std::memcpy(&power, &bits, sizeof power);
  return (r * (r * p + 1) + 1) * power;
}

template <int Rows, int Columns>
__attribute__((noinline)) void softmax(const float* __restrict x, float* __restrict to) {
  for (int i = 0; i < Rows; ++i, x += Columns, to += Columns) {
    const float m = accumulate<true, Columns>([=](int j) { return x[j]; });
    for (int j = 0; j < Columns; ++j) to[j] = exponential(x[j] - m);
    const float scale = 1 / accumulate<false, Columns>([=](int j) { return to[j]; });
    for (int j = 0; j < Columns; ++j) to[j] *= scale;
  }
}

template <int Rows, int Columns>
__attribute__((noinline)) void layer_norm(const float* __restrict x, float* __restrict to) {
  for (int i = 0; i < Rows; ++i, x += Columns, to += Columns) {
    const float mean = accumulate<false, Columns>([=](int j) { return x[j]; }) / Columns;
    const float variance = accumulate<false, Columns>([=](int j) { return (x[j] - mean) * (x[j] - mean); }) / Columns;
    const float scale = 2 / std::sqrt(variance + 1e-5f);
    for (int j = 0; j < Columns; ++j) to[j] = (x[j] - mean) * scale + 0.5f;
  }
}

template <int Rows, int Columns>
__attribute__((noinline)) void logsumexp(const float* __restrict x, float* __restrict to) {
  for (int i = 0; i < Rows; ++i, x += Columns) {
    const float m = accumulate<true, Columns>([=](int j) { return x[j]; });
    to[i] = m + std::log(accumulate<false, Columns>([=](int j) { return exponential(x[j] - m); }));
  }
}

}  // namespace by_hand
