// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <doctest/doctest.h>

#include <etch/eager.hpp>
#include <etch/eager/xtensor.hpp>
#include <etch/session/reference.hpp>

#include "every_call/operands.hpp"

/// "Every op and every function of ops gives of eager tensors what the reference gives of the same arrays."
namespace etch::every_op {

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

/// Of operands inside the domain of nearly every op, and where it may be of those beyond.
template <every_call::kind Kind, class F>
void check(const char* text, F f) {
  namespace slots = every_call::slots;
  constexpr auto e = F{}(slots::x, slots::y, slots::b, slots::i, slots::rows, slots::labels);
  for (const bool wild : {false, true}) {
    if (wild && Kind == every_call::kind::finite_gradient) continue;
    CAPTURE(wild);
    const every_call::arrays a = wild ? every_call::wild_arrays() : every_call::tame_arrays(0);
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

}  // namespace etch::every_op
