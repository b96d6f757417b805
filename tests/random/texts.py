# SPDX-License-Identifier: MIT
"""Random programs of strings beside numbers: joined, compared, measured, read as numbers, chosen by branches, carried by loops, printed in order."""
import random

import numpy as np

from text_values import FED, Node, Program, texts, values_of

WORDS = [b"", b"a", b"-7", b"12", b"0", b"it's", b'a "quoted" word', b"end\0of", b"\xc3\xa9t\xc3\xa9 \xff", b"line\nbreak", b"{} {0} %s \\",
         b"a text that is too long to lie in a std::string itself", b"x" * 300]
CONSTANTS = [b"", b"a", b", ", b"7", b"it\0is", b"a constant that is too long to lie in a std::string itself", b"\xc3\xa9"]


class Maker:
    def __init__(self, seed):
        self.seed, self.random, self.count = seed, random.Random(seed), 0
        # What a loop's body sees besides; which statements throw: a loop does not read them, since whether it has steps may decide that.
        self.statements, self.locals, self.thrown = [], [], set()

    def leaf(self, type_, shape):
        """A name of that type and shape, or None."""
        known = [(n, t, s) for n, (t, s) in FED.items()] + [(n, e.type, e.shape) for n, e in self.statements if not (self.locals and n in self.thrown)]
        fitting = [n for n, t, s in known + self.locals * 3 if t == type_ and s == tuple(shape)]
        return Node("name", type_, shape, name=self.random.choice(fitting)) if fitting else None

    def broadcast(self, shape):
        """Two shapes that broadcast to that one, which one of them has."""
        pair = [("m", 1), ("n",)] if shape == ("m", "n") else [shape, self.random.choice([shape, ()])]
        self.random.shuffle(pair)
        return pair

    def value(self, type_, shape, depth):
        return self.text(shape, depth) if type_ == "text" else self.number(type_, shape, depth)

    def text(self, shape, depth):
        r = self.random
        leaf = self.leaf("text", shape)
        if leaf and (depth <= 0 or r.random() < 0.15):
            return leaf
        if depth <= 0:
            return self.text_join(shape, 0)
        kinds = ["join"] * 4 + ["as_string", "as_string", "cond"]
        kinds += ["for_range", "while_loop", "scan", "upper"] if shape == () else ["for_range", "scan"] if shape == ("n",) else []
        return getattr(self, "text_" + r.choice(kinds))(shape, depth)

    def text_join(self, shape, depth):
        r = self.random
        parts = [self.text(s, depth - 1) for s in self.broadcast(shape)]
        if r.random() < 0.5:
            parts.insert(r.randrange(3), Node("constant", "text", (), value=r.choice(CONSTANTS)))
        return Node("join", "text", shape, parts, between=r.choice([b"", b"", b" ", b", ", b"|"]))

    def text_as_string(self, shape, depth):
        type_ = self.random.choice(["int", "int", "bool", "float"] if shape == () else ["int", "bool"])
        return Node("as_string", "text", shape, [self.leaf("float", ()) if type_ == "float" else self.number(type_, shape, depth - 1)])

    def text_upper(self, shape, depth):
        return Node("upper", "text", shape, [self.text(shape, depth - 1)])

    def text_cond(self, shape, depth):
        return self.cond("text", shape, depth)

    def cond(self, type_, shape, depth):
        bodies = [self.value(type_, shape, depth - 1) for _ in range(2)]
        return Node("cond", type_, shape, [self.number("bool", (), depth - 1)], bodies=bodies)

    def loop(self, kind, shape, operands, local, depth, bodies=1, **more):
        """local: {name: (type, shape)} of what the body is given."""
        self.count += 1
        named = {f"{n}{self.count}": of for n, of in local.items()}
        before = self.locals
        self.locals = before + [(n, *of) for n, of in named.items()]
        made = [self.text(local["state"][1], min(depth - 1, 2)) for _ in range(bodies)]
        self.locals = before
        return Node(kind, "text", shape, operands, bodies=made, locals=list(named), **more)

    def text_for_range(self, shape, depth):
        return self.loop("for_range", shape, [self.text(shape, depth - 1)], {"k": ("int", ()), "state": ("text", shape)}, depth,
                         count=self.random.choice([0, 1, 3]))

    def text_while_loop(self, shape, depth):
        made = self.loop("while_loop", shape, [self.text(shape, depth - 1)], {"state": ("text", ())}, min(depth, 2), limit=self.random.choice([0, 9, 40]))
        state = Node("name", "text", (), name=made.more["locals"][0])
        made.more["bodies"] = [Node("join", "text", (), [state, Node("constant", "text", (), value=b"+")] + made.more["bodies"], between=b"")]
        return made

    def text_scan(self, shape, depth):
        along = [self.text(("n",), depth - 2), self.number("int", ("n",), depth - 2)]
        return self.loop("scan", shape, [self.text((), depth - 1)] + along, {"state": ("text", ()), "name": ("text", ()), "size": ("int", ())}, depth,
                         bodies=2, outputs=shape != ())

    def number(self, type_, shape, depth):
        """An int or a bool."""
        r = self.random
        leaf = self.leaf(type_, shape)
        if leaf and (depth <= 0 or r.random() < 0.2):
            return leaf
        if type_ == "bool":
            kind = r.choice(["==", "!=", "<"])
            return Node(kind, "bool", shape, [self.value("int" if kind == "<" else "text", s, depth - 1) for s in self.broadcast(shape)])
        kinds = ["length"] * 3 + (["arithmetic", "arithmetic", "where", "cond"] if depth > 0 else [])
        kinds += ["to_number"] if depth > 0 and not self.locals else []
        kinds += ([] if shape else ["sum", "tally"] if depth > 0 else ["number"])
        kind = r.choice(kinds)
        if kind == "number":
            return Node("number", "int", (), value=r.choice([0, 1, 3, 40]))
        if kind == "cond":
            return self.cond("int", shape, depth)
        if kind == "length" or kind == "to_number" and r.random() < 0.2:
            return Node(kind, "int", shape, [self.text(shape, depth - 1)])
        if kind == "to_number":
            return Node(kind, "int", shape, [Node("as_string", "text", shape, [self.number("int", shape, depth - 1)])])
        if kind == "sum":
            return Node("sum", "int", (), [self.number("int", r.choice([("n",), (3,)]), depth - 1)])
        if kind == "tally":
            return Node("tally", "int", (), [self.text(r.choice([("n",), (3,)]), depth - 1), self.number("int", (), depth - 1)])
        operands = [self.number("int", s, depth - 1) for s in self.broadcast(shape)]
        if kind == "where":
            return Node("where", "int", shape, [self.number("bool", shape, depth - 1)] + operands)
        return Node(r.choice(["+", "-", "*", "maximum"]), "int", shape, operands)

    def concatenated(self):
        shapes = [self.random.choice([("n",), (3,)]) for _ in range(self.random.choice([2, 2, 3]))]
        return Node("concat", "text", ("+".join(str(s[0]) for s in shapes),), [self.text(s, 1) for s in shapes], axis=self.random.choice([0, -1]))

    def fed(self):
        r = self.random
        n, m = r.choice([0, 1, 2, 5]), r.choice([1, 2, 3])
        some = lambda count: texts([r.choice(WORDS) for _ in range(count)])
        return {"s": some(1).reshape(()), "t": some(1).reshape(()), "names": some(n), "column": some(m).reshape(m, 1), "three": some(3),
                "i": np.int32(r.choice([-3, 0, 4, 12])), "v": np.array([r.randint(-9, 30) for _ in range(n)], np.int32), "p": np.bool_(r.random() < 0.5),
                "f": np.float32(r.choice([0.25, -1.5, 4, 0]))}

    def make(self):
        r, fed = self.random, self.fed()
        for i in range(r.randint(3, 6)):
            kind = r.choice(["text"] * 4 + ["int", "bool", "concat"])
            made = self.concatenated() if kind == "concat" else self.value(kind, r.choice([(), (), ("n",), (3,), ("m", 1), ("m", "n")]), 3)
            self.statements.append((f"e{i}", made))
            program = Program(self.seed, fed, list(self.statements), [])
            self.thrown = {n for n, v in values_of(program).items() if v is None}
        printed = [n for n, e in self.statements if len(e.shape) < 2]
        program.said = r.sample(printed, min(len(printed), r.choice([0, 2, 3])))
        return program if is_short(program) else None


def is_short(program):
    values = values_of(program).values()
    return all(len(t) < 5000 for v in values if v is not None and v.dtype == object for t in v.flat)


def random_texts(seed):
    return Maker(seed).make()
