# SPDX-License-Identifier: MIT
"""Random graphs: nodes whose constraints are solved op by op while they are made, each with its value and bound (bounds.py)."""
import random as random_module

import numpy as np

import elementwise_ops as table
from bounds import NUMPY, Value, elementwise, is_float
from composite_ops import composite
from draw_ops import draw
from graph_nodes import Graph, Node, is_reached
from movement_ops import joining, lookup, movement
from ordering_ops import sorting
from product_ops import BYTES, INNER, ROWS, einsum, matmul, product_of_bytes
from structure_ops import Extent, reduction, softmax
from window_ops import windows

STRUCTURE = [reduction, reduction, softmax, movement, movement, joining, lookup, sorting]

SPECIAL = [0.0, -0.0, 0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, -2.5, 100.25, 1e30, -1e-30, 16777217.0, 3.4e38]


class Maker:
    def __init__(self, seed):
        self.random = random_module.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.graph = Graph(seed)
        r = self.random
        self.style = r.choice(["products", "products", "elementwise", "mixed", "mixed", "gradient", "images", "layers", "bytes"])
        self.float = r.choice(["float", "float", "double"]) if self.style not in ("gradient", "layers") else r.choice(["double", "double", "float"])
        self.wild = self.style in ("elementwise", "mixed") and r.random() < 0.5
        self.names = {"n": r.choice([0, 1, 2, 5, 17]), "m": r.choice([1, 3, 40])}
        self.has_names = r.random() < 0.35

    def extent(self, choices):
        if self.has_names and self.random.random() < 0.4:
            name = self.random.choice("nm")
            return Extent(self.names[name], name)
        return Extent(self.random.choice(choices))

    def data(self, dtype, extents):
        numbers, size = self.numbers, int(np.prod(extents))
        if dtype == "bool":
            v = numbers.random(size) < 0.5
        elif is_float(dtype):
            v = np.round(numbers.uniform(-2, 2, size) * 1024) / 1024
            if self.wild:
                v = np.where(numbers.random(size) < 0.3, numbers.choice(SPECIAL, size), v)
            v = v.astype(NUMPY[dtype]).astype(np.float64)
        else:
            info = np.iinfo(NUMPY[dtype])
            v = numbers.integers(0 if info.min == 0 else -9, 10, size)
            if self.wild or self.random.random() < 0.2:
                edges = np.array([info.min, info.max, info.max - 1, 0, 1], dtype=object)
                v = np.where(numbers.random(size) < 0.3, numbers.choice(edges, size), v)
        return Value(dtype, np.asarray(v).astype(np.float64 if is_float(dtype) else NUMPY[dtype]).reshape(tuple(int(e) for e in extents)))

    def new_input(self, dtype, extents):
        return self.append(Node(None, [], None, dtype, extents, self.data(dtype, extents)))

    def append(self, node):
        self.graph.nodes.append(node)
        return node

    def pick(self, condition):
        """A node for which it holds: late ones more often."""
        fitting = [n for n in self.graph.nodes if condition(n)]
        if not fitting:
            return None
        return fitting[-1 - min(int(self.random.expovariate(0.4)), len(fitting) - 1)]

    # Ops.

    def unary(self):
        call, kinds, f, dtype, ulps = self.random.choice(table.UNARY)
        x = self.pick(lambda n: n.dtype in table.KINDS[kinds])
        return x and (call, [x], lambda x: elementwise(f, [x], dtype or x.dtype, ulps), dtype or x.dtype, x.extents)

    def binary(self):
        call, kinds, f, dtype, ulps = self.random.choice(table.BINARY)
        x = self.pick(lambda n: n.dtype in table.KINDS[kinds])
        y = x and self.pick(lambda n: n.dtype == x.dtype and joined(x.extents, n.extents) is not None)
        if not y:
            return None
        if self.random.random() < 0.5:
            x, y = y, x
        return call, [x, y], lambda x, y: elementwise(f, [x, y], dtype or x.dtype, ulps), dtype or x.dtype, joined(x.extents, y.extents)

    def exchanged(self):
        """An op twice, its operands in either order: what a plan may take for one."""
        x = self.pick(lambda n: n.dtype in table.NUMBERS)
        y = self.pick(lambda n: n.dtype == x.dtype and joined(x.extents, n.extents) is not None) if self.random.random() < 0.5 else None
        name, f = self.random.choice([("maximum", np.maximum), ("minimum", np.minimum), ("maximum", np.maximum), ("minimum", np.minimum),
                                      ("add", np.add), ("multiply", np.multiply)])
        second = "{1}" if y else "0_c"
        operands, extents = [x] + ([y] if y else []), joined(x.extents, y.extents) if y else x.extents

        def value(x, y=None):
            return elementwise(f, [x, y or Value(x.dtype, 0)], x.dtype, 1)

        for call in (f"{name}({{0}}, {second})", f"{name}({second}, {{0}})"):
            made = self.try_add((call, operands, value, x.dtype, extents))
            if made:
                self.graph.fetches.append(made)

    def where(self):
        c = self.pick(lambda n: n.dtype == "bool")
        x = c and self.pick(lambda n: (n.dtype != "bool" or self.graph.seed >= 42000) and joined(c.extents, n.extents) is not None)
        y = x and self.pick(lambda n: n.dtype == x.dtype and joined(joined(c.extents, x.extents), n.extents) is not None)
        if not y:
            return None

        def f(c, x, y):
            bound = np.where(c.bound > 0, np.inf, np.where(c.v, x.bound, y.bound))
            return Value(x.dtype, np.where(c.v, x.v, y.v), bound)

        return "where({0}, {1}, {2})", [c, x, y], f, x.dtype, joined(joined(c.extents, x.extents), y.extents)

    def cast(self):
        x = self.pick(lambda n: True)
        to = self.random.choice(["float", "double", "std::int32_t", "std::int64_t", "std::uint8_t", "bool", self.float])
        if x.dtype == to:
            return None
        if is_float(x.dtype) and to in table.INTEGERS:
            info = np.iinfo(NUMPY[to])
            # What the integer cannot hold gives anything.
            if not np.all(np.isfinite(x.value.v)) or np.any((np.abs(x.value.v) > 2**30) | (x.value.v < info.min) | (x.value.v > info.max)):
                return None
        cut = np.trunc if is_float(x.dtype) and to in table.INTEGERS else lambda v: v

        def f(x):
            as_type = lambda v: cut(v) != 0 if to == "bool" else cut(v).astype(np.float64 if is_float(to) else NUMPY[to])
            result = elementwise(as_type, [x], to, 1 if is_float(to) and x.dtype != "float" else 0)
            if to == "bool" and is_float(x.dtype):  # at both ends of the bound it may be true, and false at the 0 between them
                result.bound = np.where((x.bound > 0) & (np.abs(x.v) <= x.bound), np.inf, result.bound)
            return result

        return f"astype<{to}>({{0}})", [x], f, to, x.extents

    def structure(self):
        return self.random.choice(STRUCTURE)(self.random, self.pick)

    def product(self):
        op = self.random.choice([matmul, matmul, matmul, einsum, windows])
        return op(self.random, self.pick, self.new_input)

    def product_of_bytes(self):
        return product_of_bytes(self.random, self.pick, self.new_input)

    def composite(self):
        return composite(self.random, self.pick, self.new_input)

    def draw(self):
        x = self.pick(lambda n: all(e.name is None for e in n.extents))
        return x and draw(self.random, len(self.graph.nodes), self.float, x.extents)

    def windows(self):
        return windows(self.random, self.pick, self.new_input)

    def twin(self):
        """The same op of another input with other extents: what may share a kernel."""
        inputs = [n for n in self.graph.inputs() if len(n.extents) == 2]
        product = [n for n in self.graph.nodes if n.call and n.call.startswith("matmul") and n.operands[0] in inputs]
        if not product:
            return self.product()
        p = self.random.choice(product)
        at = p.operands[0].extents
        rows = Extent(self.random.choice(ROWS))
        turned = "matrix_transpose({0})" in p.call
        x = self.new_input(p.dtype, (at[0], rows) if turned else (rows, at[1]))
        extents = (rows,) + p.extents[1:]
        return p.call, [x, p.operands[1]], p.f, p.dtype, extents

    def try_add(self, made):
        if not made:
            return None
        call, operands, f, dtype, extents = made
        if int(np.prod(extents)) > 70000 or len(extents) > 4:
            return None
        with np.errstate(all="ignore"):
            value = f(*[o.value for o in operands])
        assert value.v.shape == tuple(int(e) for e in extents), (call, [o.extents for o in operands], extents, value.v.shape)
        if is_float(dtype) and value.v.size:
            # A value of which nothing is known, and one that tells nothing, are rarely worth going on with.
            with np.errstate(all="ignore"):
                known = value.bound <= 1e-2 * np.abs(value.v) + 1e-6
            finite = np.isfinite(value.v).all()
            if (known.mean() < 0.7 or (not finite and not self.wild)) and self.random.random() < 0.9:
                return None
            if self.style == "gradient" and (not finite or not known.all() or np.abs(value.v).max() > 1e4):
                return None
        elif value.v.size and np.mean(value.bound > 0) > 0.3:
            return None
        return self.append(Node(call, operands, f, dtype, extents, value))

    def make(self):
        r = self.random
        if self.style == "products":
            for _ in range(r.randint(1, 2)):
                self.new_input(self.float, (self.extent(ROWS), self.extent(INNER)))
            families = [self.product, self.twin, self.twin, self.unary, self.structure]
        elif self.style == "images":
            self.new_input(self.float, [Extent(r.choice(c)) for c in ((1, 2), (3, 5, 8), (4, 7), (1, 3, 16))])
            families = [self.windows, self.windows, self.unary, self.structure, self.composite]
        elif self.style == "bytes":
            for _ in range(r.randint(1, 2)):
                self.new_input(r.choice(BYTES), (self.extent(ROWS), Extent(r.choice(INNER))))
            families = [self.product_of_bytes, self.product_of_bytes, self.cast, self.unary, self.structure]
        else:
            for _ in range(r.randint(2, 3)):
                self.new_input(self.float, [self.extent((1, 2, 3, 4, 7, 16)) for _ in range(r.randint(0, 3))])
            if self.style == "mixed":
                self.new_input(r.choice(table.INTEGERS), [self.extent((1, 3, 5)) for _ in range(r.randint(0, 2))])
                self.new_input(r.choice(table.INTEGERS), [Extent(r.choice((1, 4)))])
            if self.style == "layers":
                self.new_input(self.float, [self.extent(c) for c in ((1, 2), (1, 3, 7), (1, 4, 16))])
            families = {"layers": [self.composite, self.composite, self.composite, self.unary, self.binary, self.structure, self.product, self.draw],
                        "elementwise": [self.unary, self.unary, self.binary, self.binary, self.where, self.cast, self.exchanged],
                        "mixed": [self.unary, self.binary, self.exchanged, self.where, self.cast, self.structure, self.structure, self.product,
                                  self.composite, self.draw],
                        "gradient": [self.unary, self.unary, self.binary, self.structure, self.structure, self.product, self.composite]}[self.style]
        wanted = r.randint(4, 9)
        for _ in range(12 * wanted):
            if sum(1 for n in self.graph.nodes if n.call) >= wanted:
                break
            self.try_add(r.choice(families)())
        return self.finish()

    def finish(self):
        g, r = self.graph, self.random
        made = [n for n in g.nodes if n.call]
        if not made:
            return None
        used = {id(o) for n in g.nodes for o in n.operands}
        ends = [n for n in made if id(n) not in used]
        g.fetches = (g.fetches[:2] + [n for n in r.sample(ends, min(len(ends), 3)) if n not in g.fetches])[:3]
        for n in r.sample(made, min(len(made), 2)):
            if n not in g.fetches and len(g.fetches) < 3:
                g.fetches.append(n)
        g.nodes = g.needed(g.fetches)
        inner = [n for n in g.nodes if n.call and n not in g.fetches]
        if inner and r.random() < 0.4:
            g.fed = r.choice(inner)
        # From seed 42000 on more gradients: PyTorch tells their elements apart.
        more = g.seed >= 42000
        if self.style == "gradient" or (not self.wild and r.random() < (0.6 if more or self.style in ("layers", "images") else 0.2)):
            candidates = [(k, x) for k, y in enumerate(g.fetches) for x in g.inputs() if is_reached(g, y, x)]
            for k, x in r.sample(candidates, min(len(candidates), 3 if more else 1)):
                g.gradients.append((k, x, 1))
                if r.random() < 0.3 and (self.style == "gradient" or more) and not is_long_product(g, g.fetches[k]):
                    g.gradients.append((k, x, 2))
        return g


def is_long_product(g, y):
    """Whether the reference takes minutes for a second derivative, which goes over all pairs of factors."""
    return any(n.call and n.call.startswith("prod") and n.operands[0].value.v.size > 20000 for n in g.needed([y]))


def joined(a, b):
    """The extents to which two broadcast, or None."""
    result = []
    for i in range(1, max(len(a), len(b)) + 1):
        m, n = a[-i] if i <= len(a) else Extent(1), b[-i] if i <= len(b) else Extent(1)
        if m == n and m.name == n.name:
            result.append(m)
        elif m == 1 and m.name is None:
            result.append(n)
        elif n == 1 and n.name is None:
            result.append(m)
        else:
            return None
    return tuple(reversed(result))


def random_graph(seed):
    return Maker(seed).make()
