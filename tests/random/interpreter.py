# SPDX-License-Identifier: MIT
"""What a random program gives: its value with derivatives in x, its calls of the host, its variables."""
import math

import jets
from jets import Jet

FUNCTIONS = {"tanh": jets.tanh, "sin": jets.sin, "cos": jets.cos, "sigmoid": jets.sigmoid, "soft": jets.softened,
             "half": lambda a: a * Jet(0.5), "negative": lambda a: a * Jet(-1)}
OPERATORS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "max": jets.maximum, "min": jets.minimum}


def added(numbers):
    total = Jet(0)
    for a in numbers:
        total = total + a
    return total


class Scope:
    """Names; what is defined is computed when it is first needed, and once."""

    def __init__(self, outer, values):
        self.outer, self.values, self.definitions = outer, dict(values), {}

    def value(self, name, run):
        if name in self.values:
            return self.values[name]
        if name in self.definitions:
            self.values[name] = run.evaluate(self.definitions[name], self)
            return self.values[name]
        return self.outer.value(name, run)


class Run:
    """One run of a program, in a session whose variables have these values."""

    def __init__(self, program, variables):
        self.program, self.variables, self.notes, self.steps, self.closest = program, dict(variables), [], 0, math.inf
        given = program.inputs
        inputs = {"x": [Jet(given["x"], 1)], "y": [Jet(given["y"])], "v": [Jet(a) for a in given["v"]]}
        self.sequence = [[Jet(a)] for a in given["xs"]]
        self.result = self.block(program.body, Scope(None, inputs), {})[0]

    def block(self, block, scope, values):
        inner = Scope(scope, values)
        inner.definitions = {name: node for name, node, _ in block.definitions}
        return self.evaluate(block.results[0], inner)

    def compare(self, a, b):
        """Where two are closer than rounding, what follows is another program's."""
        self.closest = min(self.closest, abs(a.v - b.v))
        return a.v, b.v

    def evaluate(self, node, scope):
        kind, more = node.kind, node.more
        if kind == "name":
            return scope.value(more["name"], self)
        if kind == "number":
            return [Jet(float(more["text"]))]
        if kind == "variable":
            return [Jet(self.variables[more["name"]])]
        if hasattr(self, "do_" + kind):
            return getattr(self, "do_" + kind)(node, scope)
        operands = [self.evaluate(o, scope) for o in node.operands]
        if kind in FUNCTIONS:
            return [FUNCTIONS[kind](a) for a in operands[0]]
        size = max(len(o) for o in operands)
        pairs = [tuple(o[i if len(o) > 1 else 0] for o in operands) for i in range(size)]
        if kind in ("max", "min"):
            for a, b in pairs:
                if (a.v, a.d, a.e) != (b.v, b.d, b.e):
                    self.compare(a, b)
        return [OPERATORS[kind](a, b) for a, b in pairs]

    def do_sum(self, node, scope):
        return [added(self.evaluate(node.operands[0], scope))]

    # Of three numbers.

    def do_turned(self, node, scope):
        a = self.evaluate(node.operands[0], scope)
        return a[-1:] + a[:-1]

    def do_softmax(self, node, scope):
        a = self.evaluate(node.operands[0], scope)
        top = max(x.v for x in a)
        e = [jets.exp(x - Jet(top)) for x in a]
        return [x * jets.reciprocal(added(e)) for x in e]

    def do_cumsum(self, node, scope):
        a = self.evaluate(node.operands[0], scope)
        return [added(a[: i + 1]) for i in range(3)]

    def do_dot(self, node, scope):
        a, b = (self.evaluate(o, scope) for o in node.operands)
        return [added([x * y for x, y in zip(a, b)])]

    def do_outer(self, node, scope):
        """The matrix of products with which the second is multiplied."""
        a, b = (self.evaluate(o, scope) for o in node.operands)
        return [added([x * y * y for y in b]) for x in a]

    def do_window(self, node, scope):
        a, b = (self.evaluate(o, scope) for o in node.operands)
        return a[1:] + b[:1]

    def do_second(self, node, scope):
        return self.evaluate(node.operands[0], scope)[1:2]

    def do_largest(self, node, scope):
        a = sorted(self.evaluate(node.operands[0], scope), key=lambda x: x.v)
        self.compare(a[1], a[2])
        return a[2:]

    def chosen(self, node, scope):
        a, b = (self.evaluate(o, scope)[0] for o in node.operands)
        a, b = self.compare(a, b)
        return a < b if node.kind == "<" else a > b

    def do_where(self, node, scope):
        p = self.chosen(node.operands[0], scope)
        a, b = (self.evaluate(o, scope) for o in node.operands[1:])
        c = a if p else b
        return c * node.size if len(c) < node.size else c

    def do_cond(self, node, scope):
        return self.block(node.more["blocks"][0 if self.chosen(node.operands[0], scope) else 1], scope, {})

    def do_switch(self, node, scope):
        at = self.evaluate(node.operands[0], scope)[0].v
        self.closest = min(self.closest, abs(at - round(at)))
        i = math.trunc(at)
        return self.block(node.more["blocks"][i if 0 <= i < 2 else 2], scope, {})

    def step(self, node, scope, state, more={}):
        values = {node.more["state"]: state, **more}
        if len(state) == 3:
            values[node.more["anchor"]] = [state[0] + state[1] + state[2]]
        self.steps += 1
        return self.block(node.more["blocks"][0], scope, values)

    def do_for_range(self, node, scope):
        state = self.evaluate(node.operands[0], scope)
        for i in range(node.more["count"]):
            state = self.step(node, scope, state, {node.more["element"]: [Jet(i)]})
        return state

    def do_scan(self, node, scope):
        state, total = self.evaluate(node.operands[0], scope), None
        for x in reversed(self.sequence) if node.more["reverse"] else self.sequence:
            state = self.step(node, scope, state, {node.more["element"]: x})
            total = state if total is None else [a + b for a, b in zip(total, state)]
        return [a + b * Jet(0.5) for a, b in zip(state, total)] if node.more["outputs"] else state

    def do_while(self, node, scope):
        state, limit = self.evaluate(node.operands[0], scope), float(node.more["limit"])
        made = 0
        while node.more["bound"] == 0 or made < node.more["bound"]:
            now, _ = self.compare(Jet(sum(a.v for a in state)), Jet(limit))
            if not now < limit:
                break
            # Each step comes nearer to the limit.
            state = [a + jets.softened(b) for a, b in zip(state, self.step(node, scope, state))]
            made += 1
        return state

    def do_repeat(self, node, scope):
        state, s = self.evaluate(node.operands[0], scope), node.more["state"]
        for _ in range(node.more["count"]):
            state = self.block(node.more["blocks"][0], scope, {s: state, s + "w": [Jet(0.5)]})
        return state

    def do_recompute(self, node, scope):
        block = node.more["blocks"][0]
        return self.block(block, scope, {block.parameters[0][0]: self.evaluate(node.operands[0], scope)})

    def do_call(self, node, scope):
        block = node.more["blocks"][0]
        return self.block(block, None, {block.parameters[0][0]: self.evaluate(node.operands[0], scope)})

    # Effects.

    def do_read(self, node, scope):
        a = self.evaluate(node.operands[0], scope)[0]
        self.notes.append((node.more["tag"], a.v))
        return [Jet(0.5 * a.v + 0.125)]

    def do_after(self, node, scope):
        effect = node.operands[1]
        given = self.evaluate(effect.operands[0], scope)[0].v
        if effect.kind == "note":
            self.notes.append((effect.more["tag"], given))
        else:
            old = self.variables[effect.more["name"]] if effect.kind == "assign_add" else 0
            self.variables[effect.more["name"]] = old + given
        return self.evaluate(node.operands[0], scope)
