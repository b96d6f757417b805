# SPDX-License-Identifier: MIT
"""fuzz.py [MINUTES] [--kind graphs|programs|updates|pipelines|texts|networks] [--seed N | --seeds A:B[,C...]] [--compiler COMMAND] [--folder FOLDER]
        [--include FOLDER] [--shrink TRIES]

Random graphs, programs, updates of variables, pipelines of datasets, programs of strings and trained networks, compiled and compared; what fails is made small and printed. Without
--seeds new ones for that many minutes (10), from seed N on. With --seeds those and no others, made smaller only where --shrink says how many
tries: the tests. Status 0: nothing is wrong, 1: something is, 2: usage, or a second run in one folder, 77: NumPy is missing.
"""
import argparse
import fcntl
import os
import random
import re
import resource
import sys
import time

try:
    import numpy  # noqa: F401
except ImportError:
    print("tests/random is skipped: Python has no NumPy (Debian: python3-numpy)")
    sys.exit(77)

import graph_check
import graph_text
import graphs
import network_check
import networks
import pipelines
import program_check
import program_text
import programs
import smaller_graphs
import smaller_programs
import text_check
import text_text
import texts
import updates
from compiler import Compiler, run, whole_program
from shrink import shrunken


class Kind:
    """batch: how many are one program; text(item, number, fed): one as C++, which may append operands to the bytes `fed`."""

    def __init__(self, batch, make, text, check, smaller):
        self.batch, self.make, self.text_of, self.check, self.smaller = batch, make, text, check, smaller

    def text(self, items):
        fed = bytearray()
        return whole_program([self.text_of(item, i, fed) for i, item in enumerate(items)]), fed


def graph_of(seed):
    g = graphs.random_graph(seed)
    if g:
        g.ways = graph_text.chosen_ways(g, random.Random(seed))
    return g


def program_of(seed):
    p = programs.random_program(seed)
    if not program_check.is_clear(p):
        return None
    p.ways = ["alone", "threads"] if p.style == "effects" else ["alone", "together"] + random.Random(seed).sample(
        ["threads", "reference", "function"], 1)
    return p


KINDS = {
    "graphs": Kind(6, graph_of, lambda g, i, fed: graph_text.Text(g, i, fed, g.ways), graph_check.check, smaller_graphs.smaller_graphs),
    "programs": Kind(4, program_of, lambda p, i, fed: program_text.Text(p, i, p.ways), program_check.check, smaller_programs.smaller_programs),
    "updates": Kind(8, updates.random_update, lambda u, i, fed: updates.Text(u, i), updates.check, updates.smaller_updates),
    "pipelines": Kind(10, pipelines.random_pipeline, lambda p, i, fed: pipelines.Text(p, i), pipelines.check, pipelines.smaller_pipelines),
    "texts": Kind(6, texts.random_texts, lambda p, i, fed: text_text.Text(p, i), text_check.check, text_check.smaller_texts),
    "networks": Kind(3, networks.random_network, network_check.Text, network_check.check, network_check.smaller_networks),
}


def compile_failure(error):
    """The sentence, without what depends on the program."""
    lines = [line for line in error.splitlines() if "error:" in line] or error.splitlines()[:1]
    said = re.sub(r"^.*?error:", "", lines[0]).strip()
    sentence = re.search(r"graph_error<etch::(\w+)", said)
    return "compile", sentence[1] if sentence else re.sub(r"'[^']*'|\d+", "_", said)[:60], 0, "\n".join(lines)[:700]


def judge(kind, items, compiler):
    """What is wrong with each."""
    text, fed = kind.text(items)
    program, error = compiler.compile(text, "program")
    if not error:
        data, said, status = run(program, fed)
        if status == 0:
            results = graph_check.parse(data)
            return [kind.check(item, results.get(i, {})) for i, item in enumerate(items)]
    if len(items) == 1:
        return [[compile_failure(error) if error else ("crash", str(status), 0, f"ended with status {status}")]]
    half = len(items) // 2
    return judge(kind, items[:half], compiler) + judge(kind, items[half:], compiler)


def key(failure):
    return failure[:2]


def report(kind, item, failures, compiler, start, budget):
    print(f"\n== seed {item.seed}, after {time.time() - start:.0f} s ({processor_seconds():.0f} s of a processor): ", end="")
    print("\n".join(f"{what} [{way}] of fetch {fetch}: {text}" for what, way, fetch, text in failures[:6]), flush=True)
    if budget == 0:
        return
    wanted = key(failures[0])

    def fails(candidate):
        try:
            return candidate is not None and any(key(f) == wanted for f in judge(kind, [candidate], compiler)[0])
        except (OverflowError, ZeroDivisionError, ValueError, IndexError, KeyError, AttributeError, RecursionError):
            return False  # The smaller one makes no sense.

    small = shrunken(item, kind.smaller, fails, budget)
    print(f"-- seed {item.seed}, smaller:")
    for what, way, fetch, text in judge(kind, [small], compiler)[0][:4]:
        print(f"// {what} [{way}] of fetch {fetch}: {text.splitlines()[0] if text else ''}")
    print(kind.text([small])[0], flush=True)


def processor_seconds():
    return sum(r.ru_utime + r.ru_stime for r in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def seeds_of(text):
    for part in text.split(","):
        first, _, end = part.partition(":")
        yield from range(int(first), int(end or int(first) + 1))


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("minutes", nargs="?", type=float, default=10)
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--seeds")
    parser.add_argument("--compiler")
    parser.add_argument("--folder", default="build/fuzz")
    parser.add_argument("--include")
    parser.add_argument("--shrink", type=int)
    a = parser.parse_args()
    # Of new ones g++ has one in three, unless a compiler is named.
    a.mixed = not a.compiler and not a.seeds
    a.compiler = a.compiler or "clang++-19"
    if a.shrink is None:
        a.shrink = 0 if a.seeds else 60
    return a


def main():
    a = arguments()
    os.makedirs(a.folder, exist_ok=True)
    # Until the program ends: another one would compile programs of the same names.
    lock = open(os.path.join(a.folder, "lock"), "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        print(f"fuzz.py: another run works in {a.folder}; --folder names another one", file=sys.stderr)
        return 2
    compilers = {c: Compiler(c, os.path.join(a.folder, c.replace("/", "_")), **({"include": a.include} if a.include else {}))
                 for c in {a.compiler, "g++" if a.mixed else a.compiler}}
    start, made, wrong, seen, round_ = time.time(), 0, 0, set(), 0
    fixed = list(seeds_of(a.seeds)) if a.seeds else None
    seed = a.seed
    while fixed if a.seeds else time.time() - start < 60 * a.minutes:
        name = a.kind or tuple(KINDS)[round_ % len(KINDS)]
        kind = KINDS[name]
        compiler = compilers["g++" if a.mixed and round_ % 3 == 2 else a.compiler]
        round_ += 1
        items = []
        while len(items) < kind.batch and (fixed if a.seeds else True):
            item = kind.make(fixed.pop(0) if a.seeds else seed)
            seed += 1
            if item:
                items.append(item)
        made += len(items)
        for item, failures in zip(items, judge(kind, items, compiler) if items else []):
            if failures:
                wrong += 1
                # What fails like another is not made small again.
                first = (name, key(failures[0])) not in seen
                seen.add((name, key(failures[0])))
                report(kind, item, failures, compiler, start, a.shrink if first else 0)
    print(f"{made} {a.kind or 'graphs, programs, updates, pipelines, texts and networks'}, {wrong} wrong, {time.time() - start:.0f} s ({processor_seconds():.0f} s of a processor)"
          + (f", next seed {seed}" if not a.seeds else ""))
    if a.seeds and not made:
        print(f"fuzz.py: the seeds {a.seeds} make nothing that can be compared", file=sys.stderr)
        return 2
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
