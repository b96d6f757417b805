// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <vector>

#include "compare.hpp"

/// "The gradient is what central differences say", in float64. With steps of 1e-5 the differences are within about
/// 1e-10 of the derivative where the function is smooth and its derivatives are near 1; 1e-7 leaves room for larger
/// ones and finds every wrong factor.
namespace laws {

inline constexpr double step = 1e-5;
inline constexpr double tolerance = 1e-7;

template <class R>
std::vector<double> elements(const R& r) {
  if constexpr (std::is_arithmetic_v<R>)
    return {static_cast<double>(r)};
  else
    return std::vector<double>(r.begin(), r.end());
}

/// Where losses and gradients are computed. What the CPU compiles to kernels of its own is `on_cpu`, which is compared
/// with the reference as well; rules that give graphs like those are checked on the reference alone, which compiles
/// faster.
enum class where { on_cpu, on_reference };

/// The gradients of some losses with respect to some slots, against differences. Each loss is a scalar that depends on
/// each slot.
template <where Where = where::on_cpu, class... Loss, class... Slot, class... Value, class... Fixed>
void check_gradients(const std::string& what, std::tuple<Loss...>, std::tuple<Slot...>, std::tuple<Value...> values,
                     const Fixed&... fixed) {
  constexpr std::size_t losses = sizeof...(Loss), slots = sizeof...(Slot);
  const auto gradients_of = [](auto loss) { return std::tuple(etch::gradient(loss, Slot{})...); };
  std::apply(
      [&](auto... e) {
        const auto by_reference = [&] {
          return std::apply([&](const auto&... v) { return etch::reference::run(e..., (Slot{} = v)..., fixed...); }, values);
        };
        const auto evaluate = [&] {
          if constexpr (Where == where::on_cpu) {
            static etch::session s(e...);
            return std::apply([&](const auto&... v) { return s.run(e..., (Slot{} = v)..., fixed...); }, values);
          } else {
            return by_reference();
          }
        };
        const auto flat = [](const auto& results) {
          return std::apply([](const auto&... r) { return std::vector<std::vector<double>>{elements(r)...}; }, results);
        };
        const auto at = flat(evaluate());
        const auto expected = Where == where::on_cpu ? flat(by_reference()) : at;
        for (std::size_t r = 0; r < at.size(); ++r)
          for (std::size_t i = 0; i < at[r].size(); ++i) {
            const bool agrees = std::abs(at[r][i] - expected[r][i]) <= 1e-11 * (1 + std::abs(expected[r][i]));
            check_that(agrees, what + ", result " + std::to_string(r) + ", element " + std::to_string(i) + ": " +
                                   std::to_string(at[r][i]) + " for the reference's " + std::to_string(expected[r][i]));
          }
        const auto vary = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
          auto& value = std::get<J>(values);
          for (std::size_t i = 0; i < value.size(); ++i) {
            double& x = value.data()[i];
            const double before = x;
            x = before + step;
            const auto above = flat(evaluate());
            x = before - step;
            const auto below = flat(evaluate());
            x = before;
            for (std::size_t l = 0; l < losses; ++l) {
              const double difference = (above[l][0] - below[l][0]) / (2 * step);
              const double gradient = at[losses + l * slots + J][i];
              const bool agrees = std::abs(gradient - difference) <= tolerance * (1 + std::abs(difference));
              check_that(agrees, what + ", loss " + std::to_string(l) + ", slot " + std::to_string(J) + ", element " +
                                     std::to_string(i) + ": " + std::to_string(gradient) + " for " + std::to_string(difference));
            }
          }
        };
        [&]<std::size_t... J>(std::index_sequence<J...>) {
          (vary(std::integral_constant<std::size_t, J>{}), ...);
        }(std::make_index_sequence<slots>{});
      },
      std::tuple_cat(std::tuple(Loss{}...), gradients_of(Loss{})...));
}

/// Numbers in (low, high).
template <class... Extents>
auto numbers_between(double low, double high, unsigned seed, Extents... extents) {
  std::mt19937 generator(seed);
  auto x = random_array<double>(generator, extents...);
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = low + (high - low) * (x.data()[i] + 4) / 8;
  return x;
}

/// A scalar whose derivative by each element of y is another number, so that gradients at the wrong place are seen.
template <class Y>
constexpr auto weighted(Y y) {
  using namespace etch::literals;
  return etch::sum(y * (y + 1_c));
}

}  // namespace laws
