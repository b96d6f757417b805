# SPDX-License-Identifier: MIT
"""Random optimizers: a rule, a schedule and what an optimizer takes beside them, as C++ and in NumPy (docs/training.md).

`lion` and `lamb` are not among them: of a gradient that is 0 but for rounding, as that of a bias in front of a batch norm, one takes the sign, the
other makes a step as long as the variable."""
import math
import random

import numpy as np

E = 1e-7


def kept(state, name, value):
    state[name] = value
    return value


def averages(s, g):
    """Adam's two moving averages."""
    return kept(s, "m", 0.9 * s.get("m", 0) + 0.1 * g), kept(s, "v", 0.999 * s.get("v", 0) + 0.001 * g * g)


def momentum(s, w, g, rate, t):
    return w - rate * kept(s, "m", 0.9 * s.get("m", 0) + g)


def nesterov(s, w, g, rate, t):
    return w - rate * (g + 0.9 * kept(s, "m", 0.9 * s.get("m", 0) + g))


def adam(s, w, g, rate, t):
    m, v = averages(s, g)
    return w - rate * math.sqrt(1 - 0.999**t) / (1 - 0.9**t) * m / (np.sqrt(v) + E)


def adamax(s, w, g, rate, t):
    m = kept(s, "m", 0.9 * s.get("m", 0) + 0.1 * g)
    return w - rate / (1 - 0.9**t) * m / (kept(s, "u", np.maximum(0.999 * s.get("u", 0), np.abs(g))) + E)


def nadam(s, w, g, rate, t):
    m, v = averages(s, g)
    weight = lambda i: 0.9 * (1 - 0.5 * 0.96**i)
    product = kept(s, "product", s.get("product", 1) * weight(t))
    m_hat = rate * weight(t + 1) / (1 - product * weight(t + 1)) * m + rate * (1 - weight(t)) / (1 - product) * g
    return w - m_hat / (np.sqrt(v / (1 - 0.999**t)) + E)


def rmsprop(s, w, g, rate, t):
    return w - rate * g / np.sqrt(kept(s, "v", 0.9 * s.get("v", 0) + 0.1 * g * g) + E)


def rmsprop_with_momentum(s, w, g, rate, t):
    change = rate * g / np.sqrt(kept(s, "v", 0.8 * s.get("v", 0) + 0.2 * g * g) + E)
    return w - kept(s, "m", 0.5 * s.get("m", 0) + change)


def adagrad(s, w, g, rate, t):
    return w - rate * g / np.sqrt(kept(s, "a", s.get("a", 0.1) + g * g) + E)


def adadelta(s, w, g, rate, t):
    v = kept(s, "v", 0.95 * s.get("v", 0) + 0.05 * g * g)
    change = g * np.sqrt(s.get("u", 0) + E) / np.sqrt(v + E)
    s["u"] = 0.95 * s.get("u", 0) + 0.05 * change * change
    return w - rate * change


def ftrl(s, w, g, rate, t):
    before = s.get("a", 0.1)
    a = kept(s, "a", before + g * g)
    z = kept(s, "z", s.get("z", 0) + g - (np.sqrt(a) - np.sqrt(before)) / rate * w)
    return (np.clip(z, -0.01, 0.01) - z) / (np.sqrt(a) / rate + 0.04)


RULES = {"sgd": ("sgd({})", lambda s, w, g, rate, t: w - rate * g), "momentum": ("momentum({})", momentum), "nesterov": ("nesterov({})", nesterov),
         "adam": ("adam({})", adam), "adamax": ("adamax({})", adamax), "nadam": ("nadam({})", nadam), "rmsprop": ("rmsprop({})", rmsprop),
         "rmsprop with momentum": ("rmsprop({}, 0.8_c, 0.5_c)", rmsprop_with_momentum), "adagrad": ("adagrad({})", adagrad),
         "adadelta": ("adadelta({})", adadelta), "ftrl": ("ftrl({}, 0.01_c, 0.02_c)", ftrl)}

# Of how many changes there were; never 0, by which `ftrl` divides.
SCHEDULES = {"0.05_c": lambda n: 0.05, "schedules::exponential_decay(0.05_c, 2_c, 0.5_c)": lambda n: 0.05 * 0.5 ** (n / 2),
             "schedules::exponential_decay(0.05_c, 2_c, 0.5_c, schedules::staircase)": lambda n: 0.05 * 0.5 ** (n // 2),
             "schedules::inverse_time_decay(0.05_c, 3_c, 0.7_c)": lambda n: 0.05 / (1 + 0.7 * n / 3),
             "schedules::cosine_decay(0.05_c, 4_c, 0.1_c)": lambda n: 0.05 * (0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * min(n / 4, 1)))),
             "schedules::polynomial_decay(0.05_c, 4_c, 0.01_c, 2_c)": lambda n: 0.04 * (1 - min(n / 4, 1)) ** 2 + 0.01,
             "schedules::piecewise_constant_decay<1, 3>(0.05_c, 0.02_c, 0.07_c)": lambda n: 0.05 if n <= 1 else 0.02 if n <= 3 else 0.07,
             "schedules::warm_up(0.05_c, 3_c, 0.01_c)": lambda n: 0.01 + 0.04 * min(n / 3, 1)}


def clipped(g, norm, limit):
    return g * (limit / norm) if norm > limit else g


class Optimizer:
    """limit: (name, number) or None; decay, average: numbers or None; spared: the part of names that does not decay; count: of an accumulation."""

    def __init__(self, rule, schedule, limit=None, decay=None, spared=None, average=None, count=1, order=()):
        self.rule, self.schedule, self.limit, self.decay, self.spared = rule, schedule, limit, decay, spared
        self.average, self.count, self.order = average, count, order

    def text(self):
        said = {"limit": self.limit and f".clip_by_{self.limit[0]}({self.limit[1]}_c)",
                "decay": self.decay and f".weight_decay({self.decay}_c{f', variables_not_named<{chr(34)}{self.spared}{chr(34)}>' if self.spared else ''})",
                "average": self.average and f".moving_average({self.average}_c)", "count": self.count > 1 and f".accumulate({self.count}_c)"}
        return "optimizers::" + RULES[self.rule][0].format(self.schedule) + "".join(said[o] or "" for o in self.order)

    def smaller(self):
        """Without one of the things that it takes; a plain one."""
        without = {"limit": None, "decay": None, "average": None, "count": 1}
        asked = {"limit": self.limit, "decay": self.decay, "spared": self.spared, "average": self.average, "count": self.count}
        for name, value in without.items():
            if asked[name] != value:
                yield Optimizer(self.rule, self.schedule, **{**asked, name: value}, order=self.order)
        if self.schedule != "0.05_c":
            yield Optimizer(self.rule, "0.05_c", **asked, order=self.order)
        if self.rule != "sgd":
            yield Optimizer("sgd", self.schedule, **asked, order=self.order)

    def begin(self):
        return Training(self)


class Training:
    """What an optimizer keeps."""

    def __init__(self, optimizer):
        self.optimizer, self.states, self.sums, self.averages, self.gradients, self.changes = optimizer, {}, {}, {}, 0, 0

    def step(self, variables, slopes):
        """The variables of these slopes, by name, as they are then."""
        o = self.optimizer
        self.gradients += 1
        for n, g in slopes.items():
            self.sums[n] = self.sums.get(n, 0) + g
        if self.gradients % o.count:
            return {}
        slopes = {n: g / o.count for n, g in self.sums.items()}
        self.sums = {}
        if o.limit:
            slopes = self.limited(slopes)
        rate = SCHEDULES[o.schedule](self.changes)
        self.changes += 1
        made = {}
        for n, g in slopes.items():
            w = variables[n]
            if o.decay and o.spared not in n.split("/"):
                w = w - rate * o.decay * w
            made[n] = RULES[o.rule][1](self.states.setdefault(n, {}), w, g, rate, self.changes)
            if o.average:
                self.averages[n] = made[n] if self.changes == 1 else o.average * self.averages[n] + (1 - o.average) * made[n]
        return made

    def limited(self, slopes):
        kind, limit = self.optimizer.limit
        norms = {n: np.sqrt((g * g).sum()) for n, g in slopes.items()}
        whole = np.sqrt(sum(norm * norm for norm in norms.values()))
        if kind == "value":
            return {n: np.clip(g, -limit, limit) for n, g in slopes.items()}
        return {n: clipped(g, norms[n] if kind == "norm" else whole, limit) for n, g in slopes.items()}


def random_optimizer(seed):
    r = random.Random(f"optimizer {seed}")
    limit = r.choice([None, None, ("value", 0.1), ("norm", 0.3), ("global_norm", 0.5)])
    decay, average, count = r.choice([None, None, 0.1]), r.choice([None, None, 0.7]), r.choice([1, 1, 1, 2, 3])
    schedule = r.choice(["0.05_c"] * 3 + list(SCHEDULES))
    return Optimizer(r.choice(["sgd", *RULES]), schedule, limit, decay, r.choice([None, "bias", "kernel"]) if decay else None, average, count,
                     r.sample(["limit", "decay", "average", "count"], 4))
