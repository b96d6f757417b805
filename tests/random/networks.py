# SPDX-License-Identifier: MIT
"""Random networks of layers, some in others, some frozen or with a name of their own, and what training makes of their variables."""
import random

import numpy as np

import reverse
import sequence_layers
import training_rules
from reverse import Array
from sequence_layers import ACTIVATIONS, GATES

CONTAINERS = ("sequential", "residual", "frozen", "named", "add", "multiply", "maximum", "concatenate", "bidirectional")
MERGES = {"add": lambda a, b: a + b, "multiply": lambda a, b: a * b, "maximum": reverse.maximum}


class Layer:
    """kind: its own, or that of a container; inner: layers; width: features of its result; more: options."""

    def __init__(self, kind, width, inner=(), **more):
        self.kind, self.width, self.inner, self.more = kind, width, list(inner), more

    def named_kind(self):
        """What its name is made of."""
        if self.kind in ("frozen", "named"):
            return self.more.get("name") or self.inner[0].named_kind()
        return "layer" if self.kind in ACTIVATIONS or self.kind == "global_average_pool" else self.kind

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
        if self.kind in GATES:
            said = [f"layers::{o}" for o in ("return_sequences", "go_backwards", "reset_before") if m.get(o)]
            return f"layers::{self.kind}<{m['units']}>" + (f"({', '.join(said)})" if said else "")
        if self.kind == "bidirectional":
            return f"layers::bidirectional({inner}{', add' if m['merge'] else ''})"
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
    """extents, target: of an input and of a result, without the batch; frozen: names of layers of the outermost sequence that `freeze` freezes."""

    def __init__(self, seed, extents, target, layers, frozen, optimizer, rows, batch):
        self.seed, self.extents, self.target, self.layers, self.frozen = seed, extents, target, layers, frozen
        self.optimizer, self.rows, self.batch = optimizer, rows, batch


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

    def sequence(self, layers, x, mask, training, path, frozen=(), is_frozen=False):
        """The result, and which of its steps are seen: bools (batch, steps), or None."""
        for layer, name in zip(layers, names_of(layers)):
            x, mask = self.layer(layer, x, mask, training and name not in frozen, path + name, is_frozen or name in frozen)
        return x, mask

    def layer(self, layer, x, mask, training, name, is_frozen):
        kind, m, trained = layer.kind, layer.more, not is_frozen
        if kind in ACTIVATIONS:
            return x.through(*ACTIVATIONS[kind]), mask
        if kind == "dropout":  # only where it is frozen
            return x, mask
        if kind == "masking":
            seen = (x.value != 0).any(-1)
            return reverse.where(seen[..., None], x, Array(0)), seen
        if kind == "global_average_pool":
            return sequence_layers.global_average_pool(x, mask), None
        if kind in ("frozen", "named"):
            return self.layer(layer.inner[0], x, mask, training and kind != "frozen", name, is_frozen or kind == "frozen")
        if kind in ("sequential", "residual"):
            made, behind = self.sequence(layer.inner, x, mask, training, name + "/", is_frozen=is_frozen)
            return (made, behind) if kind == "sequential" else (x + made, all_seen([mask, behind]))
        if kind in MERGES or kind == "concatenate":
            made = [self.layer(i, x, mask, training, f"{name}/{n}", is_frozen) for i, n in zip(layer.inner, names_of(layer.inner))]
            arrays, masks = zip(*made)
            return reverse.concatenate(arrays) if kind == "concatenate" else MERGES[kind](*arrays), all_seen(masks)
        if kind in GATES:
            return sequence_layers.recurrent(self, layer, x, mask, name, trained)
        if kind == "bidirectional":
            return sequence_layers.bidirectional(self, layer, x, mask, name, trained)
        return getattr(self, kind)(layer, x, mask, training, trained, name), mask

    def dense(self, layer, x, mask, training, trained, name):
        m = layer.more
        y = reverse.matmul(x, self.variable(name + "/kernel", (x.value.shape[-1], layer.width), trained))
        if "without_bias" not in m["bias"]:
            y = y + self.variable(name + "/bias", (layer.width,), trained)
        return y.through(*ACTIVATIONS[m["activation"]]) if m["activation"] else y

    def prelu(self, layer, x, mask, training, trained, name):
        alpha = self.variable(name + "/alpha", x.value.shape[1:], trained)
        return x.through(lambda v: np.maximum(v, 0), lambda v, y: v > 0) + alpha * x.through(lambda v: np.minimum(v, 0), lambda v, y: v <= 0)

    def scaled(self, x, name, trained):
        return x * self.variable(name + "/scale", x.value.shape[-1:], trained) + self.variable(name + "/offset", x.value.shape[-1:], trained)

    def batch_norm(self, layer, x, mask, training, trained, name):
        """By the moments of the steps that are seen."""
        kept = [self.variable(f"{name}/moving_{n}", x.value.shape[-1:], False) for n in ("mean", "variance")]
        if training:
            axes = tuple(range(x.value.ndim - 1))
            def moment(a):
                return reverse.mean(a, axes) if mask is None else reverse.mean(reverse.where(mask[..., None], a, Array(0)), axes) * Array(1 / mask.mean())
            average = moment(x)
            rest = x - average
            variance = moment(rest * rest)
            momentum = float(layer.more.get("number") or 0.99)
            for n, old, now in zip(("mean", "variance"), kept, (average, variance)):
                self.moved[f"{name}/moving_{n}"] = momentum * old.value + (1 - momentum) * now.value.reshape(-1)
        else:
            average, variance = map(reverse.constant, kept)
        return self.scaled((x - average) * inverse_root(variance, 1e-3), name, trained)

    def layer_norm(self, layer, x, mask, training, trained, name):
        rest = x - reverse.mean(x, -1)
        return self.scaled(rest * inverse_root(reverse.mean(rest * rest, -1), 1e-3), name, trained)

    def rms_norm(self, layer, x, mask, training, trained, name):
        return x * inverse_root(reverse.mean(x * x, -1), 1e-6) * self.variable(name + "/scale", x.value.shape[-1:], trained)


def all_seen(masks):
    """By each of those that there are."""
    known = [m for m in masks if m is not None]
    return np.logical_and.reduce(known) if known else None


def inverse_root(variance, epsilon):
    return variance.through(lambda v: (v + epsilon) ** -0.5, lambda v, y: -0.5 * y**3)


class Trained:
    """Trains by a loop of NumPy's, from the same first values."""

    def __init__(self, network, variables):
        self.network, self.variables = network, {n: v.copy() for n, v in variables.items()}
        self.training = network.optimizer.begin()

    def call(self, x, training):
        """(the call, the result, weights of the loss of each element): steps that are hidden have none, the others' are scaled."""
        made = Call(self.variables)
        y, mask = made.sequence(self.network.layers, Array(x), None, training, "", self.network.frozen)
        return made, y, 1 if mask is None else mask[..., None] / mask.mean()

    def predict(self, x):
        return self.call(x, False)[1].value

    def loss(self, x, target):
        _, y, weights = self.call(x, False)
        return float((weights * (y.value - target) ** 2).mean())

    def step(self, x, target):
        """The loss before it."""
        made, y, weights = self.call(x, True)
        names = sorted(made.trained)
        slopes = reverse.gradients(y, weights * 2 * (y.value - target) / y.value.size, [made.arrays[n] for n in names])
        self.variables |= made.moved
        self.variables |= self.training.step(self.variables, dict(zip(names, slopes)))
        return float((weights * (y.value - target) ** 2).mean())


class Maker:
    def __init__(self, seed):
        self.seed, self.random, self.count = seed, random.Random(seed), 0
        self.steps = self.random.choice([1, 2, 3, 5]) if seed % 2 else 0  # of sequences; 0: rows of features

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

    def recurrent(self, every=True):
        r = self.random
        kind, units = r.choice(list(GATES)), r.choice([1, 2, 3])
        return Layer(kind, units, units=units, return_sequences=every, go_backwards=r.random() < 0.3,
                     reset_before=kind == "gru" and r.random() < 0.3)

    def layer(self, width, depth):
        r = self.random
        kinds = ["dense"] * 3 + ["batch_norm", "batch_norm", "layer_norm", "rms_norm", "prelu", "activation"]
        if self.steps:
            kinds += ["recurrent"] * 3 + (["bidirectional"] if depth > 0 else [])
        kind = r.choice(kinds + (["sequential", "residual", "frozen", "frozen", "frozen", "named", "concatenate"] + list(MERGES) if depth > 0 else []))
        if kind == "dense":
            return self.dense(r.choice([1, 2, 3, 5]))
        if kind == "activation":
            return Layer(r.choice(list(ACTIVATIONS)), width)
        if kind == "recurrent":
            return self.recurrent()
        if kind == "bidirectional":
            inner, merge = self.recurrent(), r.random() < 0.3
            return Layer(kind, inner.width * (1 if merge else 2), [inner], merge=merge)
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
        features, steps = r.choice([1, 2, 4, 6]), self.steps
        layers = [Layer("masking", features)] if self.steps and r.random() < 0.6 else []
        layers += self.layers(features, 2)
        if self.steps and r.random() < 0.6:
            width = layers[-1].width
            layers.append(self.recurrent(every=False) if r.random() < 0.6 else Layer("global_average_pool", width))
            self.steps = 0
        layers += [self.layer(layers[-1].width, 2), self.dense(r.choice([1, 2, 3]))]
        able = [n for n, layer in zip(names_of(layers[:-1]), layers) if layer.named_kind() != "layer"]
        frozen = r.sample(able, 1) if able and r.random() < 0.5 else []
        extents = (steps, features) if steps else (features,)
        return Network(self.seed, extents, (self.steps,) * (self.steps > 0) + (layers[-1].width,), layers, frozen, training_rules.random_optimizer(self.seed),
                       *r.choice([(11, 4), (10, 5), (16, 8)]))


def random_network(seed):
    return Maker(seed).make()
