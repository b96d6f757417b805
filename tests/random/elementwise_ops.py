# SPDX-License-Identifier: MIT
"""Elementwise ops for random graphs: what they take, and what they give in NumPy.

An op is (call, kinds of dtype, function, dtype of the result or None for the operands', ulps). In a call {0}, {1}, {2} are operands.
"""
import math

import numpy as np

SIGNED = ("std::int8_t", "std::int16_t", "std::int32_t", "std::int64_t")
UNSIGNED = ("std::uint8_t", "std::uint16_t", "std::uint32_t", "std::uint64_t")
INTEGERS = SIGNED + UNSIGNED
FLOATS = ("float", "double")
NUMBERS = FLOATS + INTEGERS
BOOL = ("bool",)
KINDS = {"f": FLOATS, "i": INTEGERS, "n": NUMBERS, "b": BOOL, "ib": INTEGERS + BOOL, "nb": NUMBERS + BOOL, "s": FLOATS + SIGNED}

erf = np.vectorize(math.erf, otypes=[np.float64])


def by_dtype(of_floats, of_integers):
    return lambda *x: (of_floats if x[0].dtype.kind == "f" else of_integers)(*x)


def floor_divide(a, b):
    return np.where(b == 0, 0, a // np.where(b == 0, 1, b)).astype(a.dtype)


def integer_remainder(a, b):
    return np.where(b == 0, 0, np.mod(a, np.where(b == 0, 1, b))).astype(a.dtype)


def integer_power(a, b):
    r = np.ones(np.broadcast(a, b).shape, a.dtype)
    a, b = np.broadcast_arrays(a, b)
    negative = b < 0
    base, left = a.copy(), np.where(negative, 0, b).astype(np.uint64)
    while left.any():
        r = np.where(left & np.uint64(1), r * base, r).astype(a.dtype)
        base = (base * base).astype(a.dtype)
        left = left >> np.uint64(1)
    of_one = np.where(a == 1, 1, np.where(a.astype(np.int64) == -1, np.where(b % 2 == 0, 1, -1), 0)).astype(a.dtype)
    return np.where(negative, of_one, r).astype(a.dtype)


def shifted(a, b, left):
    bits = a.dtype.itemsize * 8
    outside = (b < 0) | (b.astype(np.float64) >= bits)
    count = np.where(outside, 0, b).astype(a.dtype)
    if left:
        return np.where(outside, 0, np.left_shift(a, count)).astype(a.dtype)
    return np.where(outside, np.where(a < 0, -1, 0), np.right_shift(a, count)).astype(a.dtype)


def sigmoid(x):
    return np.where(x >= 0, 1 / (1 + np.exp(-x)), np.exp(x) / (1 + np.exp(x)))



def sign(x):
    return np.sign(x).astype(x.dtype)


def gelu(x):
    return x * 0.5 * (1 + erf(x / math.sqrt(2)))


UNARY = [
    ("negative({0})", "n", np.negative, None, 0), ("abs({0})", "n", np.abs, None, 0), ("sign({0})", "n", sign, None, 0),
    ("isfinite({0})", "n", np.isfinite, "bool", 0), ("isinf({0})", "n", np.isinf, "bool", 0), ("isnan({0})", "f", np.isnan, "bool", 0),
    ("logical_not({0})", "b", np.logical_not, None, 0), ("bitwise_not({0})", "ib", np.invert, None, 0),
    ("floor({0})", "f", np.floor, None, 0), ("ceil({0})", "f", np.ceil, None, 0), ("round({0})", "f", np.rint, None, 0),
    ("trunc({0})", "f", np.trunc, None, 0), ("exp({0})", "f", np.exp, None, 2), ("exp2({0})", "f", np.exp2, None, 2),
    ("expm1({0})", "f", np.expm1, None, 2), ("log({0})", "f", np.log, None, 2), ("log2({0})", "f", np.log2, None, 2),
    ("log10({0})", "f", np.log10, None, 2), ("log1p({0})", "f", np.log1p, None, 2), ("sqrt({0})", "f", np.sqrt, None, 1),
    ("rsqrt({0})", "f", lambda x: 1 / np.sqrt(x), None, 2), ("cbrt({0})", "f", np.cbrt, None, 2), ("sin({0})", "f", np.sin, None, 2),
    ("cos({0})", "f", np.cos, None, 2), ("tan({0})", "f", np.tan, None, 2), ("asin({0})", "f", np.arcsin, None, 2),
    ("acos({0})", "f", np.arccos, None, 2), ("atan({0})", "f", np.arctan, None, 2), ("sinh({0})", "f", np.sinh, None, 2),
    ("cosh({0})", "f", np.cosh, None, 2), ("tanh({0})", "f", np.tanh, None, 2), ("asinh({0})", "f", np.arcsinh, None, 2),
    ("acosh({0})", "f", np.arccosh, None, 2), ("atanh({0})", "f", np.arctanh, None, 2), ("sigmoid({0})", "f", sigmoid, None, 2),
    ("erf({0})", "f", erf, None, 2), ("relu({0})", "n", lambda x: np.maximum(x, x.dtype.type(0)), None, 0),
    ("square({0})", "n", lambda x: x * x, None, 1), ("silu({0})", "f", lambda x: x * sigmoid(x), None, 4),
    ("softplus({0})", "f", lambda x: np.logaddexp(x, 0), None, 4),
    ("clip({0}, -1_c, 2_c)", "s", lambda x: np.minimum(np.maximum(x, x.dtype.type(-1)), x.dtype.type(2)), None, 0),
    ("{0} * 2_c", "n", lambda x: x * x.dtype.type(2), None, 1), ("{0} + 0.5_c", "f", lambda x: x + 0.5, None, 1),
    ("1_c - {0}", "n", lambda x: x.dtype.type(1) - x, None, 1), ("1_c / {0}", "f", lambda x: 1 / x, None, 1),
    ("maximum({0}, 0_c)", "n", lambda x: np.maximum(x, x.dtype.type(0)), None, 0),
    ("maximum(0_c, {0})", "n", lambda x: np.maximum(x.dtype.type(0), x), None, 0),
    ("minimum({0}, 0_c)", "n", lambda x: np.minimum(x, x.dtype.type(0)), None, 0),
    ("minimum(0_c, {0})", "n", lambda x: np.minimum(x.dtype.type(0), x), None, 0),
    ("pow({0}, 2_c)", "n", lambda x: x * x, None, 2), ("{0} + 0_c", "n", lambda x: x + x.dtype.type(0), None, 0),
    ("{0} * 1_c", "n", lambda x: x, None, 0), ("stop_gradient({0})", "nb", lambda x: x, None, 0),
]

BINARY = [
    ("add({0}, {1})", "n", np.add, None, 1), ("subtract({0}, {1})", "n", np.subtract, None, 1),
    ("multiply({0}, {1})", "n", np.multiply, None, 1), ("divide({0}, {1})", "f", np.divide, None, 1),
    ("floor_divide({0}, {1})", "n", by_dtype(np.floor_divide, floor_divide), None, 1),
    ("remainder({0}, {1})", "n", by_dtype(np.mod, integer_remainder), None, 2),
    ("pow({0}, {1})", "n", by_dtype(np.power, integer_power), None, 2),
    ("maximum({0}, {1})", "n", np.maximum, None, 0), ("minimum({0}, {1})", "n", np.minimum, None, 0),
    ("equal({0}, {1})", "nb", np.equal, "bool", 0), ("not_equal({0}, {1})", "nb", np.not_equal, "bool", 0),
    ("less({0}, {1})", "n", np.less, "bool", 0), ("less_equal({0}, {1})", "n", np.less_equal, "bool", 0),
    ("greater({0}, {1})", "n", np.greater, "bool", 0), ("greater_equal({0}, {1})", "n", np.greater_equal, "bool", 0),
    ("logical_and({0}, {1})", "b", np.logical_and, None, 0), ("logical_or({0}, {1})", "b", np.logical_or, None, 0),
    ("logical_xor({0}, {1})", "b", np.logical_xor, None, 0), ("bitwise_and({0}, {1})", "ib", np.bitwise_and, None, 0),
    ("bitwise_or({0}, {1})", "ib", np.bitwise_or, None, 0), ("bitwise_xor({0}, {1})", "ib", np.bitwise_xor, None, 0),
    ("left_shift({0}, {1})", "i", lambda a, b: shifted(a, b, True), None, 0),
    ("right_shift({0}, {1})", "i", lambda a, b: shifted(a, b, False), None, 0),
    ("hypot({0}, {1})", "f", np.hypot, None, 2), ("atan2({0}, {1})", "f", np.arctan2, None, 2),
]
