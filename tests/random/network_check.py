# SPDX-License-Identifier: MIT
"""A random network as C++, and what is wrong with what its training gave beside a loop of NumPy's."""
import copy

import numpy as np

from networks import CONTAINERS, GATES, MERGES, Call, Trained, names_of
from reverse import Array


def data_of(network):
    """Rows of inputs and targets; of sequences some steps are zeros, but not the first."""
    r = np.random.default_rng(network.seed)
    x = r.normal(size=(network.rows, *network.extents))
    if len(network.extents) > 1:
        hidden = r.random(x.shape[:2]) < 0.4
        hidden[:, 0] = False
        x[hidden] = 0
    return x, r.normal(size=(network.rows, *network.target))


class Text:
    kind = "network"

    def __init__(self, network, number, fed):
        self.network, self.number, self.at = network, number, len(fed)
        for array in data_of(network):
            fed += array.astype("=f8").tobytes()

    def text(self):
        n, k = self.network, self.number
        net = f"sequential({', '.join(layer.text() for layer in n.layers)})" + "".join(f'.freeze<"{name}">()' for name in n.frozen)
        shapes = [f"shape<{', '.join(map(str, e))}>{{}}" for e in (n.extents, n.target)]
        return ["#include <random/networks.hpp>", f"namespace etch::random_network_{k} {{  // seed {n.seed}", "inline void run() {",
                f"  random_tests::run_network({k}, {net},", f"                            {n.optimizer.text()}, "
                f"{', '.join(shapes)}, {self.at}, {n.rows}, {n.batch});", "}", f"}}  // namespace etch::random_network_{k}"]


def shapes_of(network):
    """({name: shape} of all variables, names of those that are trained)."""
    call = Call({})
    call.sequence(network.layers, Array(np.ones((2, *network.extents))), None, True, "", network.frozen)
    return call.shapes, call.trained


def check(network, results):
    """[(kind, way, fetch, sentence)] of what is wrong."""
    wrong = [("error", way[6:], fetch, r[2].decode(errors="replace")) for (way, fetch), r in results.items() if way.startswith("error:")]
    if wrong:
        return wrong
    numbers = lambda way, fetch=0: np.frombuffer(results[way, fetch][2])
    shapes, trained = shapes_of(network)
    names = results["names", 0][2].decode().split()
    learnt = results["trained", 0][2].decode().split()
    if sorted(names) != sorted(shapes) or sorted(learnt) != sorted(trained):
        return [("names", "by_batches", 0, f"{names}, trained {learnt}, should be {sorted(shapes)}, {sorted(trained)}")]
    counts = [sum(int(np.prod(shapes[n])) for n in of) for of in (shapes, trained)]
    if list(numbers("counts")) != counts:
        wrong.append(("counts", "by_batches", 0, f"{numbers('counts')}, should be {counts}"))
    begin = {n: numbers("begin", i).reshape(shapes[n]) for i, n in enumerate(names)}
    x, target = data_of(network)
    by_hand = Trained(network, begin)

    def compare(way, fetch, wanted, what):
        got = numbers(way, fetch)
        wanted = np.ravel(wanted)
        # Steps enlarge what rounding makes of differences: of sums of 16 numbers in another order.
        allowed = 1e-8 * (1 + np.abs(wanted))
        if got.shape != wanted.shape or not (np.abs(got - wanted) <= allowed).all():
            wrong.append((way, way, fetch, f"{what}: {got}, should be {wanted}"))

    compare("predict", 0, by_hand.predict(x), "before")
    losses, history = [], []
    for _ in range(2):
        rows = [(a, min(a + network.batch, network.rows)) for a in range(0, network.rows, network.batch)]
        losses += [by_hand.step(x[a:b], target[a:b]) for a, b in rows]
        history.append(sum(loss * (b - a) for loss, (a, b) in zip(losses[-len(rows):], rows)) / network.rows)
    compare("losses", 0, losses, "losses")
    compare("history", 0, history, "history")
    for i, n in enumerate(names):
        compare("end", i, by_hand.variables[n], n)
        compare("fitted", i, by_hand.variables[n], n)
    averages = by_hand.training.averages
    if results["averaged", 0][2].decode().split() != [n for n in names if n in averages]:
        wrong.append(("averaged", "by_batches", 0, f"{results['averaged', 0][2].decode().split()}, should be {sorted(averages)}"))
    for i, n in enumerate(n for n in names if n in averages):
        compare("averages", i, averages[n], f"the average of {n}")
    compare("predict", 1, by_hand.predict(x), "after")
    batches = [slice(a, min(a + 3, network.rows)) for a in range(0, network.rows, 3)]
    by_batches = sum(by_hand.loss(x[b], target[b]) * len(x[b]) for b in batches) / network.rows
    compare("evaluate", 0, [by_batches, by_hand.loss(x, target)], "evaluation")
    return wrong


def smaller_networks(network):
    """Without a layer, with what is in a layer in its place, without `freeze`, with another optimizer."""
    for optimizer in network.optimizer.smaller():
        other = copy.deepcopy(network)
        other.optimizer = optimizer
        yield other
    if network.frozen:
        other = copy.deepcopy(network)
        other.frozen = []
        yield other
    for path in reversed(paths(network.layers)):
        for replacement in ([], None):
            other = copy.deepcopy(network)
            owner = other.layers
            for i in path[:-1]:
                owner = owner[i].inner
            owner[path[-1] : path[-1] + 1] = [] if replacement == [] else owner[path[-1]].inner[:1]
            if other.layers and makes_sense(other):
                yield other


def paths(layers, path=()):
    return [p for i, layer in enumerate(layers) for p in [path + (i,)] + paths(layer.inner, path + (i,))]


def makes_sense(network):
    """Whether containers hold what they need, and the result fits the targets."""
    def is_whole(layer):
        needed = 2 if layer.kind in MERGES else layer.kind in CONTAINERS
        fits = layer.kind != "bidirectional" or layer.inner and layer.inner[0].kind in GATES
        return len(layer.inner) >= needed and fits and all(map(is_whole, layer.inner))

    if not all(map(is_whole, network.layers)) or network.layers[-1].kind != "dense":
        return False
    network.frozen = [n for n in network.frozen if n in names_of(network.layers)]
    try:
        y, _ = Call({}).sequence(network.layers, Array(np.ones((2, *network.extents))), None, True, "", network.frozen)
    except (ValueError, IndexError):
        return False
    return y.value.shape[1:] == network.target
