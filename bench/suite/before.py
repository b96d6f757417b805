# SPDX-License-Identifier: MIT
"""Compares the suite's times with those of another build, of an earlier commit say, case by case in turns, after results have been compared.

before.py BEFORE BUILD [--only TEXT] [--threads N...] [--rounds N]
Both have the programs bench/suite_*. Each program runs in two processes, of which one is started before the other build's and one behind it: where
memory lies makes up to 28 % of a case of 60,000,000 elements. For each case: seconds before, now, and now over before in either pair. What is
slower by more than 5 % in both pairs is named at the end; status 1 then.
"""
import argparse
import glob
import os
import statistics
import sys

import tables
from sides import Side, agrees, take_turns


def ratios(case, before, now, rounds):
    """(seconds before, seconds now, now over before) of one pair, medians; None where results differ."""
    if not agrees(before.result(case, "etch"), now.result(case, "etch")):
        return None
    a, b = take_turns(case, [("etch", before), ("etch", now)], rounds)
    return statistics.median(a), statistics.median(b), statistics.median(y / x for x, y in zip(a, b))


def compare(programs, threads, options):
    """[(case, ratios of both pairs)] of what is slower, or has another result."""
    slower = []
    pairs = []
    for order in ((0, 1), (1, 0)):
        sides = {i: Side([programs[i]], threads) for i in order}
        pairs.append((sides[0], sides[1]))
    known = {case for case, library, *_ in pairs[0][0].list() if library == "etch"}
    for case in (case for case, library, *_ in pairs[0][1].list() if library == "etch" and case in known and options.only in case):
        if case.startswith("limit: "):
            continue
        found = [ratios(case, before, now, options.rounds) for before, now in pairs]
        if None in found:
            print(f"{threads} {case}: another result", flush=True)
            slower.append((case, "another result"))
            continue
        a, b = (f[2] for f in found)
        print(f"{threads} {case}: {tables.in_units(found[0][0])}, {tables.in_units(found[0][1])}; {a:.2f}, {b:.2f}", flush=True)
        if min(a, b) > 1.05:
            slower.append((case, f"{a:.2f}, {b:.2f}"))
    for pair in pairs:
        for side in pair:
            side.end()
    return slower


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("before")
    parser.add_argument("build")
    parser.add_argument("--threads", type=int, nargs="+", default=[1])
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    slower = []
    for program in sorted(glob.glob(os.path.join(options.build, "bench", "suite_*"))):
        older = os.path.join(options.before, "bench", os.path.basename(program))
        if os.access(older, os.X_OK):
            for threads in options.threads:
                slower += [(threads, *found) for found in compare((os.path.abspath(older), os.path.abspath(program)), threads, options)]
    for threads, case, text in slower:
        print(f"slower: {threads} {case}: {text}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
