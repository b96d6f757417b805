# SPDX-License-Identifier: MIT
"""The ops of random graphs in PyTorch, of float64: f(call, *tensors), where call says its options (call_text.py)."""
import math

import numpy as np
import torch
import torch.nn.functional as F

from composite_ops import weights


def axes(call, x):
    return tuple(a % x.dim() for a in call.word("axis") or range(x.dim()))


def axis(call):
    return call.word("axis")[0]


def keeps(call):
    return call.word("keep_dims") is not None


def where(call, c, x, y):
    x, y = torch.as_tensor(x, dtype=torch.float64), torch.as_tensor(y, dtype=torch.float64)
    return torch.where(c, x, y)


def reduced(f):
    return lambda call, x: f(x, axes(call, x), keeps(call))


def prod(x, at, keep):
    for a in sorted(at, reverse=True):
        x = torch.prod(x, a, keepdim=keep)
    return x


def variance(x, at, keep):
    rest = x - x.mean(at, keepdim=True)
    return (rest * rest).mean(at, keepdim=keep)


def norm(call, x):
    order = {(): 2, (1,): 1, ("infinity",): math.inf}[tuple(call.template)]
    return torch.linalg.vector_norm(x, order, axes(call, x), keeps(call))


def pad(call, x):
    sides = [a.template for a in call.arguments[1:] if a.name == "padding"]
    mode = "reflect" if call.word("reflect") is not None else "edge" if call.word("edge") is not None else None
    if mode is None:
        return F.pad(x, [n for s in reversed(sides) for n in s])
    for i, s in enumerate(sides):
        x = x.index_select(i, torch.from_numpy(np.pad(np.arange(x.shape[i]), s, mode)))
    return x


def slice_(call, x):
    for i, a in enumerate(call.arguments[1:]):
        begin, end, step = (a.template + [None, None, None])[:3]
        part = slice(*(None if w in ("from_start", "to_end") else w for w in (begin, end, step)))
        x = x.index_select(i, torch.from_numpy(np.arange(x.shape[i])[part].copy()))
    return x


def clamped(index, n):
    return index.long().clamp(0, n - 1)


def along_axis(call, x, index, updates=None):
    at = axis(call)
    index = clamped(index, x.shape[at])
    return torch.gather(x, at, index) if updates is None else torch.scatter_add(x, at, index, updates)


def scattered(x, index, updates):
    return torch.index_add(x, 0, clamped(index.reshape(-1), x.shape[0]), updates)


def lookup(call, x, index):
    at = axis(call) if call.word("axis") else 0
    flat = torch.index_select(x, at, clamped(index.reshape(-1), x.shape[at]))
    return flat if call.name == "gather_nd" else flat.unflatten(at, index.shape) if index.dim() != 1 else flat


def sort(call, x):
    return torch.sort(x, dim=axis(call), descending=call.word("descending") is not None, stable=True).values


def cumulative(f, first):
    def g(call, x):
        at = axis(call)
        turned = call.word("reverse") is not None
        x = x.flip(at) if turned else x
        y = f(x, at)
        if call.word("exclusive") is not None:
            y = torch.cat([torch.full_like(y.narrow(at, 0, 1), first), y.narrow(at, 0, y.shape[at] - 1)], at) if y.shape[at] else y
        return y.flip(at) if turned else y
    return g


def matmul(call, x, y):
    return torch.matmul(x, y)


def normalised(x, at):
    rest = x - x.mean(at, keepdim=True)
    return rest / torch.sqrt((rest * rest).mean(at, keepdim=True) + 1e-5)


def layer_norm(call, x, *scale_and_offset):
    y = normalised(x, axes(call, x) if call.word("axis") else (-1,))
    return y * scale_and_offset[0] + scale_and_offset[1] if scale_and_offset else y


def group_norm(call, x, scale, offset):
    return F.group_norm(x.movedim(-1, 1), call.template[0], scale, offset, 1e-5).movedim(1, -1)


def attention(call, q, k, v):
    """Not torch's own, which has no second derivative."""
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if call.word("causal") is not None:
        scores = scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1), -math.inf)
    return torch.softmax(scores, -1) @ v


def linear_recurrence(call, a, b):
    """What it has made before each step."""
    at = axis(call)
    turned = call.word("reverse") is not None
    a, b = (x.flip(at) if turned else x for x in (a, b))
    made = [torch.zeros_like(b.select(at, 0))] if b.shape[at] else []
    for i in range(b.shape[at] - 1):
        made.append(a.select(at, i) * made[-1] + b.select(at, i))
    y = torch.stack(made, at) if made else b
    return y.flip(at) if turned else y


def resize(call, x):
    to = call.arguments[1].template
    method = next(m for m in ("nearest", "bilinear", "bicubic", "area") if call.word(m) is not None)
    for at, n in zip((x.dim() - 3, x.dim() - 2), to):
        w = torch.from_numpy(weights(n, x.shape[at], method, call.word("antialias") is not None))
        x = torch.tensordot(w, x, ([1], [at])).movedim(0, at)
    return x


def windows(call, x, reach):
    """x with the channels behind the first axis, padded with what no window sees; strides and dilations."""
    strides, dilations = ((call.word(w) or [1]) * len(reach) for w in ("strides", "dilations"))
    strides, dilations = strides[:len(reach)], dilations[:len(reach)]
    if call.word("same_padding") is not None:
        missing = [max((-(-n // s) - 1) * s + d * (r - 1) + 1 - n, 0) for n, s, d, r in zip(x.shape[1:-1], strides, dilations, reach)]
        sides = [(m // 2, m - m // 2) for m in missing]
    else:
        sides = [tuple(call.word("padding") or (0, 0))] * len(reach)
    flat = [n for s in reversed(sides) for n in s]
    return x.movedim(-1, 1), flat, strides, dilations


def convolution(call, x, kernel):
    y, flat, strides, dilations = windows(call, x, kernel.shape[:-2])
    f = F.conv1d if kernel.dim() == 3 else F.conv2d
    kernel = kernel.movedim(-1, 0).movedim(-1, 1)
    return f(F.pad(y, flat), kernel, None, strides, 0, dilations, (call.word("groups") or [1])[0]).movedim(1, -1)


def max_pool(call, x):
    reach = call.word("window")
    y, flat, strides, dilations = windows(call, x, reach)
    return F.max_pool2d(F.pad(y, flat, value=-math.inf), reach, strides, 0, dilations).movedim(1, -1)


def average_pool(call, x):
    reach = call.word("window")
    y, flat, strides, dilations = windows(call, x, reach)
    kernel = torch.ones(y.shape[1], 1, *reach, dtype=y.dtype)
    total, seen = (F.conv2d(F.pad(v, flat), kernel, None, strides, 0, dilations, y.shape[1]) for v in (y, torch.ones_like(y)))
    return (total / seen).movedim(1, -1)


def std_get(call, pair):
    return pair[call.template[0]]


def top_k(call, x):
    found = torch.sort(x, dim=axis(call), descending=True, stable=True)
    return tuple(v.narrow(axis(call), 0, call.template[0]) for v in found)


def astype(call, x):
    """Of numbers of 16 bits the gradient is that of what they stand for."""
    if call.template[0] == "bfloat16":
        return x + (x.to(torch.float32).to(torch.bfloat16).to(torch.float64) - x).detach() if x.isfinite().all() else x.to(torch.bfloat16)
    return x.to(torch.float64)


def elementwise(f):
    return lambda call, *x: f(*x)


OPS = {name: elementwise(getattr(torch, name)) for name in (
    "negative", "abs", "sign", "floor", "ceil", "round", "trunc", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt",
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "sigmoid", "erf", "relu", "square",
    "hypot", "atan2")}
OPS |= {
    "cbrt": elementwise(lambda x: torch.sign(x) * torch.abs(x) ** (1 / 3)), "silu": elementwise(F.silu),
    "softplus": elementwise(lambda x: torch.logaddexp(x, torch.zeros_like(x))), "clip": elementwise(torch.clamp),
    "add": elementwise(lambda a, b: a + b), "subtract": elementwise(lambda a, b: a - b), "multiply": elementwise(lambda a, b: a * b),
    "divide": elementwise(lambda a, b: a / b), "floor_divide": elementwise(lambda a, b: torch.floor(a / b)),
    "remainder": elementwise(torch.remainder), "pow": elementwise(torch.pow), "where": where,
    "maximum": elementwise(lambda a, b: torch.maximum(*torch.broadcast_tensors(*as_tensors(a, b)))),
    "minimum": elementwise(lambda a, b: torch.minimum(*torch.broadcast_tensors(*as_tensors(a, b)))),
    "stop_gradient": elementwise(lambda x: x.detach()),
    "astype": astype,
    "sum": reduced(lambda x, at, keep: x.sum(at, keepdim=keep)), "prod": reduced(prod),
    "mean": reduced(lambda x, at, keep: x.mean(at, keepdim=keep)), "norm": norm,
    "variance": reduced(variance), "standard_deviation": reduced(lambda x, at, keep: torch.sqrt(variance(x, at, keep))),
    "max": reduced(lambda x, at, keep: x.amax(at, keepdim=keep)), "min": reduced(lambda x, at, keep: x.amin(at, keepdim=keep)),
    "logsumexp": reduced(lambda x, at, keep: x.logsumexp(at, keepdim=keep)),
    "softmax": lambda call, x: torch.softmax(x, axis(call)), "log_softmax": lambda call, x: torch.log_softmax(x, axis(call)),
    "transpose": lambda call, x: x.permute(call.word("axis")), "flip": lambda call, x: x.flip(axes(call, x)),
    "expand_dims": lambda call, x: x.unsqueeze(axis(call)), "roll": lambda call, x: x.roll(call.template[0], axis(call)),
    "slice": slice_, "pad": pad, "reshape": lambda call, x: x.reshape(call.arguments[1].template),
    "tile": lambda call, x: x.tile(call.template), "repeat": lambda call, x: x.repeat_interleave(call.template[0], axis(call)),
    "tril": lambda call, x: x.tril(call.template[0]), "triu": lambda call, x: x.triu(call.template[0]),
    "broadcast_to": lambda call, x: x.broadcast_to(call.arguments[1].template), "zeros_like": elementwise(torch.zeros_like),
    "stack": lambda call, *x: torch.stack(x, axis(call)), "concat": lambda call, *x: torch.cat(x, axis(call)),
    "zeros": lambda call: torch.zeros(call.arguments[0].template, dtype=torch.float64),
    "arange": lambda call: torch.arange(call.arguments[0].template[0]), "gather": lookup, "gather_nd": lookup,
    "scatter_add": elementwise(scattered), "scatter_nd": elementwise(scattered), "take_along_axis": along_axis, "add_along_axis": along_axis,
    "sort": sort, "cumsum": cumulative(torch.cumsum, 0.0), "cumprod": cumulative(torch.cumprod, 1.0),
    "logcumsumexp": cumulative(torch.logcumsumexp, -math.inf), "std::get": std_get, "top_k": top_k, "matmul": matmul,
    "matrix_transpose": lambda call, x: x.mT, "einsum": lambda call, *x: torch.einsum(call.template[0], *x), "layer_norm": layer_norm,
    "group_norm": group_norm, "attention": attention, "linear_recurrence": linear_recurrence, "resize": resize, "conv1d": convolution,
    "conv2d": convolution, "max_pool2d": max_pool, "average_pool2d": average_pool,
}


def as_tensors(*numbers):
    return [torch.as_tensor(n, dtype=torch.float64) for n in numbers]
