# SPDX-License-Identifier: MIT
"""Random draws in random graphs, by Philox4x32-10 (Salmon et al. 2011) in NumPy: element i of a draw is a function of the session's seed, the
number of the run, the draw's name, and i (docs/design.md).
"""
import numpy as np

from bounds import FLOATS, Value
from structure_ops import text_of

SEED = 20261129
M64, M32 = (1 << 64) - 1, np.uint64(0xFFFFFFFF)


def name_hash(text):
    """FNV-1a."""
    h = 14695981039346656037
    for c in text.encode():
        h = (h ^ c) * 1099511628211 & M64
    return h


def mix(a, b):
    """By the multipliers of splitmix64."""
    a = ((a + 1) * 0x9E3779B97F4A7C15 + b) & M64
    a = (a ^ (a >> 30)) * 0xBF58476D1CE4E5B9 & M64
    a = (a ^ (a >> 27)) * 0x94D049BB133111EB & M64
    return a ^ (a >> 31)


def philox(low, high, key):
    """Four arrays of 32-bit words for an array of counters (low, high)."""
    c = [low & M32, low >> np.uint64(32), np.full_like(low, high & 0xFFFFFFFF), np.full_like(low, high >> 32)]
    k = [key & 0xFFFFFFFF, key >> 32]
    for _ in range(10):
        p, q = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [(q >> np.uint64(32)) ^ c[1] ^ np.uint64(k[0]), q & M32, (p >> np.uint64(32)) ^ c[3] ^ np.uint64(k[1]), p & M32]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c


def bits(name, run, count):
    blocks = philox(np.arange((count + 1) // 2, dtype=np.uint64), run, mix(SEED, name_hash(name)))
    both = np.stack([blocks[0] | blocks[1] << np.uint64(32), blocks[2] | blocks[3] << np.uint64(32)], axis=1)
    return both.reshape(-1)[:count]


def uniform(name, dtype, shape, run):
    digits = 24 if dtype == "float" else 53
    v = (bits(name, run, int(np.prod(shape))) >> np.uint64(64 - digits)).astype(np.float64) * 2.0**-digits
    return Value(dtype, v.reshape(shape))


def normal(name, dtype, shape, run):
    """Box and Muller 1958: elements 2j and 2j + 1 are one transform's."""
    count = int(np.prod(shape))
    u = bits(name, run, count + count % 2)
    digits, width = (24, 32) if dtype == "float" else (53, 64)
    first, turn = u[0::2], (u[1::2] >> np.uint64(64 - width)).astype(np.float64) * 2.0**-width
    v = 1 - (first >> np.uint64(64 - digits)).astype(np.float64) * 2.0**-digits
    rare = ~first >> np.uint64(64 - digits + 8) == 0
    v = np.where(rare, ((~first + np.uint64(1)).astype(np.float64)) * 2.0**-64, v)
    radius = np.sqrt(-2 * np.log(v))
    both = np.stack([radius * np.cos(2 * np.pi * turn), radius * np.sin(2 * np.pi * turn)], axis=1).reshape(-1)[:count]
    # NumPy's angle is rounded, which counts where its cosine is small.
    bound = 16 * FLOATS[dtype][0] * (1 + np.repeat(radius, 2)[:count])
    return Value(dtype, both.reshape(shape), bound.reshape(shape))


def draw(random, number, dtype, extents):
    """As what `Maker` appends: a call without operands. The runs of all ways are the first of their seed."""
    kind = random.choice(["uniform", "normal"])
    name = f"draw{number}"
    f = uniform if kind == "uniform" else normal
    shape = tuple(int(e) for e in extents)
    return (f'random_{kind}<"{name}", {dtype}>(shape<{text_of(extents)}>{{}})', [], lambda: f(name, dtype, shape, 1), dtype, extents)
