// SPDX-License-Identifier: MIT
#pragma once
/// Eigen, where it is there, with exp and tanh.
#if defined(ETCH_BENCH_EIGEN)
// Of g++ 12's own intrinsics for AVX-512.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <Eigen/Dense>
#endif
