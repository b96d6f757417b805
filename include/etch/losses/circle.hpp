// SPDX-License-Identifier: MIT
#pragma once
#include <etch/losses/loss.hpp>

/// A loss of embeddings.
namespace etch::losses {

/// For each sample softplus(logsumexp over those of its label of gamma a (d - m) + logsumexp over the others of gamma b (1 - m - d)), d being the cosine
/// distance, a = m + d, b = 1 + m - d, m the margin (Sun et al. 2020): Keras's `Circle`. Of embeddings (samples, width) of length 1 and int32 labels. A
/// sample that has none of its label, or no other, counts as 0; Keras leaves samples of 0 out of its mean.
template <class Gamma = decltype(80_c), class Margin = decltype(0.4_c)>
constexpr auto circle(Gamma = {}, Margin = {}) {
  const auto loss = [](auto y, auto labels) {
    const auto distance = maximum(1_c - matmul(y, transpose(y)), 0_c);
    const auto same = expand_dims(labels, axis<-1>) == expand_dims(labels, axis<0>);
    const auto number = etch::detail::numbers_along<std::int32_t, 0>(distance);
    const auto itself = expand_dims(number, axis<-1>) == expand_dims(number, axis<0>);
    const auto impossible = literal<-std::numeric_limits<double>::infinity()>;
    const auto near = Gamma{} * (Margin{} + distance) * (distance - Margin{});
    const auto far = Gamma{} * maximum(1_c + Margin{} - distance, 0_c) * (1_c - Margin{} - distance);
    return softplus(logsumexp(where(logical_and(same, logical_not(itself)), near, impossible), axis<-1>) +
                    logsumexp(where(same, impossible, far), axis<-1>));
  };
  return of_labels<std::remove_const_t<decltype(loss)>, false>(loss);
}

}  // namespace etch::losses
