// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <doctest/doctest.h>

#include <etch/eager.hpp>
#include <etch/eager/xtensor.hpp>
#include <etch/etch.hpp>
#include <etch/session/reference.hpp>

/// "Every op and every function of ops gives of eager tensors what the reference gives of the same arrays."
namespace etch::every_op {

namespace slots {
constexpr placeholder<"x", float, 4, 6> x;
constexpr placeholder<"y", float, 4, 6> y;
constexpr placeholder<"b", bool, 4, 6> b;
constexpr placeholder<"i", std::int32_t, 4, 6> i;
constexpr placeholder<"rows", std::int32_t, 3> rows;
constexpr placeholder<"labels", std::int32_t, 4> labels;
}  // namespace slots

/// Operands, the first time inside the domain of nearly every op, the second time everywhere and beyond.
struct arrays {
  xt::xtensor<float, 2> x, y;
  xt::xtensor<bool, 2> b;
  xt::xtensor<std::int32_t, 2> i;
  xt::xtensor<std::int32_t, 1> rows, labels;

  explicit arrays(bool wild)
      : x(xt::xtensor<float, 2>::from_shape({4, 6})), y(x), b(xt::xtensor<bool, 2>::from_shape({4, 6})),
        i(xt::xtensor<std::int32_t, 2>::from_shape({4, 6})), rows{2, 0, 3}, labels{1, 5, 0, 2} {
    for (std::size_t k = 0; k < x.size(); ++k) {
      x.data()[k] = 0.1f + 0.8f * static_cast<float>(k * 37 % 101) / 101.f;
      y.data()[k] = 0.1f + 0.8f * static_cast<float>(k * 59 % 101) / 101.f;
      b.data()[k] = k * 7 % 5 < 2;
      i.data()[k] = static_cast<std::int32_t>(k * 5 % 4);
    }
    if (!wild) return;
    const float nan = std::numeric_limits<float>::quiet_NaN(), far = std::numeric_limits<float>::infinity();
    const float special[] = {nan, far, -far, 0.f, -0.f, -2.5f, 1e30f, -1e-30f};
    for (std::size_t k = 0; k < 8; ++k) x.data()[3 * k] = special[k];
    for (std::size_t k = 0; k < 8; ++k) y.data()[3 * k + 1] = special[7 - k];
  }
};

template <class T>
bool are_alike(T got, T wanted) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(wanted) || std::isinf(wanted)) return std::isnan(wanted) ? std::isnan(got) : got == wanted;
    return std::abs(got - wanted) <= T(4e-6) * (1 + std::abs(wanted));
  } else {
    return got == wanted;
  }
}

template <class Tensor, class Result>
void compare(const Tensor& got, const Result& wanted, const char* text) {
  const std::string of = text;
  CAPTURE(of);
  if constexpr (std::is_arithmetic_v<Result>) {
    CHECK(std::is_same_v<typename Tensor::value_type, Result>);
    CHECK(are_alike(got.item(), wanted));
  } else {
    CHECK(std::is_same_v<typename Tensor::value_type, typename Result::value_type>);
    const auto array = got.array();
    REQUIRE(std::equal(array.shape().begin(), array.shape().end(), wanted.shape().begin(), wanted.shape().end()));
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      CAPTURE(k);
      CAPTURE(got.data()[k]);
      CAPTURE(wanted.data()[k]);
      CHECK(are_alike(got.data()[k], wanted.data()[k]));
    }
  }
}

template <class F>
void check(const char* text, F f, bool wild_too = true) {
  constexpr auto e = F{}(slots::x, slots::y, slots::b, slots::i, slots::rows, slots::labels);
  for (const bool wild : {false, true}) {
    if (wild && !wild_too) continue;
    CAPTURE(wild);
    const arrays a(wild);
    const tensor<float, 2> tx = a.x, ty = a.y;
    const tensor<bool, 2> tb = a.b;
    const tensor<std::int32_t, 2> ti = a.i;
    const tensor<std::int32_t, 1> tr = a.rows, tl = a.labels;
    compare(f(tx, ty, tb, ti, tr, tl),
            reference::run(e, slots::x = a.x, slots::y = a.y, slots::b = a.b, slots::i = a.i, slots::rows = a.rows,
                           slots::labels = a.labels),
            text);
  }
}

#define ETCH_FUNCTION(...)                                                                               \
  []([[maybe_unused]] auto x, [[maybe_unused]] auto y, [[maybe_unused]] auto b, [[maybe_unused]] auto i, \
     [[maybe_unused]] auto rows, [[maybe_unused]] auto labels) { return __VA_ARGS__; }
#define ETCH_CHECK(...) check(#__VA_ARGS__, ETCH_FUNCTION(__VA_ARGS__))
#define ETCH_CHECK_FINITE(...) check(#__VA_ARGS__, ETCH_FUNCTION(__VA_ARGS__), false)

}  // namespace etch::every_op
