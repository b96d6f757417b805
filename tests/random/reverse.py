# SPDX-License-Identifier: MIT
"""Arrays of doubles that know what they were made of, and gradients by reverse-mode differentiation: what training is compared with."""
import numpy as np


class Array:
    """parents: [(array, from the slope by this one to that by the parent)]."""

    def __init__(self, value, parents=()):
        self.value, self.parents = np.asarray(value, np.float64), parents

    def __add__(self, o):
        return joined(self, o, lambda p, q: p + q, lambda d, p, q: d, lambda d, p, q: d)

    def __sub__(self, o):
        return joined(self, o, lambda p, q: p - q, lambda d, p, q: d, lambda d, p, q: -d)

    def __mul__(self, o):
        return joined(self, o, lambda p, q: p * q, lambda d, p, q: d * q, lambda d, p, q: d * p)

    def through(self, f, slope):
        """f of each element; the slope of x and y."""
        x, y = self.value, f(self.value)
        return Array(y, [(self, lambda d: d * slope(x, y))])


def joined(a, b, f, to_first, to_second):
    a, b = (x if isinstance(x, Array) else Array(x) for x in (a, b))
    p, q = a.value, b.value
    return Array(f(p, q), [(a, lambda d: summed_to(to_first(d, p, q), p.shape)), (b, lambda d: summed_to(to_second(d, p, q), q.shape))])


def summed_to(d, shape):
    """Along the axes in which an array of that shape was repeated."""
    d = d.sum(tuple(range(d.ndim - len(shape))))
    return d.sum(tuple(i for i, n in enumerate(shape) if n == 1 and d.shape[i] > 1), keepdims=True)


def matmul(a, b):
    """Of the last axis of a and a matrix."""
    rows = lambda x: x.reshape(-1, x.shape[-1])
    return Array(a.value @ b.value, [(a, lambda d: d @ b.value.T), (b, lambda d: rows(a.value).T @ rows(d))])


def mean(a, axes):
    """Axes of extent 1 stay."""
    y = a.value.mean(axes, keepdims=True)
    return Array(y, [(a, lambda d: np.broadcast_to(d * (y.size / a.value.size), a.value.shape))])


def where(mask, a, b):
    return joined(a, b, lambda p, q: np.where(mask, p, q), lambda d, p, q: np.where(mask, d, 0), lambda d, p, q: np.where(mask, 0, d))


def part(a, index):
    """a[index], for what names no element twice."""
    def placed(d):
        whole = np.zeros_like(a.value)
        whole[index] = d
        return whole
    return Array(a.value[index], [(a, placed)])


def stack(arrays, axis):
    return Array(np.stack([a.value for a in arrays], axis), [(a, lambda d, k=k: np.take(d, k, axis)) for k, a in enumerate(arrays)])


def maximum(a, b):
    """Where both are equal the first has the slope."""
    return joined(a, b, np.maximum, lambda d, p, q: d * (p >= q), lambda d, p, q: d * (p < q))


def concatenate(arrays):
    ends = np.cumsum([a.value.shape[-1] for a in arrays])
    cut = lambda k: lambda d: d[..., ends[k] - arrays[k].value.shape[-1] : ends[k]]
    return Array(np.concatenate([a.value for a in arrays], -1), [(a, cut(k)) for k, a in enumerate(arrays)])


def constant(a):
    """The value, through which no gradient passes."""
    return Array(a.value)


def gradients(y, d, of):
    """Of the sum of d y, by each array of a list."""
    order, seen = [], set()

    def visit(a):
        if id(a) not in seen:
            seen.add(id(a))
            for p, _ in a.parents:
                visit(p)
            order.append(a)

    visit(y)
    slopes = {id(y): d}
    for a in reversed(order):
        for p, pull in a.parents:
            slopes[id(p)] = slopes.get(id(p), 0) + pull(slopes[id(a)])
    return [slopes.get(id(a), np.zeros_like(a.value)) for a in of]
