# SPDX-License-Identifier: MIT
"""Layers over steps, as NumPy computes them: recurrent ones as Keras has them, by masks (batch, steps) of the steps that are seen."""
import numpy as np

import reverse
from reverse import Array

ACTIVATIONS = {
    "relu": (lambda x: np.maximum(x, 0), lambda x, y: x > 0), "tanh": (np.tanh, lambda x, y: 1 - y * y),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), lambda x, y: y * (1 - y)), "softplus": (lambda x: np.logaddexp(x, 0), lambda x, y: 1 / (1 + np.exp(-x))),
    "softsign": (lambda x: x / (1 + abs(x)), lambda x, y: 1 / (1 + abs(x)) ** 2),
}
GATES = {"simple_rnn": 1, "gru": 3, "lstm": 4}


def gates(x, count):
    width = x.value.shape[-1] // count
    return [reverse.part(x, (..., slice(k * width, (k + 1) * width))) for k in range(count)]


def sigmoid(x):
    return x.through(*ACTIVATIONS["sigmoid"])


def tanh(x):
    return x.through(*ACTIVATIONS["tanh"])


def simple_rnn(given, state, kernel, bias):
    return [tanh(given + reverse.matmul(state[0], kernel))]


def gru(given, state, kernel, bias):
    h = state[0]
    update_in, reset_in, next_in = gates(given, 3)
    update_of, reset_of, next_of = gates(reverse.matmul(h, kernel) + reverse.part(bias, 1), 3)
    update = sigmoid(update_in + update_of)
    return [update * h + (Array(1) - update) * tanh(next_in + sigmoid(reset_in + reset_of) * next_of)]


def gru_reset_before(given, state, kernel, bias):
    h, units = state[0], state[0].value.shape[-1]
    update_in, reset_in, next_in = gates(given, 3)
    update_of, reset_of = gates(reverse.matmul(h, reverse.part(kernel, (..., slice(0, 2 * units)))), 2)
    update, reset = sigmoid(update_in + update_of), sigmoid(reset_in + reset_of)
    next_ = tanh(next_in + reverse.matmul(reset * h, reverse.part(kernel, (..., slice(2 * units, 3 * units)))))
    return [update * h + (Array(1) - update) * next_]


def lstm(given, state, kernel, bias):
    h, cell = state
    input_, forget, candidate, output = gates(given + reverse.matmul(h, kernel), 4)
    next_ = sigmoid(forget) * cell + sigmoid(input_) * tanh(candidate)
    return [sigmoid(output) * tanh(next_), next_]


def outputs(call, layer, x, mask, name, trained, backwards):
    """Of all steps, each at its place, and of the last one. Steps that are not seen leave states and output as they were."""
    kind, units = layer.kind, layer.more["units"]
    before = layer.more.get("reset_before", False)
    cell, features = f"{name}/{kind}_cell/", x.value.shape[-1]
    width = GATES[kind] * units
    kernel = call.variable(cell + "kernel", (features, width), trained)
    recurrent = call.variable(cell + "recurrent_kernel", (units, width), trained)
    bias = call.variable(cell + "bias", (2, width) if kind == "gru" and not before else (width,), trained)
    given = reverse.matmul(x, kernel) + (reverse.part(bias, 0) if kind == "gru" and not before else bias)
    step = {"simple_rnn": simple_rnn, "lstm": lstm, "gru": gru_reset_before if before else gru}[kind]
    batch, steps = x.value.shape[:2]
    state = [Array(np.zeros((batch, units))) for _ in range(2 if kind == "lstm" else 1)]
    made = [None] * steps
    for t in reversed(range(steps)) if backwards else range(steps):
        next_ = step(reverse.part(given, (slice(None), t)), state, recurrent, bias)
        state = next_ if mask is None else [reverse.where(mask[:, t, None], n, s) for n, s in zip(next_, state)]
        made[t] = state[0]
    return reverse.stack(made, 1), state[0]


def flipped(x):
    return reverse.part(x, (slice(None), slice(None, None, -1)))


def recurrent(call, layer, x, mask, name, trained):
    m = layer.more
    every, last = outputs(call, layer, x, mask, name, trained, m["go_backwards"])
    if not m["return_sequences"]:
        return last, None
    if m["go_backwards"]:
        return flipped(every), None if mask is None else mask[:, ::-1]
    return every, mask


def bidirectional(call, layer, x, mask, name, trained):
    inner, m = layer.inner[0], layer.inner[0].more
    sides = [outputs(call, inner, x, mask, f"{name}/{way}_{inner.kind}", trained, turned) for way, turned in
             (("forward", m["go_backwards"]), ("backward", not m["go_backwards"]))]
    merge = (lambda a, b: a + b) if layer.more["merge"] else lambda a, b: reverse.concatenate([a, b])
    if not m["return_sequences"]:
        return merge(sides[0][1], sides[1][1]), None
    every = [s if mask is None else reverse.where(mask[..., None], s, Array(0)) for s, _ in sides]
    if m["go_backwards"]:
        return merge(*map(flipped, every)), None if mask is None else mask[:, ::-1]
    return merge(*every), mask


def global_average_pool(x, mask):
    """Of the steps that are seen."""
    if mask is None:
        return reverse.part(reverse.mean(x, 1), (slice(None), 0))
    total = reverse.mean(reverse.where(mask[..., None], x, Array(0)), 1)
    return reverse.part(total, (slice(None), 0)) * Array(1 / mask.mean(1, keepdims=True))
