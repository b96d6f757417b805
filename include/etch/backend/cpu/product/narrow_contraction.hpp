// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/product/contraction.hpp>
#include <etch/backend/cpu/matmul/pair_dot.hpp>
#include <etch/backend/cpu/product/narrow_matmul.hpp>

/// Matrix products whose operands are narrower than their sums, with an epilogue.
namespace etch::cpu {

namespace detail {

/// How products of such operands and their sums are made.
template <class Left, class Right, class Sum>
struct dot_of;
template <class Left, class Right>
  requires(sizeof(Left) == 1 && sizeof(Right) == 1)
struct dot_of<Left, Right, std::int32_t> {
  using type = matmul_detail::byte_dot<Left, Right>;
};
template <>
struct dot_of<bfloat16, bfloat16, float> {
  using type = matmul_detail::pair_dot;
};

}  // namespace detail

/// Left, Right, T: the types of elements in memory, and of sums.
template <class P, product_shape Shape, class Left, class Right, class T>
struct narrow_contraction_kernel {
  static_assert(decoded<P>::at(0).code == opcode::accumulator && Shape.inner == 1 && Shape.bounded == 0);
  static constexpr int slots = P::slots() < 2 ? 2 : P::slots();
  using loops = nest<Shape.rank(), slots>;

  ETCH_KERNEL static void run(const loops& n, const product_team<T>& team) noexcept {
    if constexpr (is_host_pass) {
      using dot = typename detail::dot_of<Left, Right, T>::type;
      for_each_matrix<P, Shape, slots>(n, [&](const auto& epilogue, const char* a, const char* b) {
        constexpr int inner = Shape.first_inner(), column = Shape.column();
        grouped_matrix<Left> left{reinterpret_cast<const Left*>(a), {}, {}};
        for (int d = Shape.stack; d <= Shape.last_row(); ++d) left.rows.add(n.extents[d], n.stride[0][d] / size_of<Left>);
        left.columns.add(n.extents[inner], n.stride[0][inner] / size_of<Left>);
        const matrix<Right> right{reinterpret_cast<const Right*>(b), n.stride[1][inner] / size_of<Right>,
                                  n.stride[1][column] / size_of<Right>};
        narrow_matmul<dot>(left.rows.size(), n.extents[column], n.extents[inner], left, right, team, epilogue);
      });
    }
  }

 private:
  template <class M>
  static constexpr index size_of = sizeof(M);
};

}  // namespace etch::cpu
