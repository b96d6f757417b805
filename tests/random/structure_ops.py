# SPDX-License-Identifier: MIT
"""Reductions in random graphs; and what ops that are no elementwise ones share: each solves its own constraints.

op(random, pick) -> (call, operands, function of their Values, dtype, extents) or None. pick(condition) is a node of the graph, or None.
"""
import numpy as np

from bounds import NUMPY, Value, added, elementwise, finished, is_float
from elementwise_ops import NUMBERS

WIDE = {**{t: "std::int64_t" for t in ("bool", "std::int8_t", "std::int16_t", "std::uint8_t", "std::uint16_t")}}


class Extent(int):
    """The size of an axis; where it has a name, its number is not known to the compiler."""

    name = None

    def __new__(cls, size, name=None):
        e = super().__new__(cls, size)
        e.name = name
        return e


def static(node):
    return all(e.name is None for e in node.extents)


def text_of(numbers):
    return ", ".join(str(int(n)) for n in numbers)


def widened(x):
    t = WIDE.get(x.dtype, x.dtype)
    return x if t == x.dtype else Value(t, x.v.astype(np.int64), x.bound)


def number(node):
    return node.dtype in NUMBERS


def one_axis(random, node):
    return random.randrange(len(node.extents))


def without(extents, axes):
    return tuple(e for i, e in enumerate(extents) if i not in axes)


def reduction(random, pick):
    name = random.choice(["sum", "sum", "prod", "max", "min", "mean", "reduce_any", "reduce_all", "variance", "standard_deviation", "logsumexp",
                          "norm", "norm<1>", "norm<infinity>"])
    of = {"reduce_any": lambda n: n.dtype == "bool", "reduce_all": lambda n: n.dtype == "bool", "sum": lambda n: True,
          **{name: lambda n: is_float(n.dtype) for name in ("mean", "variance", "standard_deviation", "logsumexp", "norm", "norm<1>",
                                                            "norm<infinity>")}}.get(name, number)
    x = pick(lambda n: of(n) and len(n.extents) > 0)
    if x is None:
        return None
    axes = sorted(random.sample(range(len(x.extents)), random.randint(1, len(x.extents))))
    if name == "logsumexp":
        axes = axes[:1]
    keep = random.random() < 0.3
    names = [a - len(x.extents) if random.random() < 0.3 else a for a in axes]
    call = f"{name}({{0}}, axis<{text_of(names)}>{', keep_dims' if keep else ''})"
    extents = tuple(Extent(1) if i in axes else e for i, e in enumerate(x.extents)) if keep else without(x.extents, axes)
    at = tuple(axes)

    def f(x):
        v = x.v
        if name in ("sum", "prod"):
            x = widened(x)
        if name == "sum":
            return added(x, at, keep)
        if name == "mean":
            return mean(x, at, keep)
        if name in ("variance", "standard_deviation"):
            d = minus(x, mean(x, at, True))
            v = mean(elementwise(lambda a: a * a, [d], x.dtype, 1), at, keep)
            return v if name == "variance" else elementwise(lambda a: np.sqrt(np.maximum(a, 0)), [v], x.dtype, 1)
        if name == "norm<1>":
            return added(elementwise(np.abs, [x], x.dtype, 0), at, keep)
        if name == "norm<infinity>":
            return elementwise(np.abs, [x], x.dtype, 0).moved(lambda a: np.max(a, axis=at, keepdims=keep, initial=0))
        if name == "norm":
            with np.errstate(all="ignore"):
                s = added(elementwise(lambda a: a * a, [x], x.dtype, 1), at, keep)
            return elementwise(np.sqrt, [s], x.dtype, 1)
        if name == "logsumexp":
            top = x.moved(lambda a: np.max(a, axis=at, keepdims=True, initial=-np.inf))
            m = Value(x.dtype, np.where(np.isfinite(top.v), top.v, 0))
            s = added(elementwise(lambda a, b: np.exp(a - b), [x, m], x.dtype, 3), at, keep)
            with np.errstate(all="ignore"):
                return elementwise(lambda s, m: np.log(s) + m, [s, Value(x.dtype, m.v if keep else np.squeeze(m.v, at))], x.dtype, 3)
        if name == "prod":
            with np.errstate(all="ignore"):
                v = np.prod(x.v, axis=at, keepdims=keep, dtype=x.v.dtype)
                if not is_float(x.dtype):
                    return Value(x.dtype, v, np.sum(x.bound, axis=at, keepdims=keep))
                n = x.v.size // max(1, v.size)
                relative = np.sum(np.where(x.bound > 0, x.bound / np.abs(x.v), 0), axis=at, keepdims=keep)
                # No order of the factors over- or underflows.
                logs = np.sum(np.where((x.v != 0) & np.isfinite(x.v), np.abs(np.log2(np.abs(x.v))), 0), axis=at, keepdims=keep)
                bound = np.where((relative < 0.1) & (logs < 120), 2 * relative * np.abs(v), np.inf)
            return finished(x.dtype, v, bound, n)
        if name in ("max", "min"):
            pick_one = np.max if name == "max" else np.min
            low, high = edge_values(x.dtype)
            v = pick_one(x.v, axis=at, keepdims=keep, initial=low if name == "max" else high)
            return Value(x.dtype, v, np.max(x.bound, axis=at, keepdims=keep, initial=0))
        v = (np.any if name == "reduce_any" else np.all)(x.v, axis=at, keepdims=keep)
        return Value("bool", v, np.max(x.bound, axis=at, keepdims=keep, initial=0))

    return call, [x], f, WIDE.get(x.dtype, x.dtype) if name in ("sum", "prod") else x.dtype, extents


def edge_values(dtype):
    if is_float(dtype):
        return -np.inf, np.inf
    info = np.iinfo(NUMPY[dtype])
    return info.min, info.max


def mean(x, axes, keep):
    s = added(x, axes, keep)
    n = x.v.size / s.v.size if s.v.size else np.nan
    return elementwise(lambda a: a / n, [s], x.dtype, 2)


def minus(a, b):
    return elementwise(np.subtract, [a, b], a.dtype, 1)


def softmax(random, pick):
    x = pick(lambda n: is_float(n.dtype) and len(n.extents) > 0)
    if x is None:
        return None
    axis = one_axis(random, x)
    name = random.choice(["softmax", "softmax", "log_softmax"])

    def f(x):
        top = x.v.max(axis=axis, keepdims=True, initial=-np.inf)
        d = elementwise(lambda a: a - top, [x], x.dtype, 2)
        e = elementwise(np.exp, [d], x.dtype, 2)
        s = added(e, axis, True)
        if name == "softmax":
            return elementwise(np.divide, [e, s], x.dtype, 2)
        return elementwise(lambda d, s: d - np.log(s), [d, s], x.dtype, 4)

    return f"{name}({{0}}, axis<{axis}>)", [x], f, x.dtype, x.extents
