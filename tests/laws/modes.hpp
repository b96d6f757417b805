// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include <etch/eager.hpp>
#include <etch/eager/xtensor.hpp>

#include "compare.hpp"

/// "In a session, by the reference and at once a function gives what is written down."
namespace laws {

/// A result written down: its extents and its elements in row-major order.
struct expected {
  std::vector<std::size_t> shape;
  std::vector<double> elements;
};

template <class R>
expected described(const R& r) {
  if constexpr (std::is_arithmetic_v<R>) {
    return {{}, {static_cast<double>(r)}};
  } else if constexpr (std::is_base_of_v<etch::tensor_base, R>) {
    return described(r.array());
  } else {
    return {{r.shape().begin(), r.shape().end()}, std::vector<double>(r.begin(), r.end())};
  }
}

/// Whether the two have one shape, and elements that are the same but for `relative` of their size; NaN is NaN.
inline void check_described(const expected& got, const expected& wanted, double relative, const std::string& what) {
  check_that(got.shape == wanted.shape, what + ": the shape");
  check_that(got.elements.size() == wanted.elements.size(), what + ": as many elements");
  for (std::size_t i = 0; i < got.elements.size() && i < wanted.elements.size(); ++i) {
    const double a = got.elements[i], b = wanted.elements[i];
    const bool same = a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= relative * (1 + std::abs(b));
    check_that(same, what + ", element " + std::to_string(i) + ": " + std::to_string(a) + " for " + std::to_string(b));
  }
}

/// f of one array, in the place of `slot` or at once.
template <class F, class Slot, class T, std::size_t N>
void check_modes(F, Slot slot, const xt::xtensor<T, N>& at, const expected& wanted, const char* what, double relative = 0) {
  constexpr auto y = F{}(Slot{});
  etch::session s(y);
  check_described(described(s.run(y, slot = at)), wanted, relative, std::string(what) + " in a session");
  check_described(described(etch::reference::run(y, slot = at)), wanted, relative, std::string(what) + " by the reference");
  check_described(described(F{}(etch::tensor<T, static_cast<int>(N)>(at))), wanted, relative, std::string(what) + " at once");
}
/// In a session and by the reference only.
template <class F, class Slot, class T, std::size_t N>
void check_graph_modes(F, Slot slot, const xt::xtensor<T, N>& at, const expected& wanted, const char* what, double relative = 0) {
  constexpr auto y = F{}(Slot{});
  etch::session s(y);
  check_described(described(s.run(y, slot = at)), wanted, relative, std::string(what) + " in a session");
  check_described(described(etch::reference::run(y, slot = at)), wanted, relative, std::string(what) + " by the reference");
}

}  // namespace laws
