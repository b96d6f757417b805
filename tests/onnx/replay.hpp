// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <etch/convolution.hpp>
#include <etch/etch.hpp>

/// What the programs that generate.py writes are made of: arrays from files, and comparison.
namespace onnx {

/// Elements of T, as generate.py has written them.
template <class T, std::size_t N>
xt::xtensor<T, N> read(const char* path, const std::array<std::size_t, N>& shape) {
  xt::xtensor<T, N> x(shape);
  std::FILE* const f = std::fopen(path, "rb");
  REQUIRE(f != nullptr);
  const std::size_t got = std::fread(x.data(), sizeof(T), x.size(), f);
  std::fclose(f);
  REQUIRE(got == x.size());
  return x;
}

/// As near as ONNX's own tests ask: within 1e-7 + 1e-3 of the expected element's size.
template <class Got, class T, std::size_t N>
void check(const Got& got, const xt::xtensor<T, N>& expected) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < N; ++i) CHECK(got.shape()[i] == expected.shape()[i]);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double e = static_cast<double>(expected.data()[i]), g = static_cast<double>(got.data()[i]);
    wrong += std::abs(g - e) <= 1e-7 + 1e-3 * std::abs(e) ? 0 : 1;
  }
  CHECK(wrong == 0);
}

}  // namespace onnx
