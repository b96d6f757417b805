# SPDX-License-Identifier: MIT
"""Sums of products in random graphs: matmul with either operand transposed, of bytes too, and einsum."""
import numpy as np

from bounds import Value, product
from structure_ops import WIDE, Extent, number

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


BYTES = ("std::int8_t", "std::uint8_t")


def product_of_bytes(random, pick, new_input):
    """Of two matrices of bytes as int32: what has an instruction of its own."""
    x = pick(lambda n: n.dtype in BYTES and len(n.extents) == 2)
    if x is None:
        return None
    columns, inner = Extent(random.choice(COLUMNS)), x.extents[1]
    turned = random.random() < 0.5
    y = new_input(random.choice(BYTES), (columns, inner) if turned else (inner, columns))

    def f(a, b):
        a, b = (Value("std::int32_t", o.v.astype(np.int32), o.bound) for o in (a, b))
        return product(a, b, lambda a, b: a @ (b.T if turned else b))

    second = "astype<std::int32_t>({1})"
    return (f"matmul(astype<std::int32_t>({{0}}), {f'matrix_transpose({second})' if turned else second})", [x, y], f, "std::int32_t",
            (x.extents[0], columns))
