// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/exponential.hpp>

/// Hyperbolic functions and their inverses, and the other S-shaped functions.
namespace etch {

struct cosh;

/// (exp(x) - exp(-x)) / 2.
ETCH_FLOATING_UNARY(sinh, 20, (r.dy * emit<struct cosh>(words(), r.x[0])))

/// (exp(x) + exp(-x)) / 2.
ETCH_FLOATING_UNARY(cosh, 20, (r.dy * sinh(r.x[0])))

/// The number whose sinh is x. Its gradient is 1 / hypot(x, 1), for x * x may overflow.
ETCH_FLOATING_UNARY(asinh, 25, (r.dy / hypot(r.x[0], 1_c)))

/// The number from 0 on whose cosh is x; NaN for x < 1. The gradient at 1 is inf.
ETCH_FLOATING_UNARY(acosh, 25, (r.dy * rsqrt(r.x[0] - 1_c) * rsqrt(r.x[0] + 1_c)))

/// The number whose tanh is x: atanh(1) = inf, NaN for |x| > 1. The gradient at -1 and 1 is inf.
ETCH_FLOATING_UNARY(atanh, 25, (r.dy / ((1_c - r.x[0]) * (1_c + r.x[0]))))

/// The hyperbolic tangent: -1 to 1.
ETCH_FLOATING_UNARY(tanh, 15, (r.dy * (1_c - r.y * r.y)))

/// 1 / (1 + exp(-x)): 0 to 1, without overflow for large |x|.
ETCH_FLOATING_UNARY(sigmoid, 12, (r.dy * r.y * (1_c - r.y)))

/// The error function, 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x.
ETCH_FLOATING_UNARY(erf, 20, (1.1283791670955126_c * r.dy * exp(-(r.x[0] * r.x[0]))))

}  // namespace etch
