// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <etch/schedule/plan.hpp>

/// Kernels as types, which say all that backends compile them from.
namespace etch {

/// A kernel: its key, its program and the types that belong to the key. It is made of values, not of a plan, so that no backend can ask
/// the plan that it was found in for more: another step that shares the kernel may differ in all else.
template <kernel_key Key, class Program, dtype... Types>
struct kernel_type {
  static constexpr kernel_key key = Key;
  using program = Program;
  static constexpr dtype types[sizeof...(Types) + 1] = {Types..., dtype::none};
};

namespace detail {
template <class Plan, int K, int... W, int... A>
constexpr auto make_kernel(std::integer_sequence<int, W...>, std::integer_sequence<int, A...>) {
  constexpr int step = Plan::value.kernels[K].first_step;
  constexpr int word = Plan::value.steps[step].first_word, access = Plan::value.steps[step].first_access;
  return kernel_type<Plan::value.kernels[K].key, program<Plan::value.program_words[word + W]...>,
                     Plan::value.accesses[access + A].type...>{};
}
}  // namespace detail

/// Kernel K of a plan.
template <class Plan, int K>
using kernel_at =
    decltype(detail::make_kernel<Plan, K>(std::make_integer_sequence<int, Plan::value.kernels[K].key.word_count>{},
                                          std::make_integer_sequence<int, Plan::value.kernels[K].key.typed_accesses>{}));

}  // namespace etch
