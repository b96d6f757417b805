// SPDX-License-Identifier: MIT
#pragma once
/// Compiler differences and the version of etch. The only header that asks which compiler this is.

#define ETCH_VERSION_MAJOR 0
#define ETCH_VERSION_MINOR 1
#define ETCH_VERSION_PATCH 0

// Given these flags, compilers take it that no number is NaN or infinite: `isnan` is false of NaN, a maximum loses it, 0 * x is 0,
// and some root of 1 is 0.99999994. clang says nothing of the last two.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0) || defined(__NO_SIGNED_ZEROS__) || \
    defined(__ASSOCIATIVE_MATH__)
#error etch computes with NaN, infinities and signed zeros: compile without -ffast-math, -Ofast, -ffinite-math-only, -fno-signed-zeros, -fassociative-math
#endif

/// DEVICE is for what runs the ops of a program: nvcc refuses an op there that is the host's only, and of a function of both warns, and leaves
/// its call out.
#if defined(__CUDACC__)
#define ETCH_HOST_DEVICE __host__ __device__
#define ETCH_DEVICE __device__
#else
#define ETCH_HOST_DEVICE
#define ETCH_DEVICE
#endif

namespace etch {
/// Whether this is compiled for the host. nvcc compiles all functions for the device as well, and there what a kernel calls with
/// vectors is an error, in functions that both have: so the bodies of the CPU's kernels are for the host only.
#if defined(__CUDA_ARCH__)
inline constexpr bool is_host_pass = false;
#else
inline constexpr bool is_host_pass = true;
#endif
}  // namespace etch

/// Always inlined: the body of a kernel disappears into the loop that runs it. Not without optimisation, where it would only
/// make functions larger (a training step with g++ 12 -O0 -g: 5.7 s and 644 MB instead of 4.7 s and 512 MB) and hide them
/// from debuggers. INLINED is for lambdas.
#ifdef __OPTIMIZE__
#define ETCH_INLINED __attribute__((always_inline))
#else
#define ETCH_INLINED
#endif
#define ETCH_INLINE inline ETCH_INLINED

/// A kernel's function is flattened: all that it calls becomes part of it. Its parts are not always_inline for g++, which optimises
/// a function first and then, all over again, each into which it is inlined: twelve of them that call one another compile the body
/// of a softmax twelve times. clang flattens calls of the function itself only, and inlines before it optimises.
/// PARTED is for lambdas.
#if defined(__clang__) || !defined(__OPTIMIZE__)
#define ETCH_PARTED ETCH_INLINED
#define ETCH_KERNEL ETCH_NOINLINE
#else
#define ETCH_PARTED
#define ETCH_KERNEL ETCH_NOINLINE __attribute__((flatten))
#endif
#define ETCH_PART inline ETCH_PARTED

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
