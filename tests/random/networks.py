# SPDX-License-Identifier: MIT
"""Random networks of layers, some in others, some frozen or with a name of their own, and what training makes of their variables."""
import random

import numpy as np

import reverse
from reverse import Array

ACTIVATIONS = {
    "relu": (lambda x: np.maximum(x, 0), lambda x, y: x > 0), "tanh": (np.tanh, lambda x, y: 1 - y * y),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), lambda x, y: y * (1 - y)), "softplus": (lambda x: np.logaddexp(x, 0), lambda x, y: 1 / (1 + np.exp(-x))),
    "softsign": (lambda x: x / (1 + abs(x)), lambda x, y: 1 / (1 + abs(x)) ** 2),
}
CONTAINERS = ("sequential", "residual", "frozen", "named", "add", "multiply", "maximum", "concatenate")
MERGES = {"add": lambda a, b: a + b, "multiply": lambda a, b: a * b, "maximum": reverse.maximum}


class Layer:
    """kind: its own, or that of a container; inner: layers; width: features of its result; more: options."""

    def __init__(self, kind, width, inner=(), **more):
        self.kind, self.width, self.inner, self.more = kind, width, list(inner), more

    def named_kind(self):
        """What its name is made of."""
        if self.kind in ("frozen", "named"):
            return self.more.get("name") or self.inner[0].named_kind()
        return "layer" if self.kind in ACTIVATIONS else self.kind

    def text(self):
        inner, m = ", ".join(layer.text() for layer in self.inner), self.more
        if self.kind == "dense":
            return f"layers::dense<{self.width}>" + (f"(layers::{m['activation']}{m['bias']})" if m["activation"] else "")
        if self.kind == "sequential":
            return f"sequential({inner})"
        if self.kind == "named":
            return f'layers::named<"{m["name"]}">({inner})'
        if self.kind == "dropout":
            return "layers::dropout(0.5_c)"
        return f"layers::{self.kind}" + (f"({inner})" if self.inner else f"({m['number']}_c)" if m.get("number") else "")


def names_of(layers):
    """Keras's: dense, dense_1."""
    seen, names = {}, []
    for layer in layers:
        kind = layer.named_kind()
        names.append(kind if kind not in seen else f"{kind}_{seen[kind]}")
        seen[kind] = seen.get(kind, 0) + 1
    return names


class Network:
    """frozen: names of layers of the outermost sequence that are frozen by `freeze`."""

    def __init__(self, seed, features, layers, frozen, optimizer, rows, batch):
        self.seed, self.features, self.layers, self.frozen, self.optimizer = seed, features, layers, frozen, optimizer
        self.rows, self.batch = rows, batch


class Call:
    """One call of a network: variables by name; `trained` are those that a gradient is asked for, `moved` what batch norms have seen."""

    def __init__(self, variables):
        self.arrays = {n: Array(v) for n, v in variables.items()}
        self.trained, self.moved, self.shapes = set(), {}, {}

    def variable(self, name, shape, is_trained):
        self.shapes[name] = shape
        if is_trained:
            self.trained.add(name)
        return self.arrays.setdefault(name, Array(np.ones(shape)))

    def sequence(self, layers, x, training, path, frozen=()):
        for layer, name in zip(layers, names_of(layers)):
            x = self.layer(layer, x, training and name not in frozen, path + name, is_frozen=name in frozen)
        return x

    def layer(self, layer, x, training, name, is_frozen=False):
        kind, m, train = layer.kind, layer.more, not is_frozen
        if kind in ACTIVATIONS:
            return x.through(*ACTIVATIONS[kind])
        if kind == "dropout":  # only where it is frozen
            return x
        if kind in ("frozen", "named"):
            return self.layer(layer.inner[0], x, training and kind != "frozen", name, is_frozen or kind == "frozen")
        if kind in ("sequential", "residual"):
            made = self.inner(layer, x, training, name, is_frozen)
            return made if kind == "sequential" else x + made
        if kind in MERGES or kind == "concatenate":
            made = [self.layer(i, x, training, f"{name}/{n}", is_frozen) for i, n in zip(layer.inner, names_of(layer.inner))]
            return reverse.concatenate(made) if kind == "concatenate" else MERGES[kind](*made)
        width = x.value.shape[1]
        if kind == "dense":
            y = reverse.matmul(x, self.variable(name + "/kernel", (width, layer.width), train))
            if "without_bias" not in m["bias"]:
                y = y + self.variable(name + "/bias", (layer.width,), train)
            return y.through(*ACTIVATIONS[m["activation"]]) if m["activation"] else y
        if kind == "prelu":
            alpha = self.variable(name + "/alpha", (width,), train)
            return x.through(lambda v: np.maximum(v, 0), lambda v, y: v > 0) + alpha * x.through(lambda v: np.minimum(v, 0), lambda v, y: v <= 0)
        return getattr(self, kind)(x, training, train, name, m)

    def inner(self, layer, x, training, name, is_frozen):
        for i, n in zip(layer.inner, names_of(layer.inner)):
            x = self.layer(i, x, training, f"{name}/{n}", is_frozen)
        return x

    def scaled(self, x, name, train):
        return x * self.variable(name + "/scale", x.value.shape[1:], train) + self.variable(name + "/offset", x.value.shape[1:], train)

    def batch_norm(self, x, training, train, name, m):
        shape = x.value.shape[1:]
        kept = [self.variable(f"{name}/moving_{n}", shape, False) for n in ("mean", "variance")]
        average, variance = (reverse.mean(x, 0), None) if training else (reverse.constant(k) for k in kept)
        if training:
            rest = x - average
            variance = reverse.mean(rest * rest, 0)
            momentum = float(m.get("number") or 0.99)
            for n, old, now in zip(("mean", "variance"), kept, (average, variance)):
                self.moved[f"{name}/moving_{n}"] = momentum * old.value + (1 - momentum) * now.value[0]
        return self.scaled((x - average) * inverse_root(variance, 1e-3), name, train)

    def layer_norm(self, x, training, train, name, m):
        rest = x - reverse.mean(x, 1)
        return self.scaled(rest * inverse_root(reverse.mean(rest * rest, 1), 1e-3), name, train)

    def rms_norm(self, x, training, train, name, m):
        return x * inverse_root(reverse.mean(x * x, 1), 1e-6) * self.variable(name + "/scale", x.value.shape[1:], train)


def inverse_root(variance, epsilon):
    return variance.through(lambda v: (v + epsilon) ** -0.5, lambda v, y: -0.5 * y**3)


class Trained:
    """Trains by a loop of NumPy's, from the same first values."""

    def __init__(self, network, variables):
        self.network, self.variables, self.momenta = network, {n: v.copy() for n, v in variables.items()}, {}

    def call(self, x, training):
        made = Call(self.variables)
        return made, made.sequence(self.network.layers, Array(x), training, "", self.network.frozen)

    def loss(self, x, target, training=False):
        return float(((self.call(x, training)[1].value - target) ** 2).mean())

    def step(self, x, target):
        """The loss before it."""
        made, y = self.call(x, True)
        names, rate = sorted(made.trained), 0.05
        slopes = reverse.gradients(y, 2 * (y.value - target) / y.value.size, [made.arrays[n] for n in names])
        self.variables |= made.moved
        for n, g in zip(names, slopes):
            if self.network.optimizer == "momentum":
                g = self.momenta[n] = 0.9 * self.momenta.get(n, 0) + g
            self.variables[n] = self.variables[n] - rate * g
        return float(((y.value - target) ** 2).mean())


class Maker:
    def __init__(self, seed):
        self.seed, self.random, self.count = seed, random.Random(seed), 0

    def layers(self, width, depth, keeps=False):
        """One behind the other; with `keeps` the last gives as many features as come in."""
        made, at = [], width
        for _ in range(self.random.randint(1, 3)):
            made.append(self.layer(at, depth))
            at = made[-1].width
        return made + ([self.dense(width)] if keeps and at != width else [])

    def dense(self, width):
        activation = self.random.choice(["", "", *ACTIVATIONS])
        return Layer("dense", width, activation=activation, bias=self.random.choice(["", ", layers::without_bias"]) if activation else "")

    def layer(self, width, depth):
        r = self.random
        kinds = ["dense"] * 3 + ["batch_norm", "batch_norm", "layer_norm", "rms_norm", "prelu", "activation"]
        kind = r.choice(kinds + (["sequential", "residual", "frozen", "frozen", "frozen", "named", "concatenate"] + list(MERGES) if depth > 0 else []))
        if kind == "dense":
            return self.dense(r.choice([1, 2, 3, 5]))
        if kind == "activation":
            return Layer(r.choice(list(ACTIVATIONS)), width)
        if kind in ("batch_norm", "layer_norm", "rms_norm", "prelu"):
            return Layer(kind, width, number=r.choice(["", "0.5"]) if kind == "batch_norm" else "")
        if kind in ("sequential", "residual"):
            inner = self.layers(width, depth - 1, keeps=kind == "residual")
            return Layer(kind, inner[-1].width, inner)
        if kind in ("frozen", "named"):
            inner = Layer("dropout", width) if kind == "frozen" and r.random() < 0.1 else self.layer(width, depth - 1)
            while inner.named_kind() == "layer":
                inner = self.layer(width, depth - 1)
            self.count += 1
            return Layer(kind, inner.width, [inner], name=f"own_{self.count}" if kind == "named" else "")
        first = self.layer(width, depth - 1)
        second = self.layer(width, depth - 1)
        if kind != "concatenate" and second.width != first.width:
            second = self.dense(first.width)
        return Layer(kind, first.width + (second.width if kind == "concatenate" else 0), [first, second])

    def make(self):
        r = self.random
        features = r.choice([1, 2, 4, 6])
        layers = self.layers(features, 2)
        layers += [self.layer(layers[-1].width, 2), self.dense(r.choice([1, 2, 3]))]
        names = names_of(layers[:-1])
        able = [n for n, layer in zip(names, layers) if layer.named_kind() != "layer"]
        frozen = r.sample(able, 1) if able and r.random() < 0.5 else []
        return Network(self.seed, features, layers, frozen, r.choice(["sgd", "momentum"]), *r.choice([(11, 4), (10, 5), (16, 8)]))


def random_network(seed):
    return Maker(seed).make()
