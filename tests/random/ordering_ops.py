# SPDX-License-Identifier: MIT
"""Ops of random graphs along an axis in its order: sorts, positions of extremes, cumulative sums."""
import numpy as np

from bounds import Value, added, elementwise, is_float
from structure_ops import WIDE, number, one_axis, widened, without


def ordered(x, axis):
    """Whether no order along an axis hangs on bounds: else what is sorted may be anything."""
    return x.exact()


def sorting(random, pick):
    x = pick(lambda n: number(n) and len(n.extents) > 0 and n.extents[0] > 0 and min(n.extents) > 0)
    if x is None:
        return None
    axis = one_axis(random, x)
    name = random.choice(["sort", "argsort", "argmax", "argmin", "cumsum", "cumprod", "logcumsumexp"])
    if name.startswith("cum") or name == "logcumsumexp":
        return cumulative(random, name, x, axis)
    if name in ("argmax", "argmin"):
        f = np.argmax if name == "argmax" else np.argmin
        return (f"{name}({{0}}, axis<{axis}>)", [x],
                lambda x: Value("std::int64_t", f(x.v, axis), 0 if ordered(x, axis) else np.inf), "std::int64_t",
                without(x.extents, [axis]))
    down = random.random() < 0.4
    if down and name == "argsort":
        return None
    text = f"{name}({{0}}, axis<{axis}>{', descending' if down else ''})"
    if name == "argsort":
        return (text, [x], lambda x: Value("std::int64_t", np.argsort(x.v, axis, kind="stable"), 0 if ordered(x, axis) else np.inf),
                "std::int64_t", x.extents)

    def f(x):
        v = np.sort(x.v, axis)
        if down:
            v = np.flip(v, axis)
            nan = v != v
            if nan.any():
                return Value(x.dtype, v, np.inf)
        # A sort moves no element farther than the largest bound.
        return Value(x.dtype, v, np.broadcast_to(np.max(x.bound, axis=axis, keepdims=True), v.shape))

    return text, [x], f, x.dtype, x.extents


def cumulative(random, name, x, axis):
    # Bounds of products take a step of Python for each element and each one before it.
    if name == "logcumsumexp" and not is_float(x.dtype) or name == "cumprod" and x.extents[axis] > 500:
        return None
    exclusive, reverse = random.random() < 0.3, random.random() < 0.3
    n = x.extents[axis]
    text = f"{name}({{0}}, axis<{axis}>{', exclusive' if exclusive else ''}{', reverse' if reverse else ''})"

    def f(x):
        if name != "logcumsumexp":
            x = widened(x)
        parts = []
        for i in range(n):
            a, b = (i + exclusive, n) if reverse else (0, i + 1 - exclusive)
            part = x.moved(lambda v: np.take(v, range(a, b), axis))
            if name == "cumsum":
                parts.append(added(part, axis, True))
            elif name == "cumprod":
                parts.append(product_of(part, axis))
            else:
                parts.append(log_sum(part, axis))
        return Value(x.dtype, np.concatenate([p.v for p in parts], axis), np.concatenate([p.bound for p in parts], axis))

    return text, [x], f, x.dtype if name == "logcumsumexp" else WIDE.get(x.dtype, x.dtype), x.extents


def product_of(x, axis):
    result = None
    for i in range(x.v.shape[axis]):
        part = x.moved(lambda v: np.take(v, [i], axis))
        result = part if result is None else elementwise(np.multiply, [result, part], x.dtype, 2)
    if result is None:
        shape = [1 if i == axis else n for i, n in enumerate(x.v.shape)]
        result = Value(x.dtype, np.ones(shape, x.v.dtype))
    if is_float(x.dtype):
        with np.errstate(all="ignore"):
            logs = np.sum(np.where((x.v != 0) & np.isfinite(x.v), np.abs(np.log2(np.abs(x.v))), 0), axis=axis, keepdims=True)
        result.bound = np.where(logs < 100, result.bound, np.inf)
    return result


def log_sum(x, axis):
    top = x.v.max(axis=axis, keepdims=True, initial=-np.inf)
    with np.errstate(all="ignore"):
        m = np.where(np.isfinite(top), top, 0)
        s = added(elementwise(lambda a: np.exp(a - m), [x], x.dtype, 3), axis, True)
        return elementwise(lambda s: np.log(s) + m, [s], x.dtype, 4)
