# SPDX-License-Identifier: MIT
"""The programs that take turns, and how a case is measured."""
import glob
import os
import statistics
import subprocess
import tempfile
import time

import numpy as np

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
        self.process = subprocess.Popen(command, env=own, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True, cwd=HERE, preexec_fn=lambda: os.sched_setaffinity(0, CORES[:threads]))

    def ask(self, *words):
        self.process.stdin.write("\t".join(words) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def lines(self, *words):
        """An answer of several lines, as lists of words."""
        line = self.ask(*words)
        while line.strip():
            yield line.rstrip("\n").split("\t")
            line = self.process.stdout.readline()

    def list(self):
        return [(case, library, float(flops), float(size)) for case, library, flops, size in self.lines("list")]

    def figures(self, text):
        return [(case, library, what, float(number)) for case, library, what, number in self.lines("figures", text)]

    def result(self, case, library):
        with tempfile.NamedTemporaryFile() as f:
            if not self.ask("check", case, library, f.name).strip():
                return None
            return np.fromfile(f.name, dtype=np.float32)

    def seconds(self, case, library, calls):
        return float(self.ask("time", case, library, str(calls)))

    def at_work(self):
        """Whether one of its threads runs or wants to."""
        for path in glob.glob(f"/proc/{self.process.pid}/task/*/stat"):
            try:
                with open(path) as f:
                    if f.read().rpartition(")")[2].split()[0] == "R":
                        return True
            except OSError:  # the thread has ended
                pass
        return False

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def calls_for_a_turn(side, case, library):
    calls = 1
    while True:
        t = side.seconds(case, library, calls)
        if t >= TURN / 2:
            return max(1, round(calls * TURN / t))
        calls = calls * 16 if t < TURN / 64 else int(calls * TURN / t) + 1


def wait_until_idle(sides):
    """Threads of a library look for more work after a call, OpenBLAS 0.3.21's for 25 ms; on the core of the next one's second thread they
    would take half of it. Gives up after a second."""
    quiet, end = 0, time.monotonic() + 1
    while quiet < 3 and time.monotonic() < end:
        quiet = 0 if any(side.at_work() for side in sides) else quiet + 1
        time.sleep(0.001)


def agrees(a, b):
    if a is None or b is None or a.shape != b.shape:
        return False
    return bool(np.max(np.abs(a - b), initial=0) <= MOST_ERROR * max(1e-30, np.max(np.abs(a), initial=0)))


def take_turns(case, sides, rounds):
    """sides: [(library, side)]. Of each the seconds that a call took in each round, forwards and backwards in turns."""
    processes = {id(side): side for _, side in sides}.values()
    calls = []
    for library, side in sides:
        wait_until_idle(processes)
        calls.append(calls_for_a_turn(side, case, library))
    times = [[] for _ in sides]
    for r in range(rounds):
        for k in list(range(len(sides)))[:: 1 if r % 2 == 0 else -1]:
            library, side = sides[k]
            wait_until_idle(processes)
            side.seconds(case, library, 1)  # its data are in the caches again
            times[k].append(side.seconds(case, library, calls[k]) / calls[k])
    return times


def run_case(case, sides, rounds):
    """sides: [(library, side, flops, bytes)], etch first. Medians in seconds by library, and their spread; who has another result, or none."""
    ours = sides[0][1].result(case, "etch")
    taking_part, wrong, failed = [], [], []
    for library, side, *_ in sides:
        theirs = ours if library == "etch" else side.result(case, library)
        (failed if theirs is None else taking_part if agrees(ours, theirs) else wrong).append((library, side))
    times = dict(zip((library for library, _ in taking_part), take_turns(case, taking_part, rounds)))
    return {"times": {library: {"median": statistics.median(t), "least": min(t), "most": max(t)} for library, t in times.items()},
            "wrong": [library for library, _ in wrong], "failed": [library for library, _ in failed]}
