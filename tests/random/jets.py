# SPDX-License-Identifier: MIT
"""Numbers with their first and second derivative in one input: what gradients of random programs are compared with."""
import math


class Jet:
    __slots__ = ("v", "d", "e")

    def __init__(self, v, d=0.0, e=0.0):
        self.v, self.d, self.e = float(v), float(d), float(e)

    def through(self, f, f1, f2):
        """f(self), of a function with these derivatives here."""
        return Jet(f, f1 * self.d, f1 * self.e + f2 * self.d * self.d)

    def __add__(self, o):
        return Jet(self.v + o.v, self.d + o.d, self.e + o.e)

    def __sub__(self, o):
        return Jet(self.v - o.v, self.d - o.d, self.e - o.e)

    def __mul__(self, o):
        return Jet(self.v * o.v, self.d * o.v + self.v * o.d, self.e * o.v + 2 * self.d * o.d + self.v * o.e)


def exp(x):
    y = math.exp(x.v)
    return x.through(y, y, y)


def reciprocal(x):
    return x.through(1 / x.v, -1 / x.v**2, 2 / x.v**3)


def tanh(x):
    t = math.tanh(x.v)
    return x.through(t, 1 - t * t, -2 * t * (1 - t * t))


def sin(x):
    return x.through(math.sin(x.v), math.cos(x.v), -math.sin(x.v))


def cos(x):
    return x.through(math.cos(x.v), -math.sin(x.v), -math.cos(x.v))


def sigmoid(x):
    s = 1 / (1 + math.exp(-x.v))
    return x.through(s, s * (1 - s), s * (1 - s) * (1 - 2 * s))


def absolute(x):
    s = (x.v > 0) - (x.v < 0)
    return x.through(abs(x.v), s, 0)


def softened(x):
    """sqrt(1 + x * x)."""
    r = math.sqrt(1 + x.v * x.v)
    return x.through(r, x.v / r, 1 / r**3)


def maximum(a, b):
    return a if a.v > b.v else b


def minimum(a, b):
    return a if a.v < b.v else b
