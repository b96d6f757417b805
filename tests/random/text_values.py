# SPDX-License-Identifier: MIT
"""Random programs of strings beside numbers, as nodes, and what Python makes of them."""
import numpy as np

# What is fed: type, extents. Those with a letter are named.
FED = {"s": ("text", ()), "t": ("text", ()), "names": ("text", ("n",)), "column": ("text", ("m", 1)), "three": ("text", (3,)), "i": ("int", ()),
       "v": ("int", ("n",)), "p": ("bool", ()), "f": ("float", ())}


class NoNumber(Exception):
    """A text that to_number refuses."""


class Node:
    """kind: "name", "constant", "number", or what is computed of operands; more: its attributes, the bodies of branches and loops among them."""

    def __init__(self, kind, type_, shape, operands=(), **more):
        self.kind, self.type, self.shape, self.operands, self.more = kind, type_, tuple(shape), list(operands), more

    def parts(self):
        return self.operands + self.more.get("bodies", [])

    def names(self):
        """Of what it is made of: where a scan's last state is all that is asked for, not of what its steps give."""
        own = [self.more["name"]] if self.kind == "name" else []
        return own + [n for part in self.parts()[: None if self.more.get("outputs", True) else -1] for n in part.names()]


class Program:
    """statements: [(name, node)] in order; said: those of them that are printed, one after another."""

    def __init__(self, seed, fed, statements, said):
        self.seed, self.fed, self.statements, self.said = seed, fed, statements, said


def texts(values):
    a = np.empty(len(values), object)
    a[:] = values
    return a


def each(f, *arrays):
    """Of elements of arrays that broadcast, an array of objects."""
    arrays = np.broadcast_arrays(*arrays)
    r = np.empty(arrays[0].shape, object)
    for at in np.ndindex(arrays[0].shape):
        r[at] = f(*(a[at] for a in arrays))
    return r


def number_in(text):
    """As std::from_chars reads a whole text."""
    digits = text[1:] if text[:1] == b"-" else text
    if not digits or not all(48 <= c < 58 for c in digits) or not -2**31 <= int(text) < 2**31:
        raise NoNumber(text)
    return int(text)


def shown(number):
    return b"%d" % number if not isinstance(number, np.floating) else ("%g" % number).encode()


def upper(text):
    return bytes(c - 32 if 97 <= c < 123 else c for c in text)


def ints(a):
    return np.asarray(a, np.int32)


COMPUTED = {
    "join": lambda m, *parts: each(lambda *p: m["between"].join(p), *parts),
    "concat": lambda m, *parts: np.concatenate(parts, m["axis"]),
    "as_string": lambda m, x: each(shown, x),
    "length": lambda m, x: ints(each(len, x)),
    "to_number": lambda m, x: ints(each(number_in, x)),
    "==": lambda m, a, b: each(lambda p, q: p == q, a, b).astype(bool),
    "!=": lambda m, a, b: each(lambda p, q: p != q, a, b).astype(bool),
    "<": lambda m, a, b: a < b,
    "+": lambda m, a, b: a + b,
    "-": lambda m, a, b: a - b,
    "*": lambda m, a, b: a * b,
    "maximum": lambda m, a, b: np.maximum(a, b),
    "where": lambda m, c, a, b: np.where(c, a, b),
    "sum": lambda m, x: x.sum(dtype=np.int32),
    "upper": lambda m, x: np.asarray(upper(x.item()), object),
    "tally": lambda m, x, n: ints(sum(len(t) for t in x.flat)) + n,
}


class Values:
    """What names stand for; a statement is computed where it is needed."""

    def __init__(self, program):
        self.known, self.statements = dict(program.fed), dict(program.statements)

    def of(self, name):
        if name not in self.known:
            self.known[name] = self.value(self.statements[name], {})
        return self.known[name]

    def value(self, node, local):
        m = node.more
        if node.kind == "name":
            return local[m["name"]] if m["name"] in local else self.of(m["name"])
        if node.kind in ("constant", "number"):
            return np.asarray(m["value"], object if node.kind == "constant" else np.int32)
        if node.kind == "cond":
            return self.value(m["bodies"][0 if self.value(node.operands[0], local) else 1], local)
        operands = [self.value(o, local) for o in node.operands]
        if node.kind in COMPUTED:
            with np.errstate(all="ignore"):
                return COMPUTED[node.kind](m, *operands)
        return getattr(self, "loop_" + node.kind)(node, operands, local)

    def step(self, node, local, *values, body=0):
        return self.value(node.more["bodies"][body], {**local, **dict(zip(node.more["locals"], values))})

    def loop_for_range(self, node, operands, local):
        state = operands[0]
        for i in range(node.more["count"]):
            state = self.step(node, local, ints(i), state)
        return state

    def loop_while_loop(self, node, operands, local):
        state = operands[0]
        while len(state.item()) < node.more["limit"]:
            state = self.step(node, local, state)
        return state

    def loop_scan(self, node, operands, local):
        """The last state, or what the steps have given."""
        state, given = operands[0], []
        for text, number in zip(*operands[1:]):
            at = state, np.asarray(text, object), ints(number)
            state, out = self.step(node, local, *at), self.step(node, local, *at, body=1)
            given.append(out.item())
        return texts(given) if node.more["outputs"] else state


def values_of(program):
    """{name: value, or None where it throws} of all statements."""
    values, all_ = Values(program), {}
    for name, _ in program.statements:
        try:
            all_[name] = values.of(name)
        except NoNumber:
            all_[name] = None
    return all_
