// SPDX-License-Identifier: MIT
#pragma once
#include <etch/etch.hpp>

/// etch.hpp as `etch_precompile_headers` of CMake precompiles it: what is the same for all plans (memory for runs, large matrix
/// products) is not compiled with each file that includes this, but in one of the target's files of its own, which defines
/// ETCH_SHARED_CODE. A training step (examples/05_training.cpp, g++ 12 -O0, medians of 7) takes 3.9 s instead of 4.5 by that.
#ifdef ETCH_SHARED_CODE
#define ETCH_SHARED template
#else
#define ETCH_SHARED extern template
#endif

namespace etch {

ETCH_SHARED class plan_memory<host_memory>;
ETCH_SHARED class session_state<host_memory>;
ETCH_SHARED struct variable_store<host_memory>;

#if defined(__SSE2__) || defined(__aarch64__)
namespace cpu::matmul_detail {
#define ETCH_SHARED_PRODUCTS(T)                                                                                               \
  ETCH_SHARED void unblocked<T>(index, index, index, const matrix<T>&, const matrix<T>&, const sink<T>&, executor*) noexcept; \
  ETCH_SHARED void blocked<multiply_add, T>(index, index, index, const matrix<T>&, const matrix<T>&, const product_team<T>&,  \
                                            const sink<T>&, const packed_operands<T>&) noexcept;                              \
  ETCH_SHARED void dots_between<T>(product_shares::range, product_shares::range, index, const matrix<T>&, const matrix<T>&,   \
                                   const sink<T>&) noexcept;                                                                  \
  ETCH_SHARED void one_row_between<T>(index, index, index, const matrix<T>&, const matrix<T>&, const sink<T>&) noexcept;
ETCH_SHARED_PRODUCTS(float)
ETCH_SHARED_PRODUCTS(double)
#undef ETCH_SHARED_PRODUCTS
}  // namespace cpu::matmul_detail
#endif

}  // namespace etch
#undef ETCH_SHARED
