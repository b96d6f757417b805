// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/columnwise.hpp>
#include <etch/backend/cpu/matmul/plain.hpp>

/// Products of each column of one operand with the same column of the other: a stack of products with one column, along whose stack
/// both operands have a stride of 1. Those of a depthwise convolution, which has one filter for each channel.
namespace etch::cpu {

/// The elements of T that `columnwise_product` needs as workspace.
template <class T>
constexpr index columnwise_product_workspace([[maybe_unused]] index m, [[maybe_unused]] index n,
                                             [[maybe_unused]] index k) noexcept {
  if constexpr (matmul_detail::is_vectorised<T>)
    return matmul_detail::columnwise_workspace<T>(m, n, k);
  else
    return 0;
}

/// Gives epilogue, as `matmul` does, the sums over p of a[i, p][j] * b[p][j], where a[i, p] and b[p] are the places of rows of
/// columns: both have columns at a stride of 1. b.columns: one axis, of stride 1. k == 0 gives zeros.
/// Where bounds say that a[i, p] lies outside, it is not read, and nothing is added.
/// The team's workspaces: columnwise_product_workspace<T>(m, n, k) elements that overlap no operand.
template <class T, class Epilogue>
void columnwise_product(const grouped_matrix<T>& a, const grouped_matrix<T>& b, const place_bounds& bounds,
                        [[maybe_unused]] const product_team<T>& team, const Epilogue& epilogue) noexcept {
  if constexpr (matmul_detail::is_vectorised<T>)
    matmul_detail::columnwise(a, b, bounds, team, matmul_detail::sink_of<T>(epilogue));
  else
    matmul_detail::plain_bounded<true>(a, b, bounds, epilogue);
}

}  // namespace etch::cpu
