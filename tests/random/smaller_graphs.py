# SPDX-License-Identifier: MIT
"""Random graphs that are a little smaller than another: fewer ways, fetches, nodes, plainer operands."""
import numpy as np

from bounds import Value, is_float
from graph_nodes import Graph, Node, is_reached


def rebuilt(g, fetches, gradients, replaced):
    """The graph of some fetches, with other nodes in the places of some; values are computed again."""
    new, other = {}, Graph(g.seed)
    for n in g.needed(fetches):
        if id(n) in replaced:
            n2 = replaced[id(n)]
        elif n.call:
            operands = [new[id(o)] for o in n.operands]
            with np.errstate(all="ignore"):
                n2 = Node(n.call, operands, n.f, n.dtype, n.extents, n.f(*[o.value for o in operands]))
        else:
            n2 = Node(None, [], None, n.dtype, n.extents, n.value)
        new[id(n)] = n2
        other.nodes.append(n2)
    other.fetches = [new[id(n)] for n in fetches]
    if not all(n.call for n in other.fetches):
        return None
    for k, x, order in gradients:
        if k >= len(fetches) or id(x) not in new or not is_reached(other, other.fetches[k], new[id(x)]):
            return None
        other.gradients.append((k, new[id(x)], order))
    other.nodes = other.needed(other.fetches)
    other.fed = new.get(id(g.fed)) if g.fed is not None else None
    if other.fed is not None and (not other.fed.call or other.fed not in other.nodes):
        other.fed = None
    other.ways = list(g.ways)
    return other


def smaller_graphs(g):
    for way in g.ways:
        if way != "alone" and len(g.ways) > 1:
            other = rebuilt(g, g.fetches, g.gradients, {})
            other.ways.remove(way)
            yield other
    if g.gradients:
        yield rebuilt(g, g.fetches, [], {})
    for k in range(len(g.fetches)):
        if len(g.fetches) > 1 and not any(i == k for i, _, _ in g.gradients):
            kept = [n for i, n in enumerate(g.fetches) if i != k]
            yield rebuilt(g, kept, [(i - (i > k), x, order) for i, x, order in g.gradients], {})
    for k, n in enumerate(g.fetches):
        # An operand in the place of a fetch, and a new operand in the place of a node.
        for o in n.operands:
            if o.call and o not in g.fetches:
                other = rebuilt(g, g.fetches[:k] + [o] + g.fetches[k + 1:], g.gradients, {})
                if other:
                    yield other
    for n in g.nodes:
        if n.call and n not in g.fetches:
            v = n.value.rounded().astype(np.float64) if is_float(n.dtype) else n.value.v
            other = rebuilt(g, g.fetches, g.gradients, {id(n): Node(None, [], None, n.dtype, n.extents, Value(n.dtype, v))})
            if other:
                yield other
    for n in g.inputs():
        if n.value.v.size and np.any(n.value.v != 1):
            ones = Node(None, [], None, n.dtype, n.extents, Value(n.dtype, np.ones_like(n.value.v)))
            other = rebuilt(g, g.fetches, g.gradients, {id(n): ones})
            if other:
                yield other
