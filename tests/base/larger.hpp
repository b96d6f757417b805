// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

/// The larger one of two errors; NaN where either is, which std::max passes over.
template <class T>
T larger_or_nan(T a, T b) {
  return std::isnan(a) || a > b ? a : b;
}
