// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/bounded.hpp>
#include <etch/backend/cpu/matmul/columnwise.hpp>
#include <etch/backend/cpu/matmul/plain.hpp>

/// The product of matrices whose rows, or what is summed along, are several axes of an array: those of a convolution, whose first
/// operand is windows of an image. Nothing is copied to make matrices of them. And of each column of one operand with the same column of the
/// other: a stack of products with one column, along whose stack both operands lie side by side; those of a convolution with one filter for
/// each channel.
namespace etch::cpu {

/// The elements of T that `grouped_matmul` needs as workspace. is_deep: whether the last stride of a's columns
/// is 1; less is needed then. bounds: along how many axes places may lie outside.
template <class T>
constexpr index grouped_workspace([[maybe_unused]] index m, [[maybe_unused]] index n, [[maybe_unused]] index k,
                                  [[maybe_unused]] bool is_deep, [[maybe_unused]] int bounds) noexcept {
  if constexpr (!matmul_detail::is_vectorised<T>)
    return 0;
  else
    return bounds == 0 ? matmul_detail::indirect_workspace<T>(m, n, k, is_deep)
                       : matmul_detail::bounded_workspace<T>(m, n, k, is_deep, bounds);
}

/// Gives epilogue, as `matmul` does, the sums over p of a[i, p] * b[p, j]. b has one axis of columns.
/// The team's workspaces: grouped_workspace<T>(m, n, k, a.columns.is_contiguous(), 0) elements that overlap no operand.
template <class T, class Epilogue>
void grouped_matmul(const grouped_matrix<T>& a, const grouped_matrix<T>& b, [[maybe_unused]] const product_team<T>& team,
                    const Epilogue& epilogue) noexcept {
  if constexpr (matmul_detail::is_vectorised<T>)
    matmul_detail::indirect(a, b, team, matmul_detail::sink_of<T>(epilogue));
  else
    matmul_detail::plain_product<T>(a.rows.size(), b.columns.size(), b.rows.size(), a, b, epilogue);
}

/// The same where bounds say which a[i, p] lie outside: they are not read, and add nothing.
/// The team's workspaces: grouped_workspace<T>(m, n, k, a.columns.is_contiguous(), bounds.count).
template <class T, class Epilogue>
void bounded_matmul(const grouped_matrix<T>& a, const grouped_matrix<T>& b, const place_bounds& bounds,
                    [[maybe_unused]] const product_team<T>& team, const Epilogue& epilogue) noexcept {
  if constexpr (matmul_detail::is_vectorised<T>)
    matmul_detail::bounded(a, b, bounds, team, matmul_detail::sink_of<T>(epilogue));
  else
    matmul_detail::plain_bounded<false>(a, b, bounds, epilogue);
}

/// The elements of T that `columnwise_product` needs as workspace.
template <class T>
constexpr index columnwise_product_workspace([[maybe_unused]] index m, [[maybe_unused]] index n,
                                             [[maybe_unused]] index k) noexcept {
  if constexpr (matmul_detail::is_vectorised<T>)
    return matmul_detail::columnwise_workspace<T>(m, n, k);
  else
    return 0;
}

/// Gives epilogue, as `matmul` does, the sums over p of a[i, p][j] * b[p][j], where a[i, p] and b[p] are the places of rows of columns: both
/// have their columns side by side in memory. b.columns: one axis, of stride 1. k == 0 gives zeros.
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
