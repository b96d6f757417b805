# SPDX-License-Identifier: MIT
"""Random programs that are a little smaller than another: fewer ways, nodes, definitions."""
import copy

from programs import Node


def places(program):
    """(list, index) of every node of a program, outermost first."""
    found = []

    def walk(nodes, i):
        found.append((nodes, i))
        node = nodes[i]
        for k in range(len(node.operands)):
            walk(node.operands, k)
        for b in node.more.get("blocks", ()):
            block(b)

    def block(b):
        for k in range(len(b.definitions)):
            holder = DefinitionSlot(b, k)
            walk(holder, 0)
        walk(b.results, 0)

    block(program.body)
    return found


class DefinitionSlot(list):
    """A definition's node, as a list of one that writes back."""

    def __init__(self, block, k):
        super().__init__([block.definitions[k][1]])
        self.block, self.k = block, k

    def __setitem__(self, i, node):
        super().__setitem__(i, node)
        name, _, needed = self.block.definitions[self.k]
        self.block.definitions[self.k] = (name, node, needed)


EXPRESSIONS = ("name", "number", "variable", "read", "note", "assign", "assign_add", "<", ">")


def smaller_programs(program):
    for way in program.ways:
        if len(program.ways) > 1:
            other = copy.deepcopy(program)
            other.ways.remove(way)
            yield other
    count = len(places(program))
    for i in range(count):
        node = places(program)[i][0][places(program)[i][1]]
        if node.kind in EXPRESSIONS and node.kind != "read":
            continue
        # An operand, the result of a body that reads nothing of its own, or an input in the place of a node.
        for k, o in enumerate(node.operands):
            if o.size == node.size and o.kind not in ("number", "<", ">", "note", "assign", "assign_add"):
                other = copy.deepcopy(program)
                nodes, at = places(other)[i]
                nodes[at] = nodes[at].operands[k]
                yield other
        if node.kind not in ("name",) and node.operands:
            other = copy.deepcopy(program)
            nodes, at = places(other)[i]
            nodes[at] = Node("name", size=node.size, name="x" if node.size == 1 else "v")
            yield other
    for b in range(len(blocks(program))):
        for k in range(len(blocks(program)[b].definitions)):
            other = copy.deepcopy(program)
            name = blocks(other)[b].definitions[k][0]
            del blocks(other)[b].definitions[k]
            if not mentions(other, name):
                yield other


def blocks(program):
    found = [program.body]
    for nodes, i in places(program):
        found += nodes[i].more.get("blocks", [])
    return found


def mentions(program, name):
    return any(nodes[i].more.get("name") == name and nodes[i].kind == "name" for nodes, i in places(program))
