// SPDX-License-Identifier: MIT
#pragma once

/// Mathematical functions of doubles that a C++20 compiler evaluates: what constants are folded with. Everything is
/// built from + - * / and the bits of the numbers, for C++20 has no constexpr <cmath>. A call takes some hundreds of
/// steps of the evaluator. Results are within 0.501 ulp, for the roundings of a `pair` of doubles are far smaller than
/// that of the result; those of erf are within 0.56, and rsqrt and sigmoid round intermediate results as well. A device
/// never runs these: they are marked for it because code that it does run names them in its constant branch.

#include <etch/base/constant_math/bits.hpp>
#include <etch/base/constant_math/error_function.hpp>
#include <etch/base/constant_math/exponential.hpp>
#include <etch/base/constant_math/hyperbolic.hpp>
#include <etch/base/constant_math/inverse_trigonometric.hpp>
#include <etch/base/constant_math/pair.hpp>
#include <etch/base/constant_math/roots.hpp>
#include <etch/base/constant_math/rounding.hpp>
#include <etch/base/constant_math/trigonometric.hpp>
