// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <etch/eager.hpp>

/// Results as data, whatever mode they come from.
namespace etch::modes {

struct outcome {
  dtype type{};
  std::vector<std::int64_t> shape;
  std::vector<double> elements;
};
/// A value, and the gradients that were asked for.
using outcomes = std::vector<outcome>;

template <class R>
outcome outcome_of(const R& r) {
  if constexpr (std::is_arithmetic_v<R>) {
    return {dtype_of<R>, {}, {static_cast<double>(r)}};
  } else if constexpr (std::is_base_of_v<tensor_base, R>) {
    outcome o = {dtype_of<typename R::value_type>, {}, {}};
    for (const std::int64_t extent : r.shape()) o.shape.push_back(extent);
    for (std::int64_t i = 0; i < r.size(); ++i) o.elements.push_back(static_cast<double>(r.data()[i]));
    return o;
  } else {
    outcome o = {dtype_of<typename R::value_type>, {}, {}};
    for (const std::size_t extent : r.shape()) o.shape.push_back(static_cast<std::int64_t>(extent));
    for (const auto e : r) o.elements.push_back(static_cast<double>(e));
    return o;
  }
}

/// 0 where two numbers are the same, NaN and infinities among them, else how far they are apart for their size.
inline double difference(double got, double wanted) {
  if (got == wanted || (std::isnan(got) && std::isnan(wanted))) return 0;
  const double d = std::abs(got - wanted) / (1 + std::abs(wanted));
  return std::isnan(d) ? HUGE_VAL : d;
}

inline void check_outcomes(const outcomes& got, const outcomes& wanted, const std::string& what) {
  REQUIRE(got.size() == wanted.size());
  for (std::size_t r = 0; r < got.size(); ++r) {
    const std::string result = what + (r == 0 ? ", value" : ", gradient " + std::to_string(r));
    CHECK_MESSAGE(got[r].type == wanted[r].type, result << ": dtype");
    CHECK_MESSAGE(got[r].shape == wanted[r].shape, result << ": shape");
    REQUIRE_MESSAGE(got[r].elements.size() == wanted[r].elements.size(), result << ": number of elements");
    for (std::size_t k = 0; k < got[r].elements.size(); ++k) {
      const double a = got[r].elements[k], b = wanted[r].elements[k];
      CHECK_MESSAGE(difference(a, b) <= (r == 0 ? 4e-6 : 3e-5), result << ", element " << k << ": " << a << " for " << b);
    }
  }
}

}  // namespace etch::modes
