# SPDX-License-Identifier: MIT
"""Sums of products in random graphs: matmul with either operand transposed, einsum, convolutions, pools."""
import numpy as np

from bounds import added, elementwise, is_float, product
from structure_ops import WIDE, Extent, number, static

ROWS, COLUMNS, INNER = (1, 1, 2, 3, 7, 40), (1, 2, 5, 10, 200, 512), (1, 3, 8, 33, 512, 4000)


def matmul(random, pick, new_input=None):
    """The second operand is a new one where none fits."""
    x = pick(lambda n: number(n) and len(n.extents) in (1, 2, 3))
    if x is None:
        return None
    turned_x, turned_y = len(x.extents) > 1 and random.random() < 0.3, random.random() < 0.4
    inner = x.extents[-2] if turned_x else x.extents[-1]

    def fits(n):
        return (n.dtype == x.dtype and len(n.extents) == 2 and n.extents[-1 if turned_y else -2] == inner
                and n.extents[-1 if turned_y else -2].name == inner.name)

    y = pick(fits) if random.random() < 0.6 else None
    if y is None:
        if new_input is None:
            return None
        columns = Extent(random.choice(COLUMNS) if int(np.prod(x.extents)) < 50000 else random.choice(COLUMNS[:4]))
        y = new_input(x.dtype, (columns, inner) if turned_y else (inner, columns))
    columns = y.extents[-2 if turned_y else -1]
    first = "matrix_transpose({0})" if turned_x else "{0}"
    # With this no stride of the weights is 1.
    flipped = random.random() < 0.15
    second = "flip({1}, axis<1>)" if flipped else "{1}"
    if turned_y:
        second = f"matrix_transpose({second})"
    rows = x.extents[-1] if turned_x else (x.extents[-2] if len(x.extents) > 1 else None)
    extents = x.extents[:-2] + ((rows,) if rows is not None else ()) + (columns,)

    def f(a, b):
        a = np.swapaxes(a, -1, -2) if turned_x else a
        b = b[:, ::-1] if flipped else b
        # A copy: of a matrix and its own transpose NumPy calls syrk, for which OpenBLAS's 0 times infinity is 0.
        return a @ (np.swapaxes(b, -1, -2) if turned_y else b).copy()

    return f"matmul({first}, {second})", [x, y], lambda a, b: product(a, b, f), x.dtype, extents


def einsum(random, pick, new_input=None):
    x = pick(lambda n: number(n) and n.dtype not in WIDE and len(n.extents) == 2)
    y = pick(lambda n: x is not None and n.dtype == x.dtype and len(n.extents) == 2)
    if x is None or y is None:
        return None
    letters = "ij"
    second = "".join(next((a for a, e in zip(letters, x.extents) if e == m and e.name == m.name and random.random() < 0.7), c)
                     for c, m in zip("kl", y.extents))
    if len(set(second)) < 2:
        return None
    sizes = dict(zip(letters + second, x.extents + y.extents))
    kept = [c for c in dict.fromkeys(letters + second) if random.random() < 0.6]
    random.shuffle(kept)
    if int(np.prod([sizes[c] for c in sizes])) > 2000000 or int(np.prod([sizes[c] for c in kept])) > 100000:
        return None
    text = f"{letters},{second}->{''.join(kept)}"
    return (f"einsum<\"{text}\">({{0}}, {{1}})", [x, y], lambda a, b: product(a, b, lambda p, q: np.einsum(text, p, q)), x.dtype,
            tuple(sizes[c] for c in kept))


def windows(random, pick, new_input):
    """A convolution of (batch, height, width, channels), or a pool of it."""
    x = pick(lambda n: is_float(n.dtype) and len(n.extents) == 4 and static(n) and min(n.extents[1:3]) >= 2)
    if x is None:
        return None
    name = random.choice(["conv2d", "conv2d", "max_pool2d", "average_pool2d"])
    reach, step = random.choice([1, 2]), random.choice([1, 2])
    rows, columns = ((n - reach) // step + 1 for n in x.extents[1:3])

    def seen(v, i, j):
        return v[:, i : i + step * (rows - 1) + 1 : step, j : j + step * (columns - 1) + 1 : step, :]

    places = [(i, j) for i in range(reach) for j in range(reach)]
    if name == "conv2d":
        filters = random.choice([1, 3, 8])
        w = new_input(x.dtype, (Extent(reach), Extent(reach), x.extents[3], Extent(filters)))

        def f(a, b):
            return sum(np.einsum("bhwc,cf->bhwf", seen(a, i, j), b[i, j]) for i, j in places)

        return (f"conv2d({{0}}, {{1}}, strides<{step}>)", [x, w], lambda a, b: product(a, b, f), x.dtype,
                (x.extents[0], Extent(rows), Extent(columns), Extent(filters)))
    extents = (x.extents[0], Extent(rows), Extent(columns), x.extents[3])
    call = f"{name}({{0}}, window<{reach}>, strides<{step}>)"

    def stacked(x):
        return x.moved(lambda v: np.stack([seen(v, i, j) for i, j in places]))

    if name == "max_pool2d":
        return call, [x], lambda x: stacked(x).moved(lambda v: v.max(axis=0)), x.dtype, extents
    return (call, [x], lambda x: elementwise(lambda s: s / len(places), [added(stacked(x), 0, False)], x.dtype, 2), x.dtype, extents)
