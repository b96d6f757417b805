#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/examples/train_then_test.py PROGRAM FOLDER
Runs examples/train_then_test on small files that have Fashion-MNIST's format: kills it by SIGKILL while it trains, trains again, which must go on from
its last checkpoint and end with the very bytes of a training that was not killed, and tests."""
import random
import re
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path


def write_set(folder, name, count, seed):
    """Grey noise, in which the rows of a picture's class are brighter."""
    draws = random.Random(seed)
    labels = bytes(draws.randrange(10) for _ in range(count))
    images = bytearray()
    for label in labels:
        picture = bytearray(draws.randbytes(784))
        for pixel in range(56 * label, 56 * (label + 1)):
            picture[pixel] = 96 + picture[pixel] * 5 // 8
        images += picture
    (folder / f"{name}-images-idx3-ubyte").write_bytes(struct.pack(">4B3I", 0, 0, 8, 3, count, 28, 28) + images)
    (folder / f"{name}-labels-idx1-ubyte").write_bytes(struct.pack(">4BI", 0, 0, 8, 1, count) + labels)


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    data = folder / "data"
    data.mkdir(parents=True)
    write_set(data, "train", 730, 1)
    write_set(data, "t10k", 200, 2)

    def run(mode, saved, steps):
        return subprocess.run([program, mode, folder / saved, data, str(steps)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=200)

    refused = run("test", "killed", 1)
    assert refused.returncode == 1 and "has no checkpoint" in refused.stderr, refused

    training = subprocess.Popen([program, "train", folder / "killed", data, "1000000000"], stdout=subprocess.DEVNULL)
    try:
        while not (folder / "killed" / "ckpt-200.index").exists():
            assert training.poll() is None, "it ended by itself"
            time.sleep(0.01)
    finally:
        training.kill()
        training.wait()

    first = run("test", "killed", 1)
    step = int(re.fullmatch(r"goes on from step (\d+)\nstep \1: accuracy [\d.]+\n", first.stdout)[1])
    assert step >= 100 and step % 100 == 0, first
    last = step + 200  # of step + 100 there may be files: what is saved in their place has other names
    again, whole = run("train", "killed", last), run("train", "whole", last)
    assert again.returncode == 0 and again.stdout.startswith(f"goes on from step {step}\n"), again
    assert whole.returncode == 0 and again.stdout == f"goes on from step {step}\n{whole.stdout}", (again, whole)
    for saved in (folder / "whole").glob(f"ckpt-{last}.*"):
        assert saved.read_bytes() == (folder / "killed" / saved.name).read_bytes(), f"{saved.name} has other bytes"
    tested = run("test", "killed", 1)
    assert tested.stdout == f"goes on from step {last}\n{whole.stdout}", (tested, whole)
    accuracy = float(whole.stdout.split()[-1])
    assert accuracy > 0.8, whole
    print(f"killed behind its checkpoint of step {step}; at step {last} an accuracy of {accuracy}")


main()
