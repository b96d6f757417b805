# SPDX-License-Identifier: MIT
# safetensors_client.py write|read FILE: the arrays of tests/format/safetensors.cpp, by the format's own library.
import sys

import numpy
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

arrays = {
    "dense/kernel": numpy.arange(6, dtype=numpy.float32).reshape(2, 3) / 2,
    "step": numpy.array(-7, dtype=numpy.int64),
    "wide": numpy.array([1.5, -2.5]),
    "flags": numpy.array([True, False, True]),
    "empty": numpy.zeros((0, 4), dtype=numpy.uint16),
    "bytes": numpy.array([0, 255], dtype=numpy.uint8),
}
for bits in (8, 16, 32):
    arrays[f"i{bits}"] = numpy.array([-(2 ** (bits - 1)), 1], dtype=f"int{bits}")
arrays["u32"] = numpy.array([2**32 - 1], dtype=numpy.uint32)
arrays["u64"] = numpy.array([2**64 - 1], dtype=numpy.uint64)
metadata = {"note": 'a "quote"\n\t\x01\\ and é'}

if sys.argv[1] == "write":
    save_file(arrays, sys.argv[2], metadata)
else:
    found = load_file(sys.argv[2])
    assert found.keys() == arrays.keys(), found.keys()
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype and found[name].shape == array.shape, name
        assert (found[name] == array).all(), name
    with safe_open(sys.argv[2], "numpy") as file:
        assert file.metadata() == metadata, file.metadata()
    # Byte by byte what the library writes.
    save_file(arrays, sys.argv[2] + ".theirs", metadata)
    ours, theirs = (open(sys.argv[2] + end, "rb").read() for end in ("", ".theirs"))
    assert ours == theirs, (ours, theirs)
