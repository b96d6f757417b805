# SPDX-License-Identifier: MIT
"""Convolutions and pools in random graphs: strides, dilations, paddings, groups, along one axis and along two."""
import numpy as np

from bounds import Value, elementwise, is_float, product
from structure_ops import Extent, static


class Windows:
    """Where they lie along each axis: `places` has for each element of a window a slice of the padded axis for all windows."""

    def __init__(self, random, extents, pools):
        self.reach = [random.choice([1, 2, 3]) for _ in extents]
        self.step = [random.choice([1, 1, 2, 3])] * len(extents)
        self.apart = [random.choice([1, 1, 2])] * len(extents)
        kind = random.choice(["valid", "valid", "same", "padding"])
        least = min(self.reach) - 1 if self.apart[0] == 1 else 0
        given = tuple(random.randint(0, min(2, least) if pools else 2) for _ in range(2))
        self.sides, self.counts = [], []
        for n, reach, step, apart in zip(extents, self.reach, self.step, self.apart):
            long = apart * (reach - 1) + 1
            if kind == "same":
                missing = max((-(-n // step) - 1) * step + long - n, 0)
                sides = (missing // 2, missing - missing // 2)
            else:
                sides = given if kind == "padding" else (0, 0)
            self.sides.append(sides)
            self.counts.append((n + sum(sides) - long) // step + 1 if n + sum(sides) >= long else 0)
        self.fits = min(self.counts) > 0
        options = [f"strides<{self.step[0]}>"] + ([f"dilations<{self.apart[0]}>"] if self.apart[0] > 1 else [])
        options += {"same": ["same_padding"], "padding": [f"padding<{given[0]}, {given[1]}>"], "valid": []}[kind]
        self.options = ", ".join(options)

    def padded(self, v, with_what):
        return np.pad(v, [(0, 0)] + self.sides + [(0, 0)], constant_values=with_what)

    def places(self):
        """(index of a window's element, slices of the padded array)."""
        for at in np.ndindex(*self.reach):
            yield at, (slice(None),) + tuple(slice(i * a, i * a + s * (c - 1) + 1, s)
                                             for i, a, s, c in zip(at, self.apart, self.step, self.counts)) + (slice(None),)


def windows(random, pick, new_input):
    x = pick(lambda n: is_float(n.dtype) and len(n.extents) in (3, 4) and static(n) and min(n.extents) >= 1)
    if x is None:
        return None
    axes = len(x.extents) - 2
    name = random.choice(["conv", "conv", "conv", "max_pool", "average_pool"])
    w = Windows(random, x.extents[1:-1], name != "conv")
    if not w.fits:
        return None
    counts = tuple(Extent(c) for c in w.counts)
    if name == "conv":
        return convolution(random, x, w, counts, new_input)
    if axes != 2:
        return None
    call = f"{name}2d({{0}}, window<{', '.join(map(str, w.reach))}>, {w.options})"

    def seen(x, with_what):
        return [Value(x.dtype, w.padded(x.v, with_what)[at], w.padded(x.bound, 0)[at]) for _, at in w.places()]

    if name == "max_pool":
        def f(x):
            parts = seen(x, -np.inf)
            return Value(x.dtype, np.max([p.v for p in parts], axis=0), np.max([p.bound for p in parts], axis=0))
    else:
        ones = sum(w.padded(np.ones(x.extents), 0)[at] for _, at in w.places())
        if ones.min() == 0:
            return None  # A window that sees no element has no mean.

        def f(x):
            parts = seen(x, 0)
            total = parts[0]
            for p in parts[1:]:
                total = elementwise(np.add, [total, p], x.dtype, 1)
            return elementwise(np.divide, [total, Value(x.dtype, ones)], x.dtype, 2)

    return call, [x], f, x.dtype, x.extents[:1] + counts + x.extents[-1:]


def convolution(random, x, w, counts, new_input):
    channels = x.extents[-1]
    groups = random.choice([1, 1, channels, random.choice([g for g in range(1, channels + 1) if channels % g == 0])])
    filters = groups * random.choice([1, 2, 3] if groups > 1 else [1, 3, 8, 17])
    kernel = new_input(x.dtype, tuple(Extent(r) for r in w.reach) + (Extent(channels // groups), Extent(filters)))

    def f(a, b):
        padded, total = w.padded(a, 0), 0
        for at, elements in w.places():
            by_groups = padded[elements].reshape(a.shape[:1] + counts + (groups, channels // groups))
            kernel_groups = b[at].reshape(channels // groups, groups, filters // groups)
            part = np.einsum("...gc,cgf->...gf", by_groups, kernel_groups)
            total = total + part.reshape(part.shape[:-2] + (filters,))
        return total

    options = w.options + (f", groups<{groups}>" if groups > 1 else "")
    return (f"conv{len(counts)}d({{0}}, {{1}}, {options})", [x, kernel], lambda a, b: product(a, b, f), x.dtype,
            x.extents[:1] + counts + (Extent(filters),))
