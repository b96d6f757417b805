// SPDX-License-Identifier: MIT
#pragma once
#include <numbers>

#include <etch/losses/loss.hpp>

/// Losses of numbers: the mean of a value for each element of a sample. All are Keras's.
namespace etch::losses {

/// (y - t)^2.
inline constexpr of_output mean_squared_error([](auto y, auto t) { return square(y - t); });

/// |y - t|.
inline constexpr of_output mean_absolute_error([](auto y, auto t) { return abs(y - t); });

/// 100 |y - t| / max(|t|, 1e-7).
inline constexpr of_output mean_absolute_percentage_error([](auto y, auto t) {
  return 100_c * abs((t - y) / maximum(abs(t), 1e-7_c));
});

/// (log(1 + y) - log(1 + t))^2, of numbers that are at least 1e-7, or are taken for it.
inline constexpr of_output mean_squared_logarithmic_error([](auto y, auto t) {
  return square(log(maximum(y, 1e-7_c) + 1_c) - log(maximum(t, 1e-7_c) + 1_c));
});

/// log(cosh(y - t)), in a form that does not overflow.
inline constexpr of_output log_cosh([](auto y, auto t) {
  const auto d = y - t;
  return d + softplus(-2_c * d) - literal<std::numbers::ln2>;
});

/// y - t log(y + 1e-7), of rates y.
inline constexpr of_output poisson([](auto y, auto t) { return y - t * log(y + 1e-7_c); });

/// -sum(y t) / (|y| |t|) along the last axis: -1 where both point the same way. The norms are at least 1e-7.
inline constexpr of_output cosine_similarity([](auto y, auto t) {
  const auto unit = [](auto x) { return x / maximum(norm(x, axis<-1>, keep_dims), 1e-7_c); };
  return -sum(unit(y) * unit(t), axis<-1>);
});

/// d^2 / 2 where |d| <= delta, delta (|d| - delta / 2) elsewhere, d being y - t: `losses::huber()`, `losses::huber(0.5_c)`.
template <class Delta = decltype(1_c)>
constexpr auto huber(Delta = {}) {
  return of_output([](auto y, auto t) {
    const auto d = y - t;
    const auto near = clip(d, -Delta{}, Delta{});
    return near * (d - near * 0.5_c);
  });
}

}  // namespace etch::losses
