# SPDX-License-Identifier: MIT
"""What a random graph is: nodes with the function that each computes, inputs, fetches, gradients."""
import re

from bounds import is_float

SEVERAL_AXES = re.compile(r"(sum|prod|mean|variance|standard_deviation|norm(<1>)?)\(\{0\}, axis<[^>]*,")
BROADCAST = re.compile(r"(log_)?softmax|tri[lu]|broadcast_to")
WITHOUT_SLOPE = ("floor_divide", "stop_gradient", "astype<float>(astype<bfloat16>")


class Node:
    def __init__(self, call, operands, f, dtype, extents, value):
        self.call, self.operands, self.f, self.dtype, self.extents, self.value = call, operands, f, dtype, tuple(extents), value
        self.v_exact = value.exact()
        # A sum of floats along several axes of what is broadcast has two orders: where it is computed with its operand, and where it reads
        # that from memory (docs/flags.md).
        self.is_broadcast = any(o.is_broadcast for o in operands) or bool(
            call and (BROADCAST.match(call) or len({o.extents for o in operands}) > 1))
        self.order_varies = any(o.order_varies for o in operands) or bool(
            call and SEVERAL_AXES.match(call) and is_float(dtype) and operands[0].is_broadcast)
        # So has the sum of a group's slopes times scales, which are repeated along its rows.
        self.slopes_vary = any(o.slopes_vary for o in operands) or bool(call and call.startswith("group_norm"))


class Graph:
    """inputs: nodes without a call; fetches: of nodes; gradients: (fetch, input, order)."""

    def __init__(self, seed):
        self.seed, self.nodes, self.fetches, self.gradients, self.fed = seed, [], [], [], None
        self.pytorch_gradients = {}  # by fetch, input and order

    def reads_gradients_beside_x(self):
        return self.seed % 2 == 1

    def shares_slopes(self, end):
        """Whether two operands of a maximum or minimum are equal somewhere: each has half of the slope there, also where both are made of one x, as
        in maximum(x, floor(x)) at 1, and differences see another."""
        return any(n.call and n.call.startswith(("maximum", "minimum")) and len(n.operands) == 2 and (n.operands[0].value.v == n.operands[1].value.v).any()
                   for n in self.needed([end]))

    def inputs(self):
        return [n for n in self.nodes if not n.call]

    def draws(self):
        """Whether runs give other values but where the seed and the number of the run are set."""
        return any(n.call and not n.operands for n in self.nodes)

    def needed(self, ends, cut=None):
        """All nodes that some need, in order; nothing behind `cut`."""
        seen, todo = set(), list(ends)
        while todo:
            n = todo.pop()
            if id(n) not in seen:
                seen.add(id(n))
                todo += n.operands if n is not cut else []
        return [n for n in self.nodes if id(n) in seen]

    def evaluate(self, ends, changed):
        """Values of some nodes where inputs have others."""
        values = {}
        for n in self.needed(ends):
            values[id(n)] = changed.get(id(n), n.value) if not n.call else n.f(*[values[id(o)] for o in n.operands])
        return [values[id(n)] for n in ends]


def is_reached(g, y, x):
    """Whether gradients of y with respect to x pass by floats, and are what differences show: not beside a `stop_gradient` of x, nor a step."""
    if not is_float(y.dtype) or not is_float(x.dtype):
        return False
    reached = {id(x)}
    for n in g.needed([y]):
        if n.call and n.call.startswith(WITHOUT_SLOPE) and any(id(o) in reached for o in n.operands):
            return False  # there is no gradient through it
        operands = n.operands[1:] if n.call and n.call.startswith("where") else n.operands
        if n.call and n.call.startswith("zeros_like"):
            continue  # of its operand's shape alone
        if is_float(n.dtype) and any(id(o) in reached for o in operands):
            reached.add(id(n))
    return id(y) in reached and y is not x
