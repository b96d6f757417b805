// SPDX-License-Identifier: MIT
#pragma once

/// 2^Depth x, of sums each of which has the one before twice: what goes along all paths takes 2^Depth steps.
template <int Depth, class X>
constexpr auto doubled(X x) {
  if constexpr (Depth == 0)
    return x;
  else
    return doubled<Depth - 1>(x + x);
}
