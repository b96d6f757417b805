# SPDX-License-Identifier: MIT
"""Random programs of control flow, effects, functions and variables, as trees: blocks of definitions and a result.

Every value is a double or three of them. What could have an effect once or several times by how it is read is not made: an effect in a
loop hangs on the loop's state, and one that stands before a loop or branch is needed outside of it, too.
"""
import random as random_module


class Node:
    """kind, operands (nodes), and what else the kind has: text, blocks, numbers."""

    def __init__(self, kind, operands=(), size=1, **more):
        self.kind, self.operands, self.size, self.more = kind, list(operands), size, more


class Block:
    """A body: parameters (name, size), definitions (name, node), results (nodes)."""

    def __init__(self, parameters):
        self.parameters, self.definitions, self.results = parameters, [], []


def names_read(block):
    """The names that the results of a block need, through its definitions and the blocks in them."""
    names = set()

    def read(node):
        if node.kind == "name":
            names.add(node.more["name"])
        elif node.kind == "scan":
            names.add("xs")
        for operand in node.operands:
            read(operand)
        for inner in node.more.get("blocks", []):
            names.update(names_read(inner))

    for node in block.results:
        read(node)
    for name, node, _ in reversed(block.definitions):
        if name in names:
            read(node)
    return names


class Program:
    def __init__(self, seed, body, style, tags, variables, inputs):
        self.seed, self.body, self.style, self.tags, self.variables, self.inputs = seed, body, style, tags, variables, inputs


INPUTS = [("x", 1), ("y", 1), ("v", 3)]
UNARY = ["tanh", "sin", "cos", "sigmoid", "half", "negative", "soft"]
BINARY = ["+", "-", "*", "max", "min"]
# Of three numbers, and how many they give: from this seed on. Those below make the programs of which faults are known.
OF_THREE, OF_THREE_FROM = {"turned": (1, 3), "softmax": (1, 3), "cumsum": (1, 3), "dot": (2, 1), "outer": (2, 3), "window": (2, 3), "second": (1, 1),
                           "largest": (1, 1)}, 22000


class Maker:
    def __init__(self, seed):
        self.random = random_module.Random(seed)
        self.names = self.tags = 0
        self.variables = []
        # What is added where a value would be of numbers alone; in the body of a function its parameter.
        self.filler = "x"
        r = self.random
        self.style = r.choice(["effects", "effects", "gradients", "gradients", "functions"])
        self.seed, self.left = seed, r.choice([1, 1, 2, 2, 3])
        # Whether the first loop or branch has two in it, of which the second probably reads what the first gives.
        self.chain = self.style == "gradients" and r.random() < 0.4
        if self.chain:
            self.left = 3

    def fresh(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    # Expressions without control flow.

    def leaf(self, scope):
        if self.random.random() < 0.15:
            return Node("number", text=self.random.choice(["0.5", "-0.25", "1.5", "0.75"]))
        name, size = scope[-1 - min(int(self.random.expovariate(0.35)), len(scope) - 1)]
        return Node("name", size=size, name=name)

    def simple(self, scope, depth=2, size=None):
        """Of literals alone nothing is made."""
        if size == 1:
            e = self.simple(scope, depth)
            return e if e.size == 1 else Node("sum", [e])
        if size == 3:
            return Node("+", [self.simple(scope, depth), Node("name", size=3, name="v")], 3)
        if depth == 0 or self.random.random() < 0.2:
            e = self.leaf(scope)
            return e if e.kind == "name" else Node("+", [e, Node("name", size=1, name=self.filler)])
        choice = self.random.random()
        if choice < 0.35:
            a = self.simple(scope, depth - 1)
            return Node(self.random.choice(UNARY), [a], a.size)
        if self.seed >= OF_THREE_FROM and self.filler == "x" and self.random.random() < 0.3:
            kind = self.random.choice(list(OF_THREE))
            count, size = OF_THREE[kind]
            return Node(kind, [self.simple(scope, depth - 1, 3) for _ in range(count)], size)
        if choice < 0.45:
            p, a, b = self.predicate(scope), self.simple(scope, depth - 1), self.simple(scope, depth - 1)
            return Node("where", [p, a, b], max(a.size, b.size))
        a, b = self.simple(scope, depth - 1), self.leaf(scope) if self.random.random() < 0.4 else self.simple(scope, depth - 1)
        if self.random.random() < 0.5 and b.kind != "number":
            a, b = b, a
        return Node(self.random.choice(BINARY), [a, b], max(a.size, b.size))

    def predicate(self, scope):
        return Node(self.random.choice(["<", ">"]), [self.simple(scope, 1, 1), Node("number", text=self.random.choice(["0.125", "-0.5", "0.7"]))])

    # What makes blocks.

    def block(self, parameters, scope, anchor, size, depth):
        """anchor: a name that changes with every step of all loops around, or None outside of any."""
        b = Block(parameters)
        inner = scope + parameters
        if self.style == "effects" and self.random.random() < 0.7:
            inner = self.define(b, inner, self.effect(inner, anchor), True)
        for _ in range(2 * (depth == 1) if self.chain else self.random.randint(0, 1)):
            if self.left > 0 and depth < 3:
                inner = self.define(b, inner, self.control(inner, anchor, depth), True)
            else:
                inner = self.define(b, inner, self.simple(inner), False)
        b.results = [self.result(b, inner, size)]
        return b

    def define(self, b, scope, node, needed):
        name = self.fresh("t")
        b.definitions.append((name, node, needed))
        return scope + [(name, node.size)] * (6 if self.chain else 1)

    def result(self, b, scope, size):
        e = self.simple(scope, 2, size)
        for name, node, needed in b.definitions:
            if needed:
                a = Node("name", size=node.size, name=name)
                if size == 1 and a.size == 3:
                    a = Node("sum", [a])
                e = Node("+", [Node("half", [e], e.size), a], max(e.size, a.size))
        return Node("tanh" if self.random.random() < 0.3 else "half", [e], e.size) if e.size == size else Node("sum", [e])

    def anchored(self, e, anchor):
        return e if anchor is None else Node("+", [e, Node("name", size=1, name=anchor)], e.size)

    def effect(self, scope, anchor):
        """A value, after an assignment or a call."""
        kind = self.random.choice(["note", "note", "read", "assign", "assign_add"])
        value, given = self.anchored(self.simple(scope, 1), anchor), self.anchored(self.simple(scope, 1, 1), anchor)
        if kind in ("note", "read"):
            self.tags += 1
            e = Node(kind, [given], 1, tag=self.tags)
            return e if kind == "read" else Node("after", [value, e], value.size)
        name = f"c{len(self.variables)}"
        self.variables.append(name)
        if self.random.random() < 0.3:
            value = Node("+", [value, Node("variable", name=name)], value.size)
        return Node("after", [value, Node(kind, [given], 1, name=name)], value.size)

    def control(self, scope, anchor, depth):
        self.left -= 1
        kinds = ["cond", "cond", "for_range", "scan", "while", "switch", "scan_outputs"]
        if self.style != "effects":
            kinds += ["recompute", "repeat"]
        if self.style == "functions":
            kinds += ["call", "call", "call"]
        if self.filler != "x":
            # What a scan goes through is no argument of a function.
            kinds = [k for k in kinds if not k.startswith("scan")]
        kind = self.random.choice(kinds)
        size = self.random.choice([1, 1, 3]) if self.filler == "x" else 1
        start = self.anchored(self.simple(scope, 1, size), anchor)
        if kind in ("cond", "switch"):
            count = 2 if kind == "cond" else 3
            blocks = [self.block([], scope, anchor, size, depth + 1) for _ in range(count)]
            return Node(kind, [self.predicate(scope) if kind == "cond" else self.simple(scope, 1, 1)], size, blocks=blocks)
        if kind == "recompute":
            p = self.fresh("p")
            return Node(kind, [start], size, blocks=[self.block([(p, size)], scope, None, size, depth + 1)])
        if kind == "call":
            # A function's body has no captures.
            p = self.fresh("p")
            saved, self.filler = self.filler, p
            block = self.block([(p, 1)], [], None, 1, depth + 1)
            self.filler = saved
            return Node(kind, [start if size == 1 else Node("sum", [start])], 1, blocks=[block], name=self.fresh("g"))
        s = self.fresh("s")
        inner_anchor = s if size == 1 else self.fresh("a")
        names = [(s, size)] + ([(inner_anchor, 1)] if size == 3 else [])
        if kind == "repeat":
            return Node(kind, [start], size, count=self.random.randint(1, 3), state=s, name=self.fresh("block"),
                        blocks=[self.block([(s, size), (s + "w", 1)], scope, None, size, depth + 1)])
        if kind == "while":
            bounded = self.style != "effects" or self.random.random() < 0.5
            block = self.block(names, scope, inner_anchor, size, depth + 1)
            return Node(kind, [start], size, bound=self.random.randint(1, 4) if bounded else 0, state=s, anchor=inner_anchor,
                        limit=self.random.choice(["0.3", "1.5", "-3"]), blocks=[block])
        extra = [(self.fresh("i"), 1)]
        block = self.block(extra + names, scope, inner_anchor, size, depth + 1)
        return Node("scan" if kind == "scan_outputs" else kind, [start], size, count=self.random.choice([0, 1, 2, 3]), state=s,
                    element=extra[0][0], anchor=inner_anchor, blocks=[block], reverse=self.random.random() < 0.3, outputs=kind == "scan_outputs",
                    recompute=self.style != "effects" and self.random.random() < 0.3)

    def make(self):
        body = Block(list(INPUTS))
        scope = list(INPUTS)
        if self.style == "effects" and self.random.random() < 0.6:
            scope = self.define(body, scope, self.effect(scope, None), True)
        while self.left > 0:
            scope = self.define(body, scope, self.control(scope, None, 0), True)
        # Gradients of first and second order are reached.
        body.results = [Node("+", [self.result(body, scope, 1), Node("sin", [Node("name", name="x")])])]
        r = self.random
        inputs = {"x": round(r.uniform(-1.5, 1.5), 3), "y": round(r.uniform(-1.5, 1.5), 3),
                  "v": [round(r.uniform(-1.5, 1.5), 3) for _ in range(3)], "xs": [round(r.uniform(-1, 1), 3) for _ in range(r.choice([1, 3, 4]))]}
        return Program(self.seed, body, self.style, self.tags, self.variables, inputs)


def random_program(seed):
    return Maker(seed).make()
