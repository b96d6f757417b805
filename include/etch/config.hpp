// SPDX-License-Identifier: MIT
#pragma once
/// Compiler differences and the version of etch. The only header that asks which compiler this is.

#define ETCH_VERSION_MAJOR 0
#define ETCH_VERSION_MINOR 1
#define ETCH_VERSION_PATCH 0

#if defined(__CUDACC__)
#define ETCH_HOST_DEVICE __host__ __device__
#else
#define ETCH_HOST_DEVICE
#endif

/// Always inlined: the body of a kernel disappears into the loop that runs it.
#define ETCH_INLINE inline __attribute__((always_inline))

/// Never inlined: one copy of a large kernel serves every plan that has it.
#define ETCH_NOINLINE __attribute__((noinline))

/// Before a loop that must be unrolled, for g++ and clang; nvcc's front end does not know the pragma.
#if defined(__CUDACC__)
#define ETCH_UNROLL(COUNT)
#else
#define ETCH_PRAGMA(TEXT) _Pragma(#TEXT)
#define ETCH_UNROLL(COUNT) ETCH_PRAGMA(GCC unroll COUNT)
#endif

#define ETCH_RESTRICT __restrict__
