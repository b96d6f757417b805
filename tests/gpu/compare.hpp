// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>
#include <xtensor/xtensor.hpp>

#include <etch/gpu.hpp>
#ifdef __CUDACC__
#include "reference/run.hpp"
#else
#include <etch/session.hpp>
#endif

/// What the tests of the GPU backend share: operands, and the comparison with another backend.
namespace gpu_tests {

/// An array of numbers in [-2, 2] that repeat after no small count.
template <class T, class... Extents>
auto numbers(Extents... extents) {
  auto a = xt::xtensor<T, sizeof...(Extents)>::from_shape({static_cast<std::size_t>(extents)...});
  std::uint32_t state = 12345;
  for (T& v : a) {
    state = state * 1664525u + 1013904223u;
    const auto step = static_cast<int>(state >> 16 & 1023) - 512;
    v = std::is_floating_point_v<T> ? static_cast<T>(step) / T(256) : static_cast<T>(step / 64);
  }
  return a;
}

/// The largest |got - expected| / max(1, |expected|); infinite where shapes differ, or one of the two is NaN or infinite
/// and the other is not the same.
template <class T, std::size_t N>
double largest_error(const xt::xtensor<T, N>& got, const xt::xtensor<T, N>& expected) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (got.shape() != expected.shape()) return infinite;
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto a = static_cast<double>(got.data()[i]), b = static_cast<double>(expected.data()[i]);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    const double error = std::fabs(a - b) / std::fmax(1.0, std::fabs(b));
    worst = error <= infinite ? std::fmax(worst, error) : infinite;
  }
  return worst;
}
template <class T>
  requires std::is_arithmetic_v<T>
double largest_error(T got, T expected) {
  return largest_error(xt::xtensor<T, 1>{got}, xt::xtensor<T, 1>{expected});
}

/// What the CPU gives for one fetch. nvcc cannot compile the CPU's vectors; there, what the reference backend gives.
template <class E, class... Feeds>
auto expected(E fetch, Feeds&&... feeds) {
#ifdef __CUDACC__
  return etch::reference::run(fetch, std::move(feeds)...);
#else
  etch::session session(fetch);
  return session.run(fetch, std::move(feeds)...);
#endif
}

/// The largest error of the GPU's result. A run reads its feeds and leaves them as they are, so that both can have them.
template <class E, class... Feeds>
double error_of(E fetch, Feeds&&... feeds) {
  etch::gpu::session session(fetch);
  return largest_error(session.run(fetch, std::move(feeds)...), expected(fetch, std::move(feeds)...));
}

}  // namespace gpu_tests
