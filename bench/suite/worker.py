# SPDX-License-Identifier: MIT
"""One side of the benchmark suite in Python: the protocol and the arrays of worker.hpp."""
import os
import sys
import time
import traceback

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
        self.figures = {}

    def add(self, case, library, make):
        self.cases[case, library] = make

    def add_figures(self, case, library, make):
        """make() gives numbers by what they are."""
        self.figures[case, library] = make

    def add_functions(self, library, job, functions):
        """The cases of cases() that the library has a function for, by what is computed; job(function, *arrays) is their make."""
        for what, case, arrays in cases():
            if what in functions:
                self.add(case, library, job(functions[what], *arrays))

    def answer(self, command, words, ready):
        """ready: what this case's libraries have made. A check that throws is answered by an empty line."""
        if command == "list":
            return "".join(f"{case}\t{library}\t0\t0\n" for case, library in self.cases)
        if command == "figures":
            chosen = [(case, library, make) for (case, library), make in self.figures.items() if words[0] in case]
            return "".join(f"{case}\t{library}\t{what}\t{number}\n" for case, library, make in chosen for what, number in make().items())
        case, library, argument = words
        if any(of != case for of, _ in ready):
            ready.clear()  # one case at a time in memory
        if command == "check":
            try:
                ready[case, library] = self.cases[case, library]()
                values = np.ascontiguousarray(ready[case, library][1](), dtype=np.float32)
            except Exception:
                traceback.print_exc()
                return ""
            values.tofile(argument)
            return f"{values.size}"
        call, _ = ready[case, library]
        calls = range(int(argument))
        begin = time.perf_counter()
        for _ in calls:
            call()
        return f"{time.perf_counter() - begin}"

    def serve(self):
        ready = {}
        answers = os.fdopen(os.dup(1), "w")  # what libraries print goes elsewhere
        os.dup2(2, 1)
        for line in sys.stdin:
            command, *words = line.rstrip("\n").split("\t")
            answers.write(self.answer(command, words, ready) + "\n")
            answers.flush()


# The cases that several libraries have.


def chain(ops, x, y, c=0.5):
    if ops == 3:
        return (x + y) * c - x
    for _ in range(ops // 2):
        x = x * c + y
    return x


LENGTHS = (3, 10, 30, 100, 300, 1000)
CHAINS = {f"chain of {ops}": lambda x, y, ops=ops: chain(ops, x, y) for ops in LENGTHS}


def array(number, *shape, scale=1.0, shift=0.0):
    return lambda: element(number, shape, scale, shift)


def bytes_of(number, *shape):
    return lambda: ((element(number, shape) + np.float32(1)) * np.float32(127)).astype(np.uint8)


def rows_to_gather():
    return (np.arange(100000) * 7919 % 20000).astype(np.int32)


def of_matrix(what, m, n):
    return what, f"P2 {what} ({m}, {n})", [array(1, m, n)]


def product(what, m, k, n, form="", bias=False):
    return what, f"P3 ({m}, {k}) x ({k}, {n}){form}", [array(1, m, k), array(2, k, n)] + [array(3, n)] * bias


def cases():
    """(what is computed, the case's name, functions that give the arrays)."""
    for n in (1000, 1000000, 60000000):
        for what in ("chain of 3", "chain of 10", "chain of 30", "log(exp(x) + 0.5) * tanh(y)"):
            yield what, f"P1 {what}, {n}", [array(1, n), array(2, n)]
    for shape in ((512, 1024), (32, 50000), (1000000, 8)):
        for what in ("sum along rows", "max along rows", "log-sum-exp along rows", "softmax along rows", "layer norm of rows",
                     "argmax along rows"):
            yield of_matrix(what, *shape)
    yield of_matrix("sum along rows", 1, 10000000)
    for what in ("sum along columns", "max along columns", "argmax along columns", "variance along columns",
                 "cumulative sum along columns", "cumulative sum along rows"):
        yield of_matrix(what, 512, 1024)
    for shape in ((2048, 2048), (1000, 300)):
        yield of_matrix("transpose + 1", *shape)
    yield "gather", "P2 gather of 100,000 rows of 64", [array(1, 20000, 64), rows_to_gather]
    for n in (4, 8, 16, 32, 64, 100, 128, 256, 512, 1024, 2048):
        yield product("product of squares", n, n, n)
    for m, k, n in (50, 784, 100), (64, 2048, 2048), (512, 2048, 2048):
        yield product("product of a batch", m, k, n)
    yield product("product of a row", 1, 2048, 2048)
    for n in (64, 512):
        yield product("product, left transposed", n, n, n, ", left transposed")
        yield product("product, right transposed", n, n, n, ", right transposed")
    for m in (16, 32):
        yield product("product, right transposed", m, 1024, 1024, ", right transposed")
    for m, k, n in ((256, 256, 256), (50, 3136, 1024)):
        yield product("product + bias, relu", m, k, n, " + bias, relu", bias=True)
    yield product("product + bias, gelu", 256, 256, 256, " + bias, gelu", bias=True)
    for n in (4, 16, 64):
        yield "dense layer, tanh", f"P4 dense {n} x {n}, tanh, one sample", [array(1, 1, n), array(2, n, n, scale=0.25), array(3, n)]

    for ops in LENGTHS[1:]:
        yield f"chain of {ops}", f"P4 chain of {ops} nodes, 64 floats", [array(1, 64), array(2, 64)]
    for batch, size, channels, filters in ((50, 28, 1, 32), (50, 14, 32, 64)):
        yield ("convolution + bias, relu", f"P6 convolution 5 x 5, ({batch}, {size}, {size}, {channels} to {filters}), + bias, relu",
               [array(1, batch, size, size, channels), array(2, 5, 5, channels, filters), array(3, filters)])
    yield ("picture to planes", "P10 picture (224, 224, 3) of bytes to normalised planes",
           [bytes_of(1, 224, 224, 3), array(2, 3), array(3, 3, scale=0.5, shift=1.0)])
    yield ("picture resized", "P10 picture (480, 640, 3) of bytes to (224, 224), normalised",
           [bytes_of(1, 480, 640, 3), array(2, 3), array(3, 3, scale=0.5, shift=1.0)])
    yield "gather", "P10 4,096 rows of a table (100000, 64)", [embedding.table, embedding.ids]
    for n, row in ((10000, 3), (1000, 10), (1000, 50)):
        yield "bias, relu", f"P10 bias and relu of ({n}, {row})", [array(1, n, row), array(2, row)]
    for batch in (2, 4, 16, 64, 256):
        yield ("dense network", f"P10 784-512-512-10 forward, batch {batch}",
               [array(1, batch, 784, scale=0.5, shift=0.5)]
               + [array(10 + k, *shape, scale=(3 / shape[0])**0.5) for k, shape in enumerate(((784, 512), (512, 512), (512, 10)))])
    yield ("depthwise, stride 2", "P10 depthwise 3 x 3, stride 2, (56, 56, 64), + bias, relu6", [array(1, 1, 56, 56, 64), array(2, 3, 3, 1, 64), array(3, 64)])
    yield ("depthwise", "P10 depthwise 3 x 3, (14, 14, 384), + bias, relu6", [array(1, 1, 14, 14, 384), array(2, 3, 3, 1, 384), array(3, 384)])
    for size, channels, blocks in (28, 32, 1), (14, 64, 1), (14, 64, 5):
        wide = 6 * channels
        yield ("MobileNet blocks", f"P10 MobileNet {'block' if blocks == 1 else f'{blocks} blocks'}, ({size}, {size}, {channels})",
               [array(1, 1, size, size, channels)] + [a for k in range(2, 2 + 6 * blocks, 6) for a in (
                   array(k, 1, 1, channels, wide, scale=0.2), array(k + 1, wide), array(k + 2, 3, 3, 1, wide, scale=0.5), array(k + 3, wide),
                   array(k + 4, 1, 1, wide, channels, scale=0.1), array(k + 5, channels))])
    for batch in (1, 8):
        yield ("residual block", f"P10 residual block, (56, 56, 64), batch {batch}",
               [array(1, batch, 56, 56, 64)] + [a for k in (2, 4) for a in (array(k, 3, 3, 64, 64, scale=0.1), array(k + 1, 64))])
    for window, shape in (2, (50, 28, 28, 32)), (2, (8, 28, 28, 12)), (3, (8, 57, 57, 64)):
        yield f"max pool of {window}", f"P10 max pool of {window} x {window}, stride 2, {shape}", [array(1, *shape)]
    yield "k-means", "P10 step of k-means, 10,000 points of 64, 100 centres", [array(1, 10000, 64), array(2, 100, 64)]
    for tokens in (256, 512, 1024, 2048):
        yield "attention", f"P10 attention, 4 heads of 64, {tokens} tokens", [array(a, 4, tokens, 64) for a in (1, 2, 3)]


class embedding:
    """A step of gradient descent on rows of a table, with the loss 0.5 sum((row - target)^2); results: every 1,000th row after it, of Adam after two."""
    case = "P10 step on 4,096 rows of a table (100000, 64)"
    adam_case = "P10 Adam on 4,096 rows of a table (100000, 64)"
    table, target = array(1, 100000, 64), array(2, 4096, 64)
    rate = 0.1

    @staticmethod
    def ids():
        return (np.arange(4096) * 7919 % 100000).astype(np.int64)


class decoder:
    """Attention of one token behind a cache of keys and values, into which its own are written."""
    case = "P10 one token of 256 behind a cache of 512"
    x, keys, values = array(1, 1, 256), array(2, 512, 256), array(3, 512, 256)
    kernels = [array(k, 256, 256, scale=(3 / 256)**0.5) for k in range(10, 14)]  # of the query, the key, the value, the result
    position, heads = 300, 4


HEAT = {n: f"P10 heat with edges, ({n}, {n})" for n in (512, 2048)}
PATHS = "P10 price of an option by 1,000,000 normal paths"


def networks(image=(28, 28, 1)):
    """(the case's name, a function that gives the images, the shapes of the kernels, whether the network is convolutional)."""
    images = lambda *shape: array(1, *shape, scale=0.5, shift=0.5)
    for batch, *layers in ((1, 784, 100, 10), (50, 784, 100, 10), (128, 784, 100, 10), (1024, 784, 100, 10),
                           (128, 784, 512, 512, 10), (1024, 784, 512, 512, 10)):
        yield f"P5 {'-'.join(map(str, layers))}, batch {batch}", images(batch, 784), list(zip(layers, layers[1:])), False
    convolutional = [(5, 5, 1, 32), (5, 5, 32, 64), (3136, 1024), (1024, 10)]
    yield "P6 CNN of 3,274,634 parameters, batch 50", images(50, *image), convolutional, True


class transformer:
    """One block: attention of 4 heads, and a feed forward of 512 neurons; what it gives is to be near y. Trained by gradient descent."""
    case = "P5 transformer block, batch 8, 64 tokens of 128"
    batch, length, width, heads = 8, 64, 128, 4
    shapes = [(128, 128)] * 4 + [(128, 512), (512, 128)]
    x, y = array(1, 8, 64, 128), array(2, 8, 64, 128)
    scale, rate, epsilon = 32**-0.5, 1e-2, 1e-5


def networks_of_memory(image=(28, 28, 1)):
    """Those whose memory is measured, by the names of P8."""
    measured = ("784-100-10, batch 50", "784-100-10, batch 1024", "784-512-512-10, batch 1024", "CNN of 3,274,634 parameters, batch 50")
    for case, *network in networks(image):
        name = case.split(" ", 1)[1]
        if name in measured:
            yield f"P8 {name}", *network
