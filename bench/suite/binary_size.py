# SPDX-License-Identifier: MIT
"""P9: bytes of a program after `strip`, over those of `int main() {}`: inference by P5's network, by each compiler that is installed."""
import os
import shutil
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# g++ 12 needs the last one where there is no CMake: docs/design.md. To others than g++ it says nothing.
COMPILERS = {"g++": ["-fno-tree-slp-vectorize"], "clang++-19": []}
LEVELS = ("-O2", "-Os")


def size(command, folder):
    subprocess.run([*command, "-o", f"{folder}/program"], check=True)
    subprocess.run(["strip", f"{folder}/program"], check=True)
    return os.path.getsize(f"{folder}/program")


def measure():
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/empty.cpp", "w") as f:
            f.write("int main() {}\n")
        for compiler in filter(shutil.which, COMPILERS):
            for level in LEVELS:
                command = [compiler, "-std=c++20", level, "-march=native", *COMPILERS[compiler], f"-I{ROOT}/include"]
                empty = size([*command, f"{folder}/empty.cpp"], folder)
                program = size([*command, f"{ROOT}/bench/compile/inference.cpp"], folder)
                rows.append({"compiler": compiler, "level": level, "program": program, "empty": empty})
    return rows
