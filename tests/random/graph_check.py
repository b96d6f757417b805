# SPDX-License-Identifier: MIT
"""Compares what a random graph gave in each way: with itself to the last bit, with NumPy within the bound, its gradients with differences and
with PyTorch, where Python has it (`tools/clients torch numpy`).
"""
import importlib.util

import numpy as np

from bounds import NUMPY, Value, difference

pytorch_graphs = importlib.import_module("pytorch_graphs") if importlib.util.find_spec("torch") else None

# Which give the bits of a fetch alone; the others may add up in another order.
SAME_BITS = ("together", "reversed", "fed", "threads", "bound", "function")


def parse(data):
    """{number: {(way, fetch): (extents, element size, bytes)}}."""
    found, at = {}, 0
    while at < len(data):
        end = data.find(b"\n", at)
        if end < 0:
            break
        number, way, fetch, size, *extents = data[at:end].decode().split()
        count = int(np.prod([int(e) for e in extents])) * int(size)
        found.setdefault(int(number), {})[way, int(fetch)] = (tuple(int(e) for e in extents), int(size), data[end + 1 : end + 1 + count])
        at = end + 1 + count
    return found


def array_of(result, dtype):
    extents, size, raw = result
    t = np.dtype(NUMPY[dtype])
    if size != t.itemsize:
        return None
    return np.frombuffer(raw, t).reshape(extents)


def same_bits(a, b):
    if a.dtype.kind != "f":
        return a == b
    return ((a == b) & (np.signbit(a) == np.signbit(b))) | (np.isnan(a) & np.isnan(b))


def are_subnormal(a, b):
    """Which a function flushes, and a session that keeps them does not."""
    if a.dtype.kind != "f":
        return False
    smallest = np.finfo(a.dtype).tiny
    return (np.abs(a) < smallest) & (np.abs(b) < smallest) & (np.signbit(a) == np.signbit(b))


def first_wrong(right, got, wanted):
    at = np.argwhere(~right)[0]
    i = tuple(at)
    return f"{(~right).sum()} of {right.size} elements, first {list(map(int, at))}: {got[i]!r}, should be {wanted[i]!r}"


def check(g, results):
    """[(kind, way, fetch, sentence)] of what is wrong."""
    wrong = []
    for (way, _), result in results.items():
        if way.startswith("error:"):
            wrong.append(("error", way[6:], 0, result[2].decode(errors="replace")))
    if pytorch_graphs:
        wrong += pytorch_graphs.wrong_values(g)
    dtypes = [n.dtype for n in g.fetches] + [x.dtype for _, x, _ in g.gradients]
    order_varies = [n.order_varies for n in g.fetches] + [g.fetches[k].order_varies or g.fetches[k].slopes_vary for k, _, _ in g.gradients]
    for k, dtype in enumerate(dtypes):
        alone = None
        if ("alone", k) in results and not order_varies[k]:
            alone = array_of(results["alone", k], dtype)
        for (way, fetch), result in results.items():
            if fetch != k or way.startswith("error:"):
                continue
            got = array_of(result, dtype)
            if got is None:
                wrong.append(("dtype", way, k, f"elements of {result[1]} bytes, should be {dtype}"))
                continue
            if way in SAME_BITS and alone is not None:
                if got.shape != alone.shape:
                    wrong.append(("shape", way, k, f"{got.shape}, alone {alone.shape}"))
                elif not (right := same_bits(got, alone) | (way == "function" and are_subnormal(got, alone))).all():
                    wrong.append(("bits", way, k, first_wrong(right, got, alone)))
            if k < len(g.fetches):
                wrong += against_oracle(g.fetches[k], got, way, k)
            elif way in ("alone", "reference", "eager"):
                wrong += against_differences(g, *g.gradients[k - len(g.fetches)], got, way, k)
                if pytorch_graphs:
                    wrong += against_pytorch(g, *g.gradients[k - len(g.fetches)], got, way, k)
    return wrong


def against_oracle(node, got, way, k):
    value = node.value
    if got.shape != value.v.shape:
        return [("shape", way, k, f"{got.shape}, should be {value.v.shape}")]
    right = difference(got, value.v) <= value.bound * 2
    right |= ~np.isfinite(value.bound)
    return [] if right.all() else [("oracle", way, k, first_wrong(right, got, value.rounded()))]


def directional(g, fetch, x, order, h, direction):
    """The derivative of the sum of a fetch in a direction by differences; of second order, of the derivative of the sum of squares along ones."""
    def at(*moves):
        v = x.value.v + sum(s * h * d for s, d in moves)
        with np.errstate(all="ignore"):
            y = g.evaluate([g.fetches[fetch]], {id(x): Value(x.dtype, v)})[0].v
            return float(np.sum(y if order == 1 else y * y, dtype=np.float64))

    ones = np.ones_like(x.value.v)
    if order == 1:
        here, ahead, behind = at(), at((1, direction)), at((-1, direction))
        # A kink has another slope on each side.
        if abs(ahead - 2 * here + behind) > 1e-2 * abs(ahead - behind) + 1e-3 * h:
            return np.nan
        return (ahead - behind) / (2 * h)
    return (at((1, ones), (1, direction)) - at((1, ones), (-1, direction)) - at((-1, ones), (1, direction))
            + at((-1, ones), (-1, direction))) / (4 * h * h)


def against_differences(g, fetch, x, order, got, way, k):
    if got.shape != x.value.v.shape:
        return [("shape", way, k, f"{got.shape}, should be {x.value.v.shape}")]
    if got.size == 0 or g.shares_slopes(g.fetches[fetch]):
        return []
    if order == 1 and g.reads_gradients_beside_x():
        got = got + x.value.v
    direction = np.random.default_rng(1).normal(size=x.value.v.shape)
    steps = (1e-4, 2e-5) if order == 1 else (2e-3, 1e-3)
    first, second = (directional(g, fetch, x, order, h, direction) for h in steps)
    with np.errstate(all="ignore"):
        mine = float(np.sum(got * direction, dtype=np.float64))
        scale = float(np.sum(np.abs(got * direction), dtype=np.float64)) + abs(first)
        size = float(np.sum(np.abs(g.fetches[fetch].value.v) ** order))
    exactness = (1e-2 if x.dtype == "float" or g.fetches[fetch].dtype == "float" else 1e-3) * (1 if order == 1 else 10)
    allowed = exactness * scale + (1e-4 if "float" in (x.dtype, g.fetches[fetch].dtype) else 1e-6) * (size + 1) * (1 if order == 1 else 10)
    # Where two steps tell different things there is a kink between.
    if not np.isfinite(first) or not np.isfinite(second) or abs(first - second) > 0.1 * allowed:
        return []
    if abs(mine - first) <= allowed:
        return []
    # Two steps across a pole of what is divided by may agree; a quarter of the smaller one does not.
    third = directional(g, fetch, x, order, steps[1] / 4, direction)
    if not abs(third - second) <= 0.1 * allowed:
        return []
    return [("gradient", way, k, f"along a direction {mine!r}, by differences {first!r} and {second!r}")]


def against_pytorch(g, fetch, x, order, got, way, k):
    if got.shape != x.value.v.shape:
        return []
    if order == 1 and g.reads_gradients_beside_x():
        got = got + x.value.v
    wanted, allowed = pytorch_graphs.gradient_within(g, fetch, x, order)
    right = difference(got, wanted) <= allowed
    return [] if right.all() else [("pytorch", way, k, first_wrong(right, got, wanted))]
