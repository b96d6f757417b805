# SPDX-License-Identifier: MIT
"""The C++ calls of random graphs, parsed: what another library computes them by (pytorch_graphs.py)."""
import re

TOKEN = re.compile(r'\s*(?:(?P<operand>\{\d+\})|(?P<number>\d+(?:\.\d+)?(?:e-?\d+)?_c)|(?P<name>[A-Za-z_][\w:]*)|(?P<sign>\{\}|[-+*/(),]))')


class Call:
    """name<template arguments>(arguments), or a word such as `keep_dims` and `axis<0>`, which has no arguments."""

    def __init__(self, name, template, arguments):
        self.name, self.template, self.arguments = name, template, arguments

    def word(self, name):
        """The template arguments of an option, None where the call has it not."""
        return next((a.template for a in self.arguments if isinstance(a, Call) and a.arguments is None and a.name == name), None)

    def values(self):
        return [a for a in self.arguments if not (isinstance(a, Call) and a.arguments is None)]


class Operand(int):
    pass


class Parser:
    def __init__(self, text):
        self.text, self.at = text, 0

    def next(self, take=True):
        m = TOKEN.match(self.text, self.at)
        if not m:
            if self.text[self.at:].strip():
                raise ValueError(f"{self.text!r} at {self.at}")
            return None, None
        if take:
            self.at = m.end()
        return m.lastgroup, m[m.lastgroup]

    def expect(self, sign):
        if self.next()[1] != sign:
            raise ValueError(f"{self.text!r}: {sign} before {self.at}")

    def template(self):
        """Behind a name: numbers, words and strings."""
        if not self.text.startswith("<", self.at):
            return []
        end = self.text.index(">", self.at) if self.text[self.at + 1] != '"' else self.text.index('">', self.at) + 1
        parts, self.at = self.text[self.at + 1 : end], end + 1
        if parts.startswith('"'):
            return [parts[1:-1]]
        return [int(p) if re.fullmatch(r"-?\d+", p) else p for p in (q.strip() for q in parts.split(",")) if p]

    def first(self):
        kind, token = self.next()
        if kind == "operand":
            return Operand(token[1:-1])
        if kind == "number":
            return float(token[:-2])
        if token == "-":
            value = self.first()
            return -value if isinstance(value, float) else Call("negative", [], [value])
        if token == "(":
            inside = self.sum()
            self.expect(")")
            return inside
        if kind != "name":
            raise ValueError(f"{self.text!r} before {self.at}")
        template = self.template()
        if self.next(False)[1] == "{}":
            self.next()
        elif self.next(False)[1] == "(":
            self.next()
            return Call(token, template, self.arguments())
        return Call(token, template, None)

    def arguments(self):
        found = []
        if self.next(False)[1] == ")":
            self.next()
            return found
        while True:
            found.append(self.sum())
            if self.next()[1] == ")":
                return found

    def chain(self, below, signs):
        left = below()
        while self.next(False)[1] in signs:
            left = Call(signs[self.next()[1]], [], [left, below()])
        return left

    def factors(self):
        return self.chain(self.first, {"*": "multiply", "/": "divide"})

    def sum(self):
        return self.chain(self.factors, {"+": "add", "-": "subtract"})


def parsed(text):
    p = Parser(text)
    tree = p.sum()
    if p.next()[0]:
        raise ValueError(f"{text!r}: something behind {p.at}")
    return tree
