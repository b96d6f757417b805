#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench/every_op.py [--only REGEX] [--dtypes fdib] [--shapes 1000x1000,100000x10,300000x3] [--compiler g++]
Ops beside NumPy, one thread, narrow arrays too: compares the results, times both, and lists the ops of which etch needs longer, the worst first.
For each dtype and shape it compiles a program for each dozen ops: floats take two minutes on two cores. NumPy's random arrays hold integers from 1
to 100, so that sums of float32 are exact enough to compare."""
import argparse
import os
import re
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
DTYPES = {"f": ("float", np.float32), "d": ("double", np.float64), "i": ("int", np.int32), "b": ("std::uint8_t", np.uint8)}

# Of x and y (R, C), row (C), column (R, 1), u (R), v (C), rows (R) with numbers of rows, columns (C) with those of columns, places (R, C) with
# those of columns: name; etch; NumPy; dtypes.
OPS = """
add, row; x + row; x + row; fdib
add, column; x + column; x + column; fdib
multiply; x * y; x * y; fdib
maximum; maximum(x, y); np.maximum(x, y); fdib
where; where(x < y, x, y); np.where(x < y, x, y); fdib
floor_divide; floor_divide(x, y); x // y; i
remainder; x % y; x % y; i
sqrt; etch::sqrt(x); np.sqrt(x); fd
to float; astype<float>(x); x.astype(np.float32); dib
to int; astype<int>(x); x.astype(np.int32); fdb
sum; sum(x); x.sum(); fdi
sum, columns; sum(x, axis<0>); x.sum(0); fdib
sum, rows; sum(x, axis<1>); x.sum(1); fdib
max, columns; max(x, axis<0>); x.max(0); fdib
max, rows; max(x, axis<1>); x.max(1); fdib
any, rows; reduce_any(x < y, axis<1>); (x < y).any(1); fdib
variance, columns; variance(x, axis<0>); x.var(0); fd
variance, rows; variance(x, axis<1>); x.var(1); fd
argmax, columns; argmax(x, axis<0>); x.argmax(0); fdib
argmax, rows; argmax(x, axis<1>); x.argmax(1); fdib
transpose; transpose(x); np.ascontiguousarray(x.T); fdib
slice, columns; slice(x, section<>, section<1, -1>); x[:, 1:-1].copy(); fdib
slice, steps; slice(x, section<>, section<0, C, 2>); x[:, ::2].copy(); fdib
flip, rows; flip(x, axis<0>); x[::-1].copy(); fdib
flip, columns; flip(x, axis<1>); x[:, ::-1].copy(); fdib
pad; pad(x, padding<1, 1>, padding<1, 1>); np.pad(x, 1); fdib
pad, columns; pad(x, padding<0>, padding<1, 1>); np.pad(x, ((0, 0), (1, 1))); fdib
pad, edge; pad(x, padding<1, 1>, padding<1, 1>, edge); np.pad(x, 1, mode="edge"); fb
concat, columns; concat(axis<1>, x, y); np.concatenate([x, y], 1); fdib
stack, last; stack(axis<2>, x, y); np.stack([x, y], 2); fdib
stack, middle; stack(axis<1>, x, y); np.stack([x, y], 1); fdib
roll, rows; roll<1>(x, axis<0>); np.roll(x, 1, 0); fdib
roll, columns; roll<1>(x, axis<1>); np.roll(x, 1, 1); fdib
tile; tile<2, 2>(x); np.tile(x, (2, 2)); fb
repeat, rows; repeat<2>(x, axis<0>); np.repeat(x, 2, 0); fb
repeat, columns; repeat<2>(x, axis<1>); np.repeat(x, 2, 1); fb
gather, rows; gather(x, rows); x[rows]; fdib
gather, columns; gather(x, columns, axis<1>); x[:, columns]; fdib
take_along_axis; take_along_axis(x, places, axis<1>); np.take_along_axis(x, places, 1); fdib
scatter_add; scatter_add(x, rows, y); (lambda z: (np.add.at(z, rows, y), z)[1])(x.copy()); fd
sort, columns; sort(x, axis<0>); np.sort(x, 0); fdib
sort, rows; sort(x, axis<1>); np.sort(x, 1); fdib
argsort, rows; argsort(x, axis<1>); np.argsort(x, 1, kind="stable"); fdib
cumsum, columns; cumsum(x, axis<0>); x.cumsum(0); fd
cumsum, rows; cumsum(x, axis<1>); x.cumsum(1); fd
softmax, columns; softmax(x, axis<0>); (lambda e: e / e.sum(0, keepdims=True))(np.exp(x - x.max(0, keepdims=True))); fd
softmax, rows; softmax(x, axis<1>); (lambda e: e / e.sum(1, keepdims=True))(np.exp(x - x.max(1, keepdims=True))); fd
matmul, column; matmul(x, v); x @ v; fd
matmul, row; matmul(u, x); u @ x; fd
dots of rows; sum(x * y, axis<1>); np.einsum("ij,ij->i", x, y); fd
sum, middle of three; sum(reshape(x, shape<R / 10, 10, C>{}), axis<1>); x.reshape(-1, 10, x.shape[1]).sum(1); fdi
argmax, middle of three; argmax(reshape(x, shape<R / 10, 10, C>{}), axis<1>); x.reshape(-1, 10, x.shape[1]).argmax(1); fdib
transpose of three; transpose(reshape(x, shape<R / 10, 10, C>{}), axis<0, 2, 1>); np.ascontiguousarray(x.reshape(-1, 10, x.shape[1]).transpose(0, 2, 1)); fdib
"""

HEAD = """#include <algorithm>
#include <chrono>
#include <cstdio>
#include <etch/etch.hpp>
#include <fstream>
#include <span>
#include <vector>
using namespace etch;
using namespace etch::literals;
template <class T> std::vector<T> read_operand(const char* name, std::size_t count) {
  std::vector<T> v(count);
  std::ifstream(name, std::ios::binary).read(reinterpret_cast<char*>(v.data()), static_cast<std::streamsize>(count * sizeof(T)));
  return v;
}
double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
void write_result(int number, const void* data, std::size_t bytes) {
  std::ofstream(std::to_string(number) + ".out", std::ios::binary).write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
}
template <class F, class R> void measure(int number, F step, const R& result) {
  if constexpr (std::is_arithmetic_v<R>) write_result(number, &result, sizeof result);
  else write_result(number, result.data(), result.size() * sizeof(*result.data()));
  step();
  double begin = now();
  step();
  const int calls = std::clamp(static_cast<int>(2e-3 / (now() - begin)), 1, 1000);
  std::vector<double> turns(7);
  for (double& turn : turns) {
    begin = now();
    for (int i = 0; i < calls; ++i) step();
    turn = (now() - begin) / calls;
  }
  std::nth_element(turns.begin(), turns.begin() + 3, turns.end());
  std::printf("%d %.9f\\n", number, turns[3]);
}
"""
OPERANDS = {"x": ("T", "R, C"), "y": ("T", "R, C"), "row": ("T", "C"), "column": ("T", "R, 1"), "u": ("T", "R"), "v": ("T", "C"),
            "rows": ("int", "R"), "columns": ("int", "C"), "places": ("int", "R, C")}


def program(dtype, shape, ops):
    text = HEAD + f"using T = {DTYPES[dtype][0]};\nconstexpr int R = {shape[0]}, C = {shape[1]};\n"
    for name, (type_, extents) in OPERANDS.items():
        text += f'constexpr placeholder<"{name}", {type_}, {extents}> {name};\n'
        text += f'const auto {name}_values = read_operand<{type_}>("{name}.in", {extents.replace(",", " *")});\n'
    for k, (_, etch, _, _) in enumerate(ops):
        used = [n for n in OPERANDS if re.search(rf"(?<![\w:]){n}(?![\w(<])", etch.replace(" < ", " lt "))]
        feeds = ", ".join(f"{n} = std::span({n}_values)" for n in used)
        text += f"""constexpr auto e{k} = {etch};
void f{k}() {{
  session s(e{k});
  measure({k}, s.bind(e{k}, {feeds}), s.run(e{k}, {feeds}));
}}
"""
    return text + "int main() {\n" + "".join(f"  f{k}();\n" for k in range(len(ops))) + "}\n"


def operands(dtype, shape):
    random, (r, c), T = np.random.RandomState(3), shape, DTYPES[dtype][1]
    numbers = lambda *extents: random.randint(1, 101, extents).astype(T)
    return {"x": numbers(r, c), "y": numbers(r, c), "row": numbers(c), "column": numbers(r, 1), "u": numbers(r), "v": numbers(c),
            "rows": random.randint(0, r, r).astype(np.int32), "columns": random.randint(0, c, c).astype(np.int32),
            "places": random.randint(0, c, (r, c)).astype(np.int32)}


def time_of(f):
    f()
    begin = time.perf_counter()
    f()
    calls = min(max(int(2e-3 / (time.perf_counter() - begin)), 1), 1000)
    turns = []
    for _ in range(7):
        begin = time.perf_counter()
        for _ in range(calls):
            f()
        turns.append((time.perf_counter() - begin) / calls)
    return sorted(turns)[3]


def main():
    arguments = argparse.ArgumentParser(usage=__doc__)
    for option, default in ("--only", "."), ("--dtypes", "fdib"), ("--shapes", "1000x1000,100000x10,300000x3"), ("--compiler", "g++"):
        arguments.add_argument(option, default=default)
    given = arguments.parse_args()
    ops = [tuple(part.strip() for part in line.split("; ")) for line in OPS.strip().splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        jobs = []
        for dtype in given.dtypes:
            for shape in (tuple(map(int, s.split("x"))) for s in given.shapes.split(",")):
                chosen = [op for op in ops if dtype in op[3] and re.search(given.only, op[0])]
                jobs += [(Path(folder, f"{dtype}{shape[0]}x{shape[1]}_{k}"), dtype, shape, chosen[k:k + 12]) for k in range(0, len(chosen), 12)]

        def build(job):
            at, *what = job
            at.mkdir()
            (at / "ops.cpp").write_text(program(*what))
            command = [given.compiler, "-std=c++20", "-O3", "-march=native", f"-I{ROOT}/include", "ops.cpp", "-o", "ops"]
            done = subprocess.run(command, cwd=at, capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(f"{at.name}: {next(l for l in done.stderr.splitlines() if 'error' in l)}")

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(build, jobs))
        found, differ = [], []
        for at, dtype, shape, chosen in jobs:
            named = operands(dtype, shape)
            for name, values in named.items():
                values.tofile(at / f"{name}.in")
            lines = subprocess.run(["taskset", "-c", "0", "./ops"], cwd=at, capture_output=True, text=True, check=True).stdout.splitlines()
            for line in lines:
                number, seconds = line.split()
                name, _, numpy, _ = chosen[int(number)]
                f = eval(f"lambda: {numpy}", {"np": np, **named})
                expected = np.asarray(f())
                sizes = (at / f"{number}.out").stat().st_size // max(expected.size, 1)
                kind = expected.dtype.kind if expected.dtype.kind != "b" else "u"
                result = np.fromfile(at / f"{number}.out", np.dtype(f"{kind}{sizes}")).reshape(expected.shape)
                where = f"{name} ({DTYPES[dtype][0]}, {shape[0]} x {shape[1]})"
                if not np.allclose(result.astype(np.float64), expected.astype(np.float64), rtol=1e-3, atol=1e-3):
                    differ.append(where)
                found.append((float(seconds) / time_of(f), float(seconds), where))
    found.sort(reverse=True)
    slower = [f for f in found if f[0] > 1]
    print(f"{len(found)} cases; etch needs longer than NumPy in {len(slower)}:")
    for ratio, seconds, where in slower:
        print(f"{ratio:6.2f} {1e6 * seconds:10.1f} us  {where}")
    if differ:
        raise SystemExit("results differ: " + "; ".join(differ))


main()
