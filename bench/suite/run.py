# SPDX-License-Identifier: MIT
"""Runs the benchmark suite: etch and its peers take turns, case by case, after their results have been compared.

run.py BUILD [--threads N...] [--only TEXT] [--rounds N] [--peers PYTHON] [--out FOLDER]
BUILD has the programs bench/suite_*; PYTHON is an interpreter that has PyTorch, JAX, TensorFlow, or some of them. Writes
FOLDER/results.json and FOLDER/results.md.
"""
import argparse
import glob
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile

import numpy as np

import goals

HERE = os.path.dirname(os.path.abspath(__file__))
TURN = 0.02  # seconds that a turn should last
CORES = sorted(os.sched_getaffinity(0))  # a library that starts more threads than it is told has no more cores for that
MOST_ERROR = 2e-3  # of a result, relative to the largest element; sums of float32 in other orders


class Side:
    """A worker program."""

    def __init__(self, command, threads):
        own = dict(os.environ, BENCH_THREADS=str(threads), OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads),
                   MKL_NUM_THREADS=str(threads))
        if "avx512" in open("/proc/cpuinfo").read():
            own["OPENBLAS_CORETYPE"] = "SkylakeX"  # 0.3.21 does not know newer ones, and takes a generic kernel
        self.name = os.path.basename(command[-1])
        self.process = subprocess.Popen(command, env=own, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True, cwd=HERE, preexec_fn=lambda: os.sched_setaffinity(0, CORES[:threads]))

    def ask(self, *words):
        self.process.stdin.write("\t".join(words) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def list(self):
        cases = []
        line = self.ask("list")
        while line.strip():
            case, library, flops, size = line.rstrip("\n").split("\t")
            cases.append((case, library, float(flops), float(size)))
            line = self.process.stdout.readline()
        return cases

    def result(self, case, library):
        with tempfile.NamedTemporaryFile() as f:
            if not self.ask("check", case, library, f.name).strip():
                return None
            return np.fromfile(f.name, dtype=np.float32)

    def seconds(self, case, library, calls):
        return float(self.ask("time", case, library, str(calls)))


def calls_for_a_turn(side, case, library):
    calls = 1
    while True:
        t = side.seconds(case, library, calls)
        if t >= TURN / 2:
            return max(1, round(calls * TURN / t))
        calls = calls * 16 if t < TURN / 64 else int(calls * TURN / t) + 1


def agrees(a, b):
    if a is None or b is None or a.shape != b.shape:
        return False
    return bool(np.max(np.abs(a - b), initial=0) <= MOST_ERROR * max(1e-30, np.max(np.abs(a), initial=0)))


def run_case(case, sides, rounds):
    """sides: [(library, side, flops, bytes)], etch first. Medians in seconds by library, and their spread."""
    ours = sides[0][1].result(case, "etch")
    taking_part, wrong = [], []
    for library, side, *_ in sides:
        if library == "etch" or agrees(ours, side.result(case, library)):
            taking_part.append((library, side))
        else:
            wrong.append(library)
    calls = {library: calls_for_a_turn(side, case, library) for library, side in taking_part}
    times = {library: [] for library, _ in taking_part}
    for r in range(rounds):
        for library, side in taking_part[:: 1 if r % 2 == 0 else -1]:
            side.seconds(case, library, 1)  # its data are in the caches again
            times[library].append(side.seconds(case, library, calls[library]) / calls[library])
    return {library: {"median": statistics.median(t), "least": min(t), "most": max(t)} for library, t in times.items()}, wrong


def in_units(t):
    for unit, scale in (("ns", 1e9), ("us", 1e6), ("ms", 1e3)):
        if t * scale < 1000:
            return f"{t * scale:.3g} {unit}"
    return f"{t:.3g} s"


def describe_machine():
    model = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    vectors = next((v for v in ("avx512f", "avx2", "sse2") if f" {v}" in open("/proc/cpuinfo").read()), "")
    return f"{model[0] if model else platform.machine()}, {os.cpu_count()} cores, {vectors}"


def table(results, limits):
    lines = []
    for threads in sorted({r["threads"] for r in results}):
        peak, triad = limits[str(threads)]
        lines += [f"### {threads} thread{'s' if threads > 1 else ''}", "",
                  f"Measured limits: {peak / 1e9:.0f} GFLOP/s of float32 multiply-adds, {triad / 1e9:.0f} GB/s of a triad in 12 MB.", "",
                  "| case | etch | best peer | ratio | of the limit | spread | others |", "|---|---|---|---|---|---|---|"]
        for r in (r for r in results if r["threads"] == threads):
            t = r["times"]["etch"]
            peers = sorted(((v["median"], k) for k, v in r["times"].items() if k != "etch"))
            best = f"{peers[0][1]} {in_units(peers[0][0])}" if peers else ""
            ratio = f"{peers[0][0] / t['median']:.2f}" if peers else ""
            parts = []
            if r["flops"] > 0 and r["case"].startswith(("P3", "P5", "P6")):
                parts.append(f"{r['flops'] / t['median'] / peak:.2f} of peak")
            if r["bytes"] > 0 and r["bytes"] / t["median"] > 0.2 * triad:
                parts.append(f"{r['bytes'] / t['median'] / triad:.2f} of the triad")
            others = ", ".join(f"{k} {in_units(v)}" for v, k in peers[1:])
            others += "".join(f"; {k}: another result" for k in r["wrong"])
            spread = f"{(t['most'] - t['least']) / t['median']:.0%}"
            lines.append(f"| {r['case']} | {in_units(t['median'])} | {best} | {ratio} | {', '.join(parts)} | {spread} | {others} |")
        lines.append("")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--peers", default="")
    parser.add_argument("--out", default="")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    out = options.out or options.build
    results, limits = [], {}
    for threads in options.threads:
        sides = [Side([p], threads) for p in sorted(glob.glob(os.path.join(options.build, "bench", "suite_*")))]
        if options.peers:
            sides += [Side([options.peers, p], threads) for p in sorted(glob.glob(os.path.join(HERE, "peer_*.py")))]
        cases = {}
        for side in sides:
            for case, library, flops, size in side.list():
                entry = (library, side, flops, size)
                cases.setdefault(case, []).insert(0 if library == "etch" else len(cases.get(case, [])), entry)
        measured = {}
        for case in ("limit: multiply-adds", "limit: triad"):
            library, side, flops, size = cases.pop(case)[0]
            calls = calls_for_a_turn(side, case, library)
            best = min(side.seconds(case, library, calls) / calls for _ in range(9))
            measured[case] = max(flops, size) / best
        limits[str(threads)] = list(measured.values())
        for case, entries in cases.items():
            if options.only not in case or entries[0][0] != "etch":
                continue
            times, wrong = run_case(case, entries, options.rounds)
            results.append({"case": case, "threads": threads, "flops": entries[0][2], "bytes": entries[0][3], "times": times, "wrong": wrong})
            peers = ", ".join(f"{k} {v['median'] / times['etch']['median']:.2f}" for k, v in times.items() if k != "etch")
            print(f"{threads} {case}: {in_units(times['etch']['median'])}; {peers}{'; other results: ' + ', '.join(wrong) if wrong else ''}",
                  flush=True)
        for side in sides:
            side.process.stdin.close()
            side.process.wait()
    commit = subprocess.run(["git", "-C", HERE, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    with open(os.path.join(out, "results.json"), "w") as f:
        json.dump({"machine": describe_machine(), "commit": commit, "limits": limits, "results": results}, f, indent=1)
    with open(os.path.join(out, "results.md"), "w") as f:
        f.write(f"{describe_machine()}; commit {commit}; `tools/bench{' --peers' if options.peers else ''}`.\n\n")
        f.write(goals.table(results, limits) + "\n" + table(results, limits))
    return 0


sys.exit(main())
