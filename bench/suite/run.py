# SPDX-License-Identifier: MIT
"""Runs the benchmark suite: etch and its peers take turns, case by case, after their results have been compared.

run.py BUILD [--threads N...] [--only TEXT] [--rounds N] [--peers PYTHON] [--out FOLDER] [--compile [ROUNDS]]
BUILD has the programs bench/suite_*; PYTHON is an interpreter that has PyTorch, JAX, TensorFlow, ONNX Runtime, or some of them. --only: cases
with that text in their names. --compile: what programs cost the compiler too (P7, minutes). Writes FOLDER/results.json and FOLDER/results.md.
"""
import argparse
import glob
import json
import os
import platform
import subprocess
import sys
import tempfile

import binary_size
import goals
import tables
from sides import HERE, Side, calls_for_a_turn, run_case


def describe_machine():
    model = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    vectors = next((v for v in ("avx512f", "avx2", "sse2") if f" {v}" in open("/proc/cpuinfo").read()), "")
    return f"{model[0] if model else platform.machine()}, {os.cpu_count()} cores, {vectors}"


def measure_limits(cases):
    """Operations and bytes a second; takes the two cases out."""
    found = []
    for case in ("limit: multiply-adds", "limit: triad"):
        library, side, flops, size = cases.pop(case)[0]
        calls = calls_for_a_turn(side, case, library)
        found.append(max(flops, size) / min(side.seconds(case, library, calls) / calls for _ in range(9)))
    return found


def measure_times(sides, threads, options):
    """The limits and the results."""
    cases = {}
    for side in sides:
        for case, library, flops, size in side.list():
            cases.setdefault(case, []).insert(0 if library == "etch" else len(cases.get(case, [])), (library, side, flops, size))
    limits, results = measure_limits(cases), []
    for case, entries in cases.items():
        if options.only not in case or entries[0][0] != "etch":
            continue
        r = {"case": case, "threads": threads, "flops": entries[0][2], "bytes": entries[0][3], **run_case(case, entries, options.rounds)}
        results.append(r)
        t = {library: v["median"] for library, v in r["times"].items()}
        print(f"{threads} {case}: {tables.in_units(t['etch'])}; " + ", ".join(f"{k} {v / t['etch']:.2f}" for k, v in t.items() if k != "etch")
              + (f"; other results: {', '.join(r['wrong'])}" if r["wrong"] else "") + (f"; no result: {', '.join(r['failed'])}" if r["failed"] else ""),
              flush=True)
    return limits, results


def figures_of(sides, text):
    """{case: {library: {what: number}}} of what is not timed."""
    figures = {}
    for side in sides:
        for case, library, what, number in side.figures(text):
            figures.setdefault(case, {}).setdefault(library, {})[what] = number
    return figures


def compile_cost(rounds):
    with tempfile.NamedTemporaryFile() as f:
        subprocess.run([os.path.join(HERE, os.pardir, "compile_cost"), str(rounds), "--levels", "-O2", "--json", f.name], check=True)
        return json.load(f)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--peers", default="")
    parser.add_argument("--out", default="")
    parser.add_argument("--compile", type=int, nargs="?", const=3, default=0)
    options = parser.parse_args()
    options.build, options.peers = os.path.abspath(options.build), options.peers and os.path.abspath(options.peers)
    out = options.out or options.build
    os.makedirs(out, exist_ok=True)
    commit = subprocess.run(["git", "-C", HERE, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    run = {"machine": describe_machine(), "commit": commit, "limits": {}, "results": [], "memory": {}, "compile": [], "binary": []}
    for threads in options.threads:
        sides = [Side([p], threads) for p in sorted(glob.glob(os.path.join(options.build, "bench", "suite_*")))]
        if options.peers:
            sides += [Side([options.peers, p], threads) for p in sorted(glob.glob(os.path.join(HERE, "peer_*.py")))]
        run["limits"][str(threads)], results = measure_times(sides, threads, options)
        run["results"] += results
        if threads == options.threads[0]:
            run["memory"] = figures_of(sides, options.only)
        for side in sides:
            side.end()
    if options.only in "P9":
        run["binary"] = binary_size.measure()
    if options.compile:
        run["compile"] = compile_cost(options.compile)
    with open(os.path.join(out, "results.json"), "w") as f:
        json.dump(run, f, indent=1)
    with open(os.path.join(out, "results.md"), "w") as f:
        f.write(f"{run['machine']}; commit {commit}; `tools/bench{' --peers' if options.peers else ''}{' --compile' if options.compile else ''}`.\n\n")
        f.write(goals.table(run) + "\n" + tables.all_of(run))
    return 0


sys.exit(main())
