# SPDX-License-Identifier: MIT
"""Compiles and runs programs: with a header that is compiled first, for it is read by all."""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.normpath(os.path.join(HERE, "..", "..", "include"))


def newest(*folders):
    """When the last of their headers was changed."""
    return max(os.path.getmtime(os.path.join(at, f)) for folder in folders for at, _, files in os.walk(folder) for f in files if f.endswith(".hpp"))


class Compiler:

    def __init__(self, command, folder, flags=(), include=INCLUDE):
        self.folder, self.command, self.include = folder, command, include
        os.makedirs(folder, exist_ok=True)
        self.clang = "clang" in os.path.basename(command)
        self.flags = ["-std=c++20", "-O0", "-g0", "-pthread", "-DETCH_UNOPTIMISED", "-D_GLIBCXX_ASSERTIONS", "-march=native", "-I" + include, "-I" + os.path.dirname(HERE)] + list(flags)
        if self.clang:
            self.flags += ["-fno-relaxed-template-template-args", "-Wno-deprecated-no-relaxed-template-template-args", "-ferror-limit=3"]
        else:
            self.flags += ["-fno-tree-slp-vectorize", "-fmax-errors=3"]
        self.header = None

    def call(self, arguments, timeout=600):
        try:
            done = subprocess.run([self.command] + self.flags + arguments, capture_output=True, text=True, timeout=timeout)
            error = "" if done.returncode == 0 else done.stderr[:40000] or "killed"
        except subprocess.TimeoutExpired:
            error = f"error: not compiled after {timeout} s"
        return error

    def precompile(self):
        header = os.path.join(self.folder, "results.hpp")
        compiled = header + (".pch" if self.clang else ".gch")
        self.header = ["-include-pch", compiled] if self.clang else ["-include", header]
        if os.path.exists(compiled) and os.path.getmtime(compiled) > newest(INCLUDE, HERE, self.include):
            return
        with open(header, "w") as f:
            f.write(f'#include "{HERE}/results.hpp"\n')
        extra = ["-Xclang", "-fpch-instantiate-templates"] if self.clang else []
        error = self.call(["-x", "c++-header", header, "-o", compiled] + extra)
        if error:
            os.remove(header)
            sys.exit(error)

    def compile(self, text, name):
        """The path of the program, and what the compiler says of mistakes."""
        if self.header is None:
            self.precompile()
        source, program = (os.path.join(self.folder, name + end) for end in (".cpp", ""))
        with open(source, "w") as f:
            f.write(text.replace('#include "results.hpp"\n', ""))
        return program, self.call(self.header + ["-x", "c++", source, "-o", program])


def run(program, fed, timeout=120):
    """What it wrote to its second file and to standard output, and how it ended."""
    operands, results = program + ".in", program + ".out"
    with open(operands, "wb") as f:
        f.write(fed)
    try:
        done = subprocess.run([program, operands, results], capture_output=True, timeout=timeout)
        status, said = done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired as e:
        status, said = "no end", (e.stdout or b"").decode(errors="replace")
    try:
        with open(results, "rb") as f:
            return f.read(), said, status
    except FileNotFoundError:
        return b"", said, status


def whole_program(texts):
    """Of several random graphs or programs: each prints its number before it begins, so that what crashes is known."""
    out = ['#include "results.hpp"', ""]
    for t in texts:
        out += t.text() + [""]
    out += ["int main(int, char** arguments) {", "  etch::random_tests::open_files(arguments);"]
    for t in texts:
        out.append(f'  std::printf("{t.number}\\n"), std::fflush(stdout), etch::random_{t.kind}_{t.number}::run();')
    return "\n".join(out + ["}", ""])
