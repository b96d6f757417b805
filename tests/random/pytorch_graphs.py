# SPDX-License-Identifier: MIT
"""Random graphs in PyTorch, an oracle that shares no code with NumPy's nor with etch's gradients: values, and gradients element by element."""
import numpy as np
import torch

from bounds import difference, is_float
from call_text import Call, Operand, parsed
from pytorch_ops import OPS

torch.set_num_threads(1)  # of arrays this small more threads only wait


class Untranslated(Exception):
    pass


def computed(tree, operands):
    if isinstance(tree, Operand):
        return operands[tree]
    if not isinstance(tree, Call):
        return tree
    if tree.name not in OPS:
        raise Untranslated(tree.name)
    return OPS[tree.name](tree, *[computed(a, operands) for a in tree.values()])


def as_tensor(v):
    return torch.from_numpy(np.ascontiguousarray(v if v.dtype.kind in "fb" else v.astype(np.int64))).reshape(v.shape)


def values_of(g, ends, inputs):
    """Of all nodes that some need; those that are no floats have no slope, and are NumPy's."""
    values = {}
    for n in g.needed(ends):
        if id(n) in inputs:
            values[id(n)] = inputs[id(n)]
        elif not n.call or not n.operands or not is_float(n.dtype):
            values[id(n)] = as_tensor(n.value.v)
        else:
            values[id(n)] = computed(parsed(n.call), [values[id(o)] for o in n.operands])
    return values


def slope(y, at, **options):
    if not y.requires_grad:
        return torch.zeros_like(at)
    made = torch.autograd.grad(y, at, allow_unused=True, **options)[0]
    return torch.zeros_like(at) if made is None else made


def gradient(g, fetch, x, order, moves):
    """As graph_text.py writes it, where each input of floats is moved by so much."""
    inputs = {id(n): as_tensor(n.value.v + moves(n.value.v)) for n in g.inputs() if is_float(n.dtype)}
    at = inputs[id(x)].requires_grad_()
    y = values_of(g, [g.fetches[fetch]], inputs)[id(g.fetches[fetch])]
    if order == 1:
        return slope(y.sum(), at).numpy()
    return slope(slope((y * y).sum(), at, create_graph=True).sum(), at).numpy()


def gradient_within(g, fetch, x, order):
    """PyTorch's gradient and what another may differ by: it may move with its inputs, at a kink to another slope that is right too."""
    if (fetch, id(x), order) in g.pytorch_gradients:
        return g.pytorch_gradients[fetch, id(x), order]
    single = "float" in [n.dtype for n in g.nodes]
    numbers = np.random.default_rng(2)

    def noise(v):
        return (1e-5 if single else 1e-9) * numbers.uniform(-1, 1, v.shape) * (np.abs(v) + 1)

    try:
        wanted = gradient(g, fetch, x, order, np.zeros_like)
        moved = np.max([difference(gradient(g, fetch, x, order, noise), wanted) for _ in range(4)], axis=0)
    except Untranslated:
        wanted, moved = np.zeros(x.value.v.shape), np.inf
    with np.errstate(all="ignore"):
        size = np.max(np.abs(wanted), initial=0, where=np.isfinite(wanted))
        allowed = 10 * moved + (1e-3 if single else 1e-8) * (size + np.abs(wanted) + 1e-3)
    made = wanted, np.where(np.isfinite(wanted) & np.isfinite(allowed), allowed, np.inf)
    g.pytorch_gradients[fetch, id(x), order] = made
    return made


def wrong_values(g):
    """Where NumPy's values are not PyTorch's."""
    wrong = []
    for k, y in enumerate(g.fetches):
        if not is_float(y.dtype):
            continue
        try:
            v = values_of(g, [y], {})[id(y)].numpy()
        except Untranslated:
            continue
        with np.errstate(all="ignore"):
            allowed = 2 * y.value.bound + 1e-9 * (np.abs(y.value.v) + 1)
        if v.shape != y.value.v.shape or not (difference(v, y.value.v) <= np.where(np.isfinite(allowed), allowed, np.inf)).all():
            wrong.append(("oracles", "numpy", k, f"{y.call} is in PyTorch {v!r}, in NumPy {y.value.v!r}"))
    return wrong
