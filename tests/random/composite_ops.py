# SPDX-License-Identifier: MIT
"""What layers are made of, in random graphs: normalisations, attention, recurrences, the largest elements, resized images, numbers of 16 bits."""
import numpy as np

from bounds import FLOATS, Value, added, elementwise, finished, is_float, product
from structure_ops import Extent, mean, minus, number, one_axis, static


def composite(random, pick, new_input):
    return random.choice([layer_norm, group_norm, attention, attention, recurrence, recurrence, largest, resize, through_bfloat16])(
        random, pick, new_input)


def squared(x):
    return elementwise(lambda a: a * a, [x], x.dtype, 1)


def normalised(x, axes):
    """(x - mean) / sqrt(variance + 1e-5)."""
    rest = minus(x, mean(x, axes, True))
    variance = mean(squared(rest), axes, True)
    return elementwise(lambda r, s: r / np.sqrt(s + 1e-5), [rest, variance], x.dtype, 6)


def scaled_and_moved(x, scale, offset):
    return elementwise(np.add, [elementwise(np.multiply, [x, scale], x.dtype, 1), offset], x.dtype, 1)


def layer_norm(random, pick, new_input):
    x = pick(lambda n: is_float(n.dtype) and len(n.extents) > 0 and n.extents[-1] > 0)
    if x is None:
        return None
    if random.random() < 0.3:
        return "layer_norm({0})", [x], lambda x: normalised(x, -1), x.dtype, x.extents
    axis = one_axis(random, x) if x.extents[0] > 0 else len(x.extents) - 1
    if axis == len(x.extents) - 1:
        scale, offset = (new_input(x.dtype, x.extents[-1:]) for _ in range(2))
        return ("layer_norm({0}, {1}, {2})", [x, scale, offset], lambda x, s, o: scaled_and_moved(normalised(x, -1), s, o), x.dtype, x.extents)
    scale = new_input(x.dtype, ())
    return (f"layer_norm({{0}}, {{1}}, {{1}}, 1e-5_c, axis<{axis}>)", [x, scale], lambda x, s: scaled_and_moved(normalised(x, axis), s, s),
            x.dtype, x.extents)


def group_norm(random, pick, new_input):
    x = pick(lambda n: is_float(n.dtype) and len(n.extents) in (3, 4) and static(n) and min(n.extents) > 0)
    if x is None:
        return None
    channels = x.extents[-1]
    groups = random.choice([g for g in range(1, channels + 1) if channels % g == 0])
    scale, offset = (new_input(x.dtype, (channels,)) for _ in range(2))

    def f(x, s, o):
        shape = x.v.shape[:-1] + (groups, channels // groups)
        axes = tuple(range(1, len(shape) - 2)) + (len(shape) - 1,)
        return scaled_and_moved(normalised(x.moved(lambda a: a.reshape(shape)), axes).moved(lambda a: a.reshape(x.v.shape)), s, o)

    return f"group_norm<{groups}>({{0}}, {{1}}, {{2}})", [x, scale, offset], f, x.dtype, x.extents


def attention(random, pick, new_input):
    q = pick(lambda n: is_float(n.dtype) and len(n.extents) in (2, 3) and min(n.extents) > 0)
    if q is None:
        return None
    width, front = q.extents[-1], q.extents[:-2]
    keys, values = Extent(random.choice([1, 2, 9, 33])), Extent(random.choice([1, 3, 16]))
    k = q if random.random() < 0.3 else new_input(q.dtype, front + (keys, width))
    v = k if random.random() < 0.3 else new_input(q.dtype, front + (k.extents[-2], values))
    hides = random.random() < 0.4

    def f(q, k, v):
        scores = product(q, k, lambda a, b: a @ np.swapaxes(b, -1, -2).copy())
        scores = elementwise(lambda s: s / np.sqrt(float(width)), [scores], q.dtype, 3)
        rows, columns = scores.v.shape[-2:]
        hidden = np.broadcast_to(np.arange(rows)[:, None] < np.arange(columns), scores.v.shape) if hides else np.zeros(scores.v.shape, bool)
        scores = Value(q.dtype, np.where(hidden, -np.inf, scores.v), np.where(hidden, 0, scores.bound))
        top = scores.v.max(axis=-1, keepdims=True, initial=-np.inf)
        e = elementwise(np.exp, [elementwise(lambda a: a - top, [scores], q.dtype, 2)], q.dtype, 2)
        return product(elementwise(np.divide, [e, added(e, -1, True)], q.dtype, 2), v, lambda a, b: a @ b)

    return (f"attention({{0}}, {{1}}, {{2}}{', causal' if hides else ''})", [q, k, v], f, q.dtype, q.extents[:-1] + (v.extents[-1],))


def recurrence(random, pick, new_input):
    """What a linear recurrence has made before each step; along a short axis, where bounds do not grow far."""
    a = pick(lambda n: number(n) and len(n.extents) > 0)
    if a is None:
        return None
    axis, reverse = one_axis(random, a), random.random() < 0.3
    b = pick(lambda n: n.dtype == a.dtype and n.extents == a.extents and all(e.name == f.name for e, f in zip(n.extents, a.extents)))
    if b is None or a.extents[axis] > 40:
        return None

    def f(a, b):
        n = a.v.shape[axis]
        y = [Value(a.dtype, np.zeros_like(np.take(a.v, [0] if n else [], axis)))]
        order = range(n - 1, -1, -1) if reverse else range(n)
        part = lambda x, i: x.moved(lambda v: np.take(v, [i], axis))
        for i in order:
            y.append(elementwise(np.add, [elementwise(np.multiply, [part(a, i), y[-1]], a.dtype, 1), part(b, i)], a.dtype, 1))
        y = y[:-1][::-1] if reverse else y[:-1]
        if not y:
            return a
        return Value(a.dtype, np.concatenate([p.v for p in y], axis), np.concatenate([p.bound for p in y], axis))

    return f"linear_recurrence({{0}}, {{1}}, axis<{axis}>{', reverse' if reverse else ''})", [a, b], f, a.dtype, a.extents


def largest(random, pick, new_input):
    x = pick(lambda n: number(n) and len(n.extents) > 0 and static(n) and min(n.extents) > 0 and n.v_exact)
    if x is None:
        return None
    axis = one_axis(random, x)
    count = random.randint(1, x.extents[axis])
    part = random.choice([0, 0, 1])

    def places(x):
        """Of equal elements the first; NaN last."""
        v = x.v.astype(object) if not is_float(x.dtype) else x.v
        down = np.where(x.v != x.v, np.inf, -v) if is_float(x.dtype) else -v
        return np.take(np.argsort(down, axis, kind="stable"), range(count), axis)

    def f(x):
        if part == 1:
            return Value("std::int64_t", places(x), 0 if x.exact() else np.inf)
        at = places(x)
        v = np.take_along_axis(x.v, at, axis)
        # A sort moves no element farther than the largest bound.
        return Value(x.dtype, v, np.broadcast_to(np.max(x.bound, axis=axis, keepdims=True), v.shape))

    return (f"std::get<{part}>(top_k<{count}>({{0}}, axis<{axis}>))", [x], f, "std::int64_t" if part else x.dtype,
            tuple(Extent(count) if i == axis else e for i, e in enumerate(x.extents)))


def cubic(d):
    """Keys 1981, a = -1/2."""
    return np.where(d < 1, (1.5 * d - 2.5) * d * d + 1, np.where(d < 2, ((-0.5 * d + 2.5) * d - 4) * d + 2, 0))


def triangle(d):
    return np.maximum(1 - d, 0)


def weights(to, n, method, smooths):
    """(to, n): how much each pixel counts, of pixels that are areas (half-pixel centres)."""
    scale = n / to
    i, j = np.arange(to)[:, None], np.arange(n)
    if method == "nearest":
        return (j == ((2 * i + 1) * n) // (2 * to)).astype(np.float64)
    if method == "area":
        return np.maximum(np.minimum(j + 1, (i + 1) * scale) - np.maximum(j, i * scale), 0) / scale
    place = (i + 0.5) * scale - 0.5
    if method == "bilinear" and not smooths:
        place = np.clip(place, 0, n - 1)
    wide = max(scale, 1) if smooths else 1
    distance = np.abs(j - place)
    if method == "bicubic" and not smooths:
        before = np.floor(place)
        distance = np.abs(j - before - np.rint((place - before) * 1024) / 1024)  # TensorFlow's table
    w = (cubic if method == "bicubic" else triangle)(distance / wide)
    return w / w.sum(axis=1, keepdims=True)


def resize(random, pick, new_input):
    x = pick(lambda n: is_float(n.dtype) and len(n.extents) in (3, 4) and static(n) and min(n.extents) > 0)
    if x is None:
        return None
    first = len(x.extents) - 3
    to = [random.choice([1, 2, 3, 5, 8]) for _ in range(2)]
    method = random.choice(["nearest", "bilinear", "bilinear", "bicubic", "area"])
    smooths = method in ("bilinear", "bicubic") and random.random() < 0.4
    unit = FLOATS[x.dtype][0]

    def f(x):
        if not np.isfinite(x.v).all():
            shape = x.v.shape[:first] + tuple(to) + x.v.shape[-1:]
            if method != "nearest":
                return Value(x.dtype, np.zeros(shape), np.inf)
        for axis, n in zip((first, first + 1), to):
            w = weights(n, x.v.shape[axis], method, smooths)
            if method == "nearest":
                x = x.moved(lambda a: np.take(a, w.argmax(axis=1), axis))
                continue
            along = lambda m, a: np.moveaxis(np.tensordot(m, np.moveaxis(a, axis, 0), 1), 0, axis)
            sizes = along(np.abs(w), np.abs(x.v))
            largest_near = along(np.ones_like(w), np.abs(x.v))
            # Weights are numbers of x's dtype, of places that are rounded too: some units of what they are multiplied with.
            bound = along(np.abs(w), np.where(np.isfinite(x.bound), x.bound, 1e300)) + unit * (8 * sizes + 16 * largest_near)
            x = finished(x.dtype, along(w, x.v), np.where(bound > 1e299, np.inf, bound), 0)
        return x

    return (f"resize({{0}}, shape<{to[0]}, {to[1]}>{{}}, {method}{', antialias' if smooths else ''})", [x], f, x.dtype,
            x.extents[:first] + (Extent(to[0]), Extent(to[1])) + x.extents[-1:])


def to_bfloat16(v):
    """By way of float32, to nearest, halves to even; as float64."""
    with np.errstate(all="ignore"):
        bits = np.asarray(v, np.float64).astype(np.float32).view(np.uint32).astype(np.uint64)
        rounded = ((bits + np.uint64(0x7FFF) + ((bits >> np.uint64(16)) & np.uint64(1))) & np.uint64(0xFFFF0000)).astype(np.uint32).view(np.float32)
    return np.where(np.isnan(v), np.nan, rounded.astype(np.float64))


def through_bfloat16(random, pick, new_input):
    x = pick(lambda n: n.dtype == "float")
    if x is None:
        return None
    return "astype<float>(astype<bfloat16>({0}))", [x], lambda x: elementwise(to_bfloat16, [x], "float", 0), "float", x.extents
