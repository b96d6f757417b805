// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <etch/function.hpp>
#include <etch/tape.hpp>

#include "laws/modes.hpp"

/// "What `where` has not taken contributes 0 to gradients", of one function of a vector in each mode, against what is written down.
namespace laws {

inline xt::xtensor<double, 1> vector_of(const std::vector<double>& elements) {
  xt::xtensor<double, 1> v = xt::xtensor<double, 1>::from_shape({elements.size()});
  std::copy(elements.begin(), elements.end(), v.begin());
  return v;
}

/// The gradient of sum(f(x)) and, where it is given, that of the sum of the gradient.
template <int N, class F>
void check_taken(F, const std::vector<double>& at, const std::vector<double>& first, const std::vector<double>& second,
                 const std::string& what) {
  constexpr etch::placeholder<"x", double, N> x;
  const expected slopes{{N}, first}, bends{{N}, second};
  const xt::xtensor<double, 1> points = vector_of(at);
  constexpr auto slope = etch::gradient(etch::sum(F{}(x)), x);
  constexpr auto bend = etch::gradient(etch::sum(slope), x);
  const double close = 1e-13;
  if (second.empty()) {
    etch::session s(slope);
    check_described(described(s.run(slope, x = points)), slopes, close, what + ", in a session");
    check_described(described(etch::reference::run(slope, x = points)), slopes, close, what + ", by the reference");
  } else {
    etch::session s(slope, bend);
    const auto [once, twice] = s.run(slope, bend, x = points);
    check_described(described(once), slopes, close, what + ", in a session");
    check_described(described(twice), bends, close, what + ", the second in a session");
    check_described(described(etch::reference::run(bend, x = points)), bends, close, what + ", the second by the reference");
  }

  const etch::tensor<double, 1> values(points);
  etch::tape outer, inner(etch::persistent);
  const auto y = F{}(values);
  const auto once = inner.gradient(y, values);
  check_described(described(once), slopes, close, what + ", by a tape");
  check_described(described(inner.gradient(y, values)), slopes, close, what + ", by the same tape again");
  if (!second.empty())
    check_described(described(outer.gradient(once, values)), bends, close, what + ", the second by a tape around a tape");

  constexpr auto signature = etch::input_signature<etch::tensor_spec<double, N>>;
  etch::function inside([](auto v) { return etch::gradient(etch::sum(F{}(v)), v); }, signature);
  check_described(described(inside(values)), slopes, close, what + ", in a function");
  etch::function called(F{}, signature);
  etch::tape around;
  const auto z = called(values);
  check_described(described(around.gradient(z, values)), slopes, close, what + ", by a tape around a function");
}

}  // namespace laws
