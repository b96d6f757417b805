// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace etch::summary::detail {

/// How many of some values lie in each of several buckets, which are equally wide. Those that are not finite are left out.
struct histogram {
  double least = 0, greatest = 0, count = 0, sum = 0, sum_of_squares = 0;
  std::vector<double> limits;  ///< right edges
  std::vector<double> counts;  ///< without any value, none; one where all values are the same

  template <class Values>
  histogram(const Values& values, int buckets) {
    for (const auto& value : values) {
      const auto v = static_cast<double>(value);
      if (!std::isfinite(v)) continue;
      least = count == 0 ? v : std::min(least, v);
      greatest = count == 0 ? v : std::max(greatest, v);
      count += 1;
      sum += v;
      sum_of_squares += v * v;
    }
    if (count == 0) return;
    // The difference of two doubles may be beyond them, that of their halves is not.
    const double scale = std::isfinite(greatest - least) ? 1 : 0.5, begin = least * scale;
    const double width = (greatest * scale - begin) / buckets;
    const int used = width > 0 ? buckets : 1;
    for (int k = 1; k <= used; ++k) limits.push_back(std::lerp(least, greatest, static_cast<double>(k) / used));
    counts.resize(limits.size());
    for (const auto& value : values) {
      const auto v = static_cast<double>(value);
      if (!std::isfinite(v)) continue;
      const double at = used == 1 ? 0 : (v * scale - begin) / width;
      counts[static_cast<std::size_t>(std::min(at, static_cast<double>(used - 1)))] += 1;
    }
  }
};

}  // namespace etch::summary::detail
