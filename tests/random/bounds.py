# SPDX-License-Identifier: MIT
"""Arrays with a bound of what any right evaluation may differ by: the oracle of random graphs, in NumPy.

Floats of either width are held as float64 and carry a bound for each element. It grows by what docs/accuracy.md and docs/ops.md promise: 2 ulp
of a function, min(n, 800) roundings of a sum. Where a value may be anything (a comparison of what is closer than its bound), it is inf.
"""
import itertools

import numpy as np

FLOATS = {"float": (2.0**-24, 3.4e38, 1.2e-38), "double": (2.0**-53, 1.79e308, 2.3e-308)}
NUMPY = {"bool": np.bool_, "std::int8_t": np.int8, "std::uint8_t": np.uint8, "std::int16_t": np.int16, "std::uint16_t": np.uint16,
         "std::int32_t": np.int32, "std::uint32_t": np.uint32, "std::int64_t": np.int64, "std::uint64_t": np.uint64,
         "float": np.float32, "double": np.float64}


def is_float(dtype):
    return dtype in FLOATS


class Value:
    """v: float64 of floats, else of the dtype; bound: float64, of the same shape."""

    def __init__(self, dtype, v, bound=None):
        self.dtype = dtype
        self.v = np.asarray(v, np.float64 if is_float(dtype) else NUMPY[dtype])
        self.bound = np.zeros(self.v.shape) if bound is None else np.broadcast_to(np.asarray(bound, np.float64), self.v.shape)

    def moved(self, f):
        """What moves elements only."""
        return Value(self.dtype, f(self.v), f(self.bound))

    def rounded(self):
        """As an array of the dtype."""
        return self.v.astype(NUMPY[self.dtype])

    def exact(self):
        return not np.any(self.bound)


def difference(a, b):
    """|a - b|; 0 of two NaN and of equal infinities, inf where only one is such."""
    with np.errstate(all="ignore"):
        d = np.abs(a.astype(np.float64) - b.astype(np.float64))
    same = (a == b) | ((a != a) & (b != b))
    return np.where(same, 0, np.where(d == d, d, np.inf))


def finished(dtype, v, bound, ulps):
    """A result: bound is what the operands' bounds make of it; the op adds ulps."""
    if not is_float(dtype):
        v = np.asarray(v).astype(NUMPY[dtype])
        return Value(dtype, v, np.where(bound > 0, np.inf, 0))
    unit, largest, smallest = FLOATS[dtype]
    v = np.asarray(v, np.float64)
    with np.errstate(all="ignore"):
        size = np.abs(v)
        bound = bound + np.where(np.isfinite(v) & (ulps > 0), 2 * ulps * unit * size, 0)
        # Subnormal results may be 0.
        bound = bound + np.where((size < 2 * smallest) & ((size > 0) | (bound > 0)), 2 * smallest, 0)
        near = np.isfinite(v) & (size + bound > largest / 2)
        v = np.where(np.isfinite(v) & (size > 2 * largest), np.sign(v) * np.inf, v)
        bound = np.where(near & (size <= 2 * largest), np.inf, bound)
        bound = np.where(~np.isfinite(v) & (bound > 0), np.inf, bound)
    return Value(dtype, v, np.where(np.isnan(bound), np.inf, bound))


def elementwise(f, operands, dtype, ulps=2.0, slack=1.5):
    """f of elements: the bound is how far its values at the corners of the operands' bounds are from that in the middle."""
    with np.errstate(all="ignore"):
        middle = f(*[o.v for o in operands])
        middle = np.asarray(middle)
        bound = np.zeros(middle.shape)
        unknown = np.zeros(middle.shape, bool)
        for o in operands:
            unknown = unknown | np.broadcast_to(~np.isfinite(o.bound), middle.shape)
        moved = [i for i, o in enumerate(operands) if is_float(o.dtype) and not o.exact()]
        for signs in itertools.product((-1, 1), repeat=len(moved)):
            at = [o.v for o in operands]
            for i, s in zip(moved, signs):
                o = operands[i]
                at[i] = o.v + s * np.where(np.isfinite(o.bound), o.bound, 0)
            bound = np.maximum(bound, difference(np.asarray(f(*at)), middle))
        bound = np.where(unknown, np.inf, bound * slack)
    return finished(dtype, middle, bound, ulps)


def added(x, axes, keep):
    """The sum along axes, of numbers of its own dtype."""
    if not is_float(x.dtype):
        return Value(x.dtype, np.sum(x.v, axis=axes, keepdims=keep, dtype=x.v.dtype), np.sum(x.bound, axis=axes, keepdims=keep))
    unit, largest, _ = FLOATS[x.dtype]
    n = max(1, x.v.size // max(1, np.sum(x.v, axis=axes).size))
    with np.errstate(all="ignore"):
        v = np.sum(x.v, axis=axes, keepdims=keep)
        sizes = np.sum(np.where(np.isfinite(x.v), np.abs(x.v), 0), axis=axes, keepdims=keep)
        bound = np.sum(x.bound, axis=axes, keepdims=keep) + (min(n, 800) + 2) * unit * sizes
        bound = np.where(sizes > largest / 4, np.inf, np.where(n == 1, np.sum(x.bound, axis=axes, keepdims=keep), bound))
    return finished(x.dtype, v, bound, 0)


def product(a, b, f):
    """f is a sum of products, linear in each operand (matmul, an einsum, a convolution), of operands of one dtype."""
    if not is_float(a.dtype):
        v = f(a.v, b.v)
        return Value(a.dtype, v, np.where(a.exact() and b.exact(), np.zeros(v.shape), np.inf))
    unit, largest, _ = FLOATS[a.dtype]
    with np.errstate(all="ignore"):
        v = f(a.v, b.v)
        sa, sb = (np.where(np.isfinite(o.v), np.abs(o.v), 0) for o in (a, b))
        # Where something is not finite it must not be summed with a bound that is: the bound is of what is finite.
        ba, bb = (np.where(np.isfinite(o.bound), o.bound, 1e300) for o in (a, b))
        count = f(np.ones_like(sa), np.ones_like(sb)).max(initial=1)
        sizes = f(sa, sb)
        bound = f(sa, bb) + f(ba, sb) + f(ba, bb) + (count + 2) * unit * sizes
        bound = np.where((sizes > largest / 4) | (bound > 1e299), np.inf, bound)
    return finished(a.dtype, v, bound, 0)
