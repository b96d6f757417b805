# SPDX-License-Identifier: MIT
"""One side of the benchmark suite in Python: the protocol and the arrays of worker.hpp."""
import os
import sys
import time

import numpy as np

THREADS = int(os.environ.get("BENCH_THREADS", "1"))


def element(array, shape, scale=1.0, shift=0.0):
    """The array of that number, float32: element i as in worker.hpp."""
    n = int(np.prod(shape))
    i = np.arange(n, dtype=np.uint32)
    with np.errstate(over="ignore"):
        x = i * np.uint32(2654435761) + np.uint32((array * 40503 + 12345) & 0xFFFFFFFF)
        x ^= x >> np.uint32(16)
        x *= np.uint32(2246822519)
        x ^= x >> np.uint32(13)
    values = (x >> np.uint32(8)).astype(np.float32) / np.float32(8388608.0) - np.float32(1.0)
    return (values * np.float32(scale) + np.float32(shift)).reshape(shape)


def labels(batch, classes=10):
    return (np.arange(batch) * 7 % classes).astype(np.int32)


def kernels(shapes):
    """The kernels of a network: number k has variance 1 / inputs."""
    return [element(10 + k, s, np.sqrt(3 / np.prod(s[:-1]))) for k, s in enumerate(shapes)]


class Worker:
    """add(case, library, make): make() gives (call, results): functions of nothing, the second gives an array."""

    def __init__(self):
        self.cases = {}

    def add(self, case, library, make):
        self.cases[case, library] = make

    def serve(self):
        current, ready = None, None
        answers = os.fdopen(os.dup(1), "w")  # what libraries print goes elsewhere
        os.dup2(2, 1)
        for line in sys.stdin:
            command, *words = line.rstrip("\n").split("\t")
            if command == "list":
                for case, library in self.cases:
                    answers.write(f"{case}\t{library}\t0\t0\n")
                answers.write("\n")
            else:
                case, library, argument = words
                if current != (case, library):
                    current, ready = None, None
                    ready = self.cases[case, library]()
                    current = (case, library)
                call, results = ready
                if command == "check":
                    values = np.ascontiguousarray(results(), dtype=np.float32)
                    values.tofile(argument)
                    answers.write(f"{values.size}\n")
                else:
                    calls = range(int(argument))
                    begin = time.perf_counter()
                    for _ in calls:
                        call()
                    answers.write(f"{time.perf_counter() - begin}\n")
            answers.flush()


# The cases that several libraries have, each by functions of its own.

SIZES = (1000, 1000000, 60000000)
ROWS = ((512, 1024), (32, 50000), (1000000, 8))
SQUARES = (4, 8, 16, 32, 64, 100, 128, 256, 512, 1024, 2048)


def chain(ops, x, y, c=0.5):
    if ops == 3:
        return (x + y) * c - x
    for _ in range(ops // 2):
        x = x * c + y
    return x


def chain_name(ops, n):
    return f"P1 chain of {ops}, {n}"


def functions_name(n):
    return f"P1 log(exp(x) + 0.5) * tanh(y), {n}"


def row_name(what, shape):
    return f"P2 {what} ({shape[0]}, {shape[1]})"


def product_name(m, k, n, form=""):
    return f"P3 ({m}, {k}) x ({k}, {n}){form}"


def dense_name(batch, deep):
    return f"P5 {'784-512-512-10' if deep else '784-100-10'}, batch {batch}"


NETWORKS = ((1, False), (50, False), (128, False), (1024, False), (128, True), (1024, True))
CNN = "P6 CNN of 3,274,634 parameters, batch 50"
CNN_KERNELS = ((5, 5, 1, 32), (5, 5, 32, 64), (3136, 1024), (1024, 10))


def dense_shapes(deep):
    return ((784, 512), (512, 512), (512, 10)) if deep else ((784, 100), (100, 10))


def rows_to_gather():
    return (np.arange(100000) * 7919 % 20000).astype(np.int32)


def images(batch):
    return element(1, (batch, 784), 0.5, 0.5)
