// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

/// Learns which points of a square lie within a circle. A class like any other: whoever includes this compiles nothing of etch.
/// Points are pairs of coordinates; `batch` of them are given at once, one after another.
class circle_model {
 public:
  static constexpr std::size_t batch = 64;

  explicit circle_model(std::uint64_t seed);
  ~circle_model();
  circle_model(circle_model&&) noexcept;
  circle_model& operator=(circle_model&&) noexcept;

  /// One step of training; `inside` is 1 for points within the circle, else 0. Gives the loss before it.
  float train(const float* points, const float* inside);
  /// The probability that each point lies within the circle; the next call writes them anew.
  std::span<const float> predict(const float* points);

 private:
  struct steps;
  std::unique_ptr<steps> steps_;
};
