// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <etch/backend/tensor_view.hpp>
#include <etch/core/diagnostics.hpp>

/// Operands and results of kernels that are neither elementwise, reductions nor contractions, and loops over their axes.
/// Operands may lie in memory with any strides; results are contiguous.
namespace etch::cpu {

/// What a draw depends on beside its name.
struct draw_state {
  std::uint64_t seed = 0;
  std::uint64_t run = 0;
};

/// `opaque_kernel<Op>::run<T, Operands...>(views, attributes, draws)`: views[0] is the result, of element type T.
/// Specialised for ops that the library has kernels for; of any other, the op's own `run`.
template <class Op>
struct opaque_kernel {
  template <class T, class... X>
  static void run(const tensor_view* v, const std::int64_t* attributes, const draw_state&) {
    if constexpr (runs_on<Op, T, X...>)
      [&]<std::size_t... K>(std::index_sequence<K...>) {
        Op::run(v[0].as<T>(), v[K + 1].template as<const X>()..., attributes);
      }(std::index_sequence_for<X...>{});
    else
      raise<this_op_needs_run_of_a_strided_result_strided_operands_and_attributes, in_op<Op>, got<T, X...>>();
  }
};

namespace detail {

/// Calls f(offset of a, offset of b) in elements for each index of `extents[0, rank)`; rows of the last axis innermost.
template <class F>
void for_each_pair(int rank, const std::int64_t* extents, const std::int64_t* a, const std::int64_t* b, const F& f) {
  const std::int64_t* const strides[] = {a, b};
  etch::detail::for_each_place(rank, extents, strides, [&](const std::int64_t* at) { f(at[0], at[1]); });
}

}  // namespace detail

}  // namespace etch::cpu
