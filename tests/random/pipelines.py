# SPDX-License-Identifier: MIT
"""Random pipelines of datasets of numbers: what each step gives as a list of Python's, and as C++."""
import copy
import random
import struct

FUNCTIONS = {
    "v * 3 + 1": lambda v: v * 3 + 1,
    "1000 - v": lambda v: 1000 - v,
    "v & 15": lambda v: v & 15,
}
PREDICATES = {
    "(v & 1) == 0": lambda v: v & 1 == 0,
    "(v & 3) != 1": lambda v: v & 3 != 1,
}
POOLS = ("one", "two", "five")


class Step:
    """One step behind another, or none; some join a second pipeline."""

    def __init__(self, kind, source=None, other=None, **more):
        self.kind, self.source, self.other, self.more = kind, source, other, more


class Pipeline:
    """With the seed that it was made of, and how it is shuffled."""

    def __init__(self, seed, last, buffer):
        self.seed, self.last, self.buffer = seed, last, buffer


def windows(values, size, shift, stride, drop):
    parts = [values[k:k + (size - 1) * stride + 1:stride] for k in range(0, len(values), shift)]
    return [p for p in parts if len(p) == size or not drop]


def interleaved(lists, cycle, block):
    """As tf.data: `block` elements of each of `cycle` lists in turn; where one has ended the next takes its place."""
    waiting, places, given, at, all_ = list(lists), [None] * cycle, 0, 0, []
    while waiting or any(p is not None for p in places):
        if places[at] is None and waiting:
            places[at] = list(waiting.pop(0))
            continue
        if places[at]:
            all_.append(places[at].pop(0))
            given += 1
            if given < block:
                continue
        elif places[at] is not None:
            places[at] = None
        at, given = (at + 1) % cycle, 0
    return all_


def values(step):
    """The elements of a round."""
    m = step.more
    if step.kind == "range":
        return list(range(m["count"]))
    of = values(step.source)
    if step.kind == "map":
        return [FUNCTIONS[m["f"]](v) for v in of]
    if step.kind == "filter":
        return [v for v in of if PREDICATES[m["f"]](v)]
    if step.kind in ("window", "ends"):
        parts = windows(of, m["size"], m["shift"], m["stride"], m["drop"])
        return [p[0] + 7 * p[-1] + len(p) for p in parts] if step.kind == "ends" else [v for p in parts for v in p]
    if step.kind == "take":
        return of[:m["count"]]
    if step.kind == "skip":
        return of[m["count"]:]
    if step.kind == "shard":
        return of[m["index"]::m["count"]]
    if step.kind == "zip":
        return [a + 2 * b for a, b in zip(of, values(step.other))]
    if step.kind == "concatenate":
        return of + values(step.other)
    if step.kind == "interleave":
        return interleaved([range(v & 3) for v in of], m["cycle"], m["block"])
    if step.kind == "enumerate":
        return [5 * (i + m["start"]) - v for i, v in enumerate(of)]
    if step.kind == "repeat":
        return of * m["count"]
    return of  # batch and unbatch, cache, prefetch


def text(step):
    """As C++."""
    m = step.more
    if step.kind == "range":
        return f"data::range({m['count']})"
    of, pool = text(step.source), f", {m['pool']}" if m.get("pool") else ""
    if step.kind == "map":
        return f"{of}.map([](std::int64_t v) {{ return {m['f']}; }}{pool})"
    if step.kind == "filter":
        return f"{of}.filter([](std::int64_t v) {{ return {m['f']}; }})"
    if step.kind in ("window", "ends"):
        made = f"{of}.window({m['size']}, {m['shift']}, {m['stride']}, {'true' if m['drop'] else 'false'})"
        if step.kind == "window":
            return made + ".unbatch()"
        return f"{made}.map([](const tensor<std::int64_t, 1>& w) {{ return w(0) + 7 * w(w.extent(0) - 1) + w.extent(0); }}{pool})"
    if step.kind == "batch":
        return f"{of}.batch({m['rows']}).unbatch()"
    if step.kind in ("take", "skip", "prefetch", "repeat"):
        return f"{of}.{step.kind}({m['count']})"
    if step.kind == "shard":
        return f"{of}.shard({m['count']}, {m['index']})"
    if step.kind == "zip":
        return f"data::zip({of}, {text(step.other)}).map([](std::int64_t a, std::int64_t b) {{ return a + 2 * b; }}{pool})"
    if step.kind == "concatenate":
        return f"{of}.concatenate({text(step.other)})"
    if step.kind == "interleave":
        return f"{of}.interleave([](std::int64_t v) {{ return data::range(v & 3); }}, {m['cycle']}, {m['block']})"
    if step.kind == "enumerate":
        return f"{of}.enumerate({m['start']}).map([](std::int64_t i, std::int64_t v) {{ return 5 * i - v; }})"
    return f"{of}.cache()"


def random_step(r, source, depth):
    pool = r.choice(POOLS + ("",))
    kind = r.choice(["map", "map", "map", "filter", "window", "ends", "batch", "take", "skip", "shard", "cache", "prefetch", "interleave",
                     "enumerate", "repeat"] + ["zip", "concatenate"] * (2 if depth else 0))
    window = dict(size=r.choice([1, 2, 5, 20]), shift=r.choice([1, 2, 4]), stride=r.choice([1, 2]), drop=r.random() < 0.5)
    more = {
        "map": dict(f=r.choice(list(FUNCTIONS)), pool=pool), "filter": dict(f=r.choice(list(PREDICATES))), "window": window,
        "ends": dict(window, pool=pool), "batch": dict(rows=r.choice([1, 3, 8])), "take": dict(count=r.choice([0, 1, 9, 40])),
        "skip": dict(count=r.choice([0, 1, 9])), "prefetch": dict(count=r.choice([1, 3])), "repeat": dict(count=r.choice([1, 2])),
        "interleave": dict(cycle=r.choice([1, 2, 3]), block=r.choice([1, 2])), "enumerate": dict(start=r.choice([0, 3])), "cache": {},
        "zip": dict(pool=pool), "concatenate": {}
    }
    shards = r.choice([1, 2, 3])
    more["shard"] = dict(count=shards, index=r.randrange(shards))
    return Step(kind, source, chain(r, depth - 1) if kind in ("zip", "concatenate") else None, **more[kind])


def chain(r, depth):
    last = Step("range", count=r.choice([0, 1, 2, 5, 17, 33, 70, 150]))
    for _ in range(r.randrange(1, 5)):
        last = random_step(r, last, depth)
        if len(values(last)) > 300:
            last = Step("take", last, count=150)
    return last


def random_pipeline(seed):
    r = random.Random(seed)
    return Pipeline(seed, chain(r, 2), r.choice([1, 5, 1000]))


class Text:
    kind = "pipeline"

    def __init__(self, pipeline, number):
        self.pipeline, self.number = pipeline, number

    def text(self):
        k, made = self.number, text(self.pipeline.last)
        return ["#include <random/pipelines.hpp>", f"namespace etch::random_pipeline_{k} {{", "using random_tests::one, random_tests::two, random_tests::five;",
                "inline void run() {", f"  random_tests::run_pipeline({k}, {self.pipeline.buffer}, [] {{", f"    return {made};", "  });", "}",
                f"}}  // namespace etch::random_pipeline_{k}"]


def check(pipeline, results):
    """[(kind, way, round, sentence)] of what is wrong."""
    wrong, wanted = [], values(pipeline.last)
    for (way, number), (_, size, raw) in results.items():
        if way.startswith("error:"):
            wrong.append(("error", way[6:], number, raw.decode(errors="replace")))
            continue
        got = list(struct.unpack(f"={len(raw) // 8}q", raw))
        expected = {"order": wanted, "shuffled": sorted(wanted), "positions": []}[way]
        if got != expected:
            wrong.append((way, way, number, f"{got[:20]}, should be {expected[:20]} ({len(got)} and {len(expected)} of them)"))
    if not wrong and len(results) != 5:
        wrong.append(("results", "", 0, f"{sorted(results)} are there"))
    return wrong


def smaller_pipelines(pipeline):
    """Without a step, with the second of two, with a smaller range."""
    for i in range(len(places(pipeline))):
        step = places(pipeline)[i][2]
        for part in (step.source, step.other):
            if part is not None:
                yield replaced(pipeline, i, part)
        if step.kind == "range" and step.more["count"] > 1:
            yield replaced(pipeline, i, Step("range", count=step.more["count"] // 2))


def places(pipeline):
    """(owner, its member, step) of every step."""
    found = [(pipeline, "last", pipeline.last)]
    for _, _, step in found:
        found += [(step, name, part) for name in ("source", "other") if (part := getattr(step, name)) is not None]
    return found


def replaced(pipeline, i, step):
    step = copy.deepcopy(step)
    other = copy.deepcopy(pipeline)
    owner, name, _ = places(other)[i]
    setattr(owner, name, step)
    return other
