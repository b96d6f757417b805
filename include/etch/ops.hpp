// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/scope.hpp>
#include <etch/ops/argmax.hpp>
#include <etch/ops/arithmetic.hpp>
#include <etch/ops/attention.hpp>
#include <etch/ops/axes.hpp>
#include <etch/ops/axis_indexing.hpp>
#include <etch/ops/bitwise.hpp>
#include <etch/ops/comparison.hpp>
#include <etch/ops/composite.hpp>
#include <etch/ops/contraction.hpp>
#include <etch/ops/conversion.hpp>
#include <etch/ops/cumulative.hpp>
#include <etch/ops/effects.hpp>
#include <etch/ops/einsum.hpp>
#include <etch/ops/exponential.hpp>
#include <etch/ops/filling.hpp>
#include <etch/ops/hyperbolic.hpp>
#include <etch/ops/indexing.hpp>
#include <etch/ops/joining.hpp>
#include <etch/ops/logcumsumexp.hpp>
#include <etch/ops/mean.hpp>
#include <etch/ops/nd_indexing.hpp>
#include <etch/ops/norm.hpp>
#include <etch/ops/padding.hpp>
#include <etch/ops/random.hpp>
#include <etch/ops/reduction.hpp>
#include <etch/ops/refused_call.hpp>
#include <etch/ops/repetition.hpp>
#include <etch/ops/rounding.hpp>
#include <etch/ops/sorting.hpp>
#include <etch/ops/triangle.hpp>
#include <etch/ops/trigonometric.hpp>

/// All ops, and lists of them from which the laws of the tests, the table in the docs and the benchmarks are made.
namespace etch {

template <class... Ops>
struct op_list {};

using elementwise_ops =
    op_list<struct add, struct subtract, struct multiply, struct divide, struct negative, struct floor_divide, struct remainder,
            struct pow, struct maximum, struct minimum, struct equal, struct not_equal, struct less, struct less_equal,
            struct greater, struct greater_equal, struct isfinite, struct isinf, struct logical_and, struct logical_or,
            struct logical_xor, struct logical_not, struct bitwise_and, struct bitwise_or, struct bitwise_xor, struct bitwise_not,
            struct left_shift, struct right_shift, struct where, struct abs, struct sign, struct floor, struct ceil, struct round,
            struct trunc, struct exp, struct exp2, struct expm1, struct log, struct log2, struct log10, struct log1p, struct sqrt,
            struct rsqrt, struct cbrt, struct hypot, struct sin, struct cos, struct tan, struct asin, struct acos, struct atan,
            struct atan2, struct sinh, struct cosh, struct tanh, struct asinh, struct acosh, struct atanh, struct sigmoid,
            struct erf, struct stop_gradient, cast>;

using reduction_ops = op_list<struct sum, struct prod, struct max, struct min, struct reduce_any, struct reduce_all>;

using movement_ops = op_list<struct reshape, struct broadcast_to, struct transpose, struct slice>;

using other_ops = op_list<struct pad, struct concat, struct matmul, struct gather, struct scatter_add, struct take_along_axis,
                          struct add_along_axis, nd_gather, nd_scatter, struct argmax, struct argmin, struct sort, struct argsort,
                          struct cumsum, struct cumprod, struct logcumsumexp, struct linear_recurrence, cyclic_shift, iota,
                          struct constant, uniform_draw, normal_draw, size_of, struct assign, struct group, struct after>;

}  // namespace etch
