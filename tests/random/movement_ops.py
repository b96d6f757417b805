# SPDX-License-Identifier: MIT
"""Ops of random graphs that move elements, join arrays and look elements up."""
import numpy as np

from bounds import FLOATS, Value, finished, is_float
from elementwise_ops import INTEGERS, NUMBERS
from structure_ops import Extent, one_axis, static, text_of


def movement(random, pick):
    x = pick(lambda n: len(n.extents) > 0)
    if x is None:
        return None
    rank, e = len(x.extents), x.extents
    name = random.choice(["transpose", "transpose", "flip", "roll", "expand_dims", "slice", "slice", "slice", "pad", "pad", "reshape",
                          "tile", "repeat", "tril", "broadcast_to", "zeros_like"])
    axis = one_axis(random, x)
    if name == "transpose":
        order = random.sample(range(rank), rank)
        return (f"transpose({{0}}, axis<{text_of(order)}>)", [x], lambda x: x.moved(lambda a: np.transpose(a, order)), x.dtype,
                tuple(e[i] for i in order))
    if name == "flip":
        return f"flip({{0}}, axis<{axis}>)", [x], lambda x: x.moved(lambda a: np.flip(a, axis)), x.dtype, e
    if name == "expand_dims":
        if rank > 3:
            return None
        at = random.randint(0, rank)
        return (f"expand_dims({{0}}, axis<{at}>)", [x], lambda x: x.moved(lambda a: np.expand_dims(a, at)), x.dtype,
                e[:at] + (Extent(1),) + e[at:])
    if name == "zeros_like":
        return "zeros_like({0})", [x], lambda x: x.moved(np.zeros_like), x.dtype, e
    if name == "slice" and not static(x):
        return slice_of_names(random, x)
    if not static(x):
        return None
    if name == "roll":
        by = random.randint(-3, 3)
        return f"roll<{by}>({{0}}, axis<{axis}>)", [x], lambda x: x.moved(lambda a: np.roll(a, by, axis)), x.dtype, e
    if name == "slice":
        parts, text = [], []
        for n in e:
            step = random.choice([1, 1, 2, 3, -1, -2])
            a, b = sorted(random.sample(range(n + 1), 2)) if n > 1 else (0, n)
            if step > 0:
                parts.append(slice(a, b, step))
                text.append(f"section<{a}, {b}, {step}>")
            else:
                parts.append(slice(None, None, step))
                text.append(f"section<from_start, to_end, {step}>")
        shape = np.zeros(e)[tuple(parts)].shape
        return (f"slice({{0}}, {', '.join(text)})", [x], lambda x: x.moved(lambda a: a[tuple(parts)]), x.dtype,
                tuple(Extent(n) for n in shape))
    if name == "pad":
        mode = random.choice(["", "reflect", "edge"])
        if mode and min(e) < 3:
            return None
        before = random.choice([0, 2])  # at most: the gradient of one that only follows x begins where the adjoint does
        sides = [(random.randint(0, before), random.randint(0, 2)) for _ in e]
        text = ", ".join(f"padding<{a}, {b}>" for a, b in sides) + (f", {mode}" if mode else "")
        return (f"pad({{0}}, {text})", [x], lambda x: x.moved(lambda a: np.pad(a, sides, mode or "constant")), x.dtype,
                tuple(Extent(n + a + b) for n, (a, b) in zip(e, sides)))
    if name == "reshape":
        size = int(np.prod(e))
        divisors = [d for d in range(1, size + 1) if size % d == 0][:12] if size else [0]
        a = random.choice(divisors)
        shape = random.choice([(size,), (a, size // a) if a else (0, 3)])
        return (f"reshape({{0}}, shape<{text_of(shape)}>{{}})", [x], lambda x: x.moved(lambda v: v.reshape(shape)), x.dtype,
                tuple(Extent(n) for n in shape))
    if name == "tile":
        counts = [random.randint(1, 2) for _ in e]
        return (f"tile<{text_of(counts)}>({{0}})", [x], lambda x: x.moved(lambda a: np.tile(a, counts)), x.dtype,
                tuple(Extent(n * c) for n, c in zip(e, counts)))
    if name == "repeat":
        return (f"repeat<2>({{0}}, axis<{axis}>)", [x], lambda x: x.moved(lambda a: np.repeat(a, 2, axis)), x.dtype,
                tuple(Extent(2 * n if i == axis else n) for i, n in enumerate(e)))
    if name == "tril" and rank > 1:
        k, which = random.randint(-1, 1), random.choice(["tril", "triu"])
        f = np.tril if which == "tril" else np.triu
        return f"{which}<{k}>({{0}})", [x], lambda x: x.moved(lambda a: f(a, k)), x.dtype, e
    if name == "broadcast_to" and rank < 4:
        n = random.randint(1, 4)
        shape = (n,) + e
        return (f"broadcast_to({{0}}, shape<{text_of(shape)}>{{}})", [x], lambda x: x.moved(lambda a: np.broadcast_to(a, shape).copy()),
                x.dtype, tuple(Extent(s) for s in shape))
    return None


def slice_of_names(random, x):
    """Along axes with names all, or elements that must be there; whose gradient lies between zeros of a named axis."""
    parts, text, extents = [], [], []
    for n in x.extents:
        if n < 1 or (n.name and random.random() < 0.4):
            parts.append(slice(None))
            text.append("section<>")
            extents.append(n)
            continue
        a, b = sorted(random.sample(range(int(n) + 1), 2))
        parts.append(slice(a, b))
        text.append(f"section<{a}, {b}>")
        extents.append(Extent(b - a))
    return f"slice({{0}}, {', '.join(text)})", [x], lambda x: x.moved(lambda a: a[tuple(parts)]), x.dtype, tuple(extents)


def joining(random, pick):
    x = pick(lambda n: len(n.extents) > 0)
    if x is None:
        return None
    axis = one_axis(random, x)
    y = pick(lambda n: n.dtype == x.dtype and len(n.extents) == len(x.extents)
             and all(i == axis or (a == b and a.name == b.name) for i, (a, b) in enumerate(zip(n.extents, x.extents))))
    if y is None:
        return None
    if random.random() < 0.3 and y.extents == x.extents and x.extents[axis].name == y.extents[axis].name and len(x.extents) < 4:
        return (f"stack(axis<{axis}>, {{0}}, {{1}})", [x, y], lambda *o: Value(x.dtype, np.stack([a.v for a in o], axis),
                np.stack([a.bound for a in o], axis)), x.dtype, x.extents[:axis] + (Extent(2),) + x.extents[axis:])
    if x.extents[axis].name or y.extents[axis].name:
        return None
    return (f"concat(axis<{axis}>, {{0}}, {{1}})", [x, y],
            lambda *o: Value(x.dtype, np.concatenate([a.v for a in o], axis), np.concatenate([a.bound for a in o], axis)), x.dtype,
            tuple(Extent(n + m) if i == axis else n for i, (n, m) in enumerate(zip(x.extents, y.extents))))


def sparse_sum(random, x):
    """As a step of gradient descent has it: rows, some of them twice, that are added to zeros and taken from what they were looked up in."""
    steps = Steps(random)
    at = np.clip(steps.value.v, 0, x.extents[0] - 1)
    zeros = f"zeros<{x.dtype}>(shape<{text_of(x.extents)}>{{}})"
    factor, times = random.choice([("0.5_c * ", 0.5), ("", 1)]) if is_float(x.dtype) else ("", 1)

    def less(x):
        with np.errstate(all="ignore"):
            updates = -(x.v * x.v.dtype.type(times)).astype(x.v.dtype)[at]
        return with_added(x, (at,), Value(x.dtype, updates, x.bound[at]), len(at) + 1)

    return f"{{0}} - {factor}scatter_add({zeros}, {steps.text}, gather({{0}}, {steps.text}, axis<0>))", [x], less, x.dtype, x.extents


class Steps:
    """Indices that are counted: -1, -1 + step, ..., of which the first is outside."""

    def __init__(self, random):
        count, step = random.choice([1, 2, 5]), random.choice([0, 1, 2])
        self.extents = (Extent(count),)
        self.value = Value("std::int32_t", np.arange(count) * step - 1)
        self.text = f"(arange<std::int32_t>(shape<{count}>{{}}) * {step}_c - 1_c)"

    def in_place_of_operand(self, made):
        text, operands, f, dtype, extents = made
        rest = [o for o in operands if o is not self]
        return (text.replace("{1}", self.text).replace("{2}", "{1}"), rest, lambda x, *others: f(x, self.value, *others), dtype, extents)


def lookup(random, pick):
    """By indices, which may lie outside: they are clamped."""
    x = pick(lambda n: len(n.extents) > 0 and static(n) and min(n.extents) > 0)
    if x is not None and x.dtype in NUMBERS and random.random() < 0.3:
        return sparse_sum(random, x)
    index = pick(lambda n: n.dtype in INTEGERS and len(n.extents) == 1 and n.v_exact and static(n))
    if x is None:
        return None
    if index is not None:
        return lookup_by(random, pick, x, index)
    steps = Steps(random)
    made = lookup_by(random, pick, x, steps)
    return made and steps.in_place_of_operand(made)


def lookup_by(random, pick, x, index):
    axis = one_axis(random, x)
    n = x.extents[axis]
    name = random.choice(["gather", "gather", "scatter_add", "one_hot", "gather_nd", "scatter_nd", "take_along_axis", "add_along_axis"])

    def clamped(i):
        return np.clip(i.v.astype(np.float64), 0, n - 1).astype(np.int64)

    if name.endswith("along_axis"):
        return along_axis(x, index, axis, name, clamped)
    each = f"reshape({{1}}, shape<{index.extents[0]}, 1>{{}})"  # an index of one axis a row
    if name == "gather_nd":
        axis, n = 0, x.extents[0]
        return f"gather_nd<1>({{0}}, {each})", [x, index], lambda x, i: x.moved(lambda a: a[clamped(i)]), x.dtype, index.extents + x.extents[1:]
    if name == "gather":
        return (f"gather({{0}}, {{1}}, axis<{axis}>)", [x, index], lambda x, i: x.moved(lambda a: np.take(a, clamped(i), axis)), x.dtype,
                x.extents[:axis] + index.extents + x.extents[axis + 1:])
    if name == "one_hot":
        if isinstance(index, Steps):
            return None
        count = random.choice([3, 70, 300])
        return (f"one_hot<{count}>({{0}})", [index], lambda i: Value("float", i.v.astype(object)[:, None] == np.arange(count)),
                "float", index.extents + (Extent(count),))
    if x.dtype not in NUMBERS:
        return None
    updates = pick(lambda u: u.dtype == x.dtype and u.extents == index.extents + x.extents[1:] and static(u))
    if updates is None:
        return None
    n = x.extents[0]
    text = "scatter_add({0}, {1}, {2})" if name == "scatter_add" else f"scatter_nd<1>({{0}}, {each}, {{2}}, add)"
    return text, [x, index, updates], lambda x, i, u: with_added(x, (clamped(i),), u, len(i.v)), x.dtype, x.extents


def with_added(x, at, u, most):
    """x with u added at these places, of which one may stand there `most` times."""
    v, bound = x.v.copy(), x.bound.copy()
    sizes = np.abs(x.v).astype(np.float64)
    with np.errstate(all="ignore"):
        np.add.at(v, at, u.v)
        np.add.at(bound, at, u.bound)
        np.add.at(sizes, at, np.where(np.isfinite(u.v), np.abs(u.v), 0).astype(np.float64))
    if not is_float(x.dtype):
        return Value(x.dtype, v, bound)
    unit, largest, _ = FLOATS[x.dtype]
    return finished(x.dtype, v, np.where(sizes > largest / 4, np.inf, bound + (most + 1) * unit * sizes), 0)


def along_axis(x, index, axis, name, clamped):
    """The same indices for each line of x; what is added are the elements there themselves."""
    count = index.extents[0]
    shape = x.extents[:axis] + (count,) + x.extents[axis + 1:]
    ones = tuple(count if i == axis else 1 for i in range(len(shape)))
    at = f"broadcast_to(reshape({{1}}, shape<{text_of(ones)}>{{}}), shape<{text_of(shape)}>{{}})"

    def places(i):
        return np.broadcast_to(clamped(i).reshape(ones), shape)

    taken = f"take_along_axis({{0}}, {at}, axis<{axis}>)"
    if name == "take_along_axis":
        return taken, [x, index], lambda x, i: x.moved(lambda a: np.take_along_axis(a, places(i), axis)), x.dtype, shape
    if x.dtype not in NUMBERS:
        return None

    def added(x, i):
        grid = list(np.indices(shape))
        grid[axis] = places(i)
        return with_added(x, tuple(grid), x.moved(lambda a: np.take_along_axis(a, places(i), axis)), count)

    return f"add_along_axis({{0}}, {at}, {taken}, axis<{axis}>)", [x, index], added, x.dtype, x.extents
