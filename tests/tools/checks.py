#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/tools/checks.py
Each check of cmake/ that needs no compiler fails where what it checks is broken, and says what. One thing is broken at a time."""
import re

from scratch import Scratch

MATH = "include/etch/base/math.hpp"
ALONE, CALLS = "compile_alone", "tests/alone/calls.txt"
ERRORS, DOCUMENTED = "error_docs", "docs/errors.md"
FEATURES, TESTED = "feature_docs", "docs/features.md"


def added(line):
    return lambda text: text + line + "\n"


def without(pattern):
    return lambda text: re.sub(pattern, "", text, flags=re.MULTILINE)


def replaced(pattern, by, count=1):
    return lambda text: re.sub(pattern, by, text, count=count, flags=re.MULTILINE)


# script, file that is changed, how (None: it is removed), what the script says then
BROKEN = [
    ("layers", MATH, added("#include <etch/session.hpp>"), "base must not include etch/session.hpp"),
    ("layers", MATH, added('#include "etch/session.hpp"'), "must be <etch/...>"),
    ("layers", MATH, added("# include <xsimd/xsimd.hpp>"), "includes xsimd itself"),
    ("layers", MATH, added("using namespace std;"), "has a using namespace"),
    ("layers", MATH, without("^#pragma once\n"), "lacks #pragma once"),
    ("layers", MATH, replaced("^// SPDX.*\n", ""), "first line must be"),
    ("layers", "include/etch/base/math.h", added("// SPDX-License-Identifier: MIT"), "belongs to no layer"),
    ("layers", "include/etch/nowhere/new.hpp", added("// SPDX-License-Identifier: MIT\n#pragma once"), "belongs to no layer"),
    ("macros", MATH, added("#define SHORT 1"), "#define SHORT"),
    ("macros", MATH, added("#undef min"), "#undef min"),
    ("table_cells", "docs/flags.md", added("| a | " + "b" * 121 + " |"), "121 bytes"),
    ("example_lines", "examples/18_text_generation.cpp", added("// [a; b]\n" * 80), "examples/18_text_generation.cpp: 1"),
    ("example_lines", "examples/cats_vs_dogs.cpp", None, "examples/cats_vs_dogs.cpp: no programs in"),
    # Of the table's first rows, of one behind a half-open interval, of the last.
    (ALONE, CALLS, without(r"^.*\babs\(.*\n"), "no line for abs"),
    (ALONE, CALLS, without(r"^.*(?<!log_)\bsoftmax\(.*\n"), "no line for softmax"),
    (ALONE, CALLS, without(r"^.*nn::kl_divergence.*\n"), "no line for nn::kl_divergence"),
    (ERRORS, "tests/errors/new.cpp", added("int x = y;  // wrong\n// error: y"), "tests/errors/new.cpp is not listed"),
    (ERRORS, "tests/errors/array_in_expression.cpp", None, "array_in_expression.cpp is listed and does not exist"),
    (ERRORS, "tests/errors/conv2d_rank.cpp", None, "conv2d_rank.cpp is listed and does not exist"),
    (ERRORS, "tests/errors/conv2d_rank.cpp", without(" *// wrong$"), "conv2d_rank.cpp marks no line"),
    (ERRORS, "tests/errors/conv2d_rank.cpp", replaced(r"^( *).*// wrong$", r"\1int z;  // wrong"), "conv2d_rank.cpp has changed: int z;"),
    (ERRORS, "tests/errors/gradient_through_argmax.cpp", replaced(r"constexpr auto dx.*// wrong$", "int z;  // wrong"), "has changed"),
    (ERRORS, "tests/errors/conv2d_rank.cpp", added("// error: another text"), "what is quoted lacks: another text"),
    (ERRORS, DOCUMENTED, replaced(r"(conv2d_rank\.cpp\)\n```cpp\n.*\n```\n```\n).*", r"\1nothing"), "conv2d_rank.cpp: what is quoted lacks"),
    (FEATURES, TESTED, replaced(r"^(\| GRA-01 \|[^|]*\|)[^|]*\|", r"\1 missing |"), 'GRA-01: says "missing"'),
    (FEATURES, TESTED, replaced(r"^(\| GRA-01 \|[^|]*\|)[^|]*\|", r"\1 a | b |"), "no row of four columns"),
    (FEATURES, TESTED, replaced(r"^(\| GRA-01 \|.*\n)", r"\1\1"), "GRA-01 stands there twice"),
    (FEATURES, "tests/graph/new.cpp", added('TEST_CASE("GRA-999: new") {}'), "GRA-999 has no row"),
    (FEATURES, "tests/graph/new.cpp", added('TEST_CASE("GRA-01: new") {}'), "GRA-01"),
]


def main():
    s = Scratch()
    s.copy("cmake", "docs", "examples", "include", "tests")

    def check(script):
        status, output, error = s.call("cmake", "-D", f"root={s.folder}", "-D", f"include={s.folder}/include", "-P", f"cmake/{script}.cmake")
        return status, re.sub(r"\s+", " ", output + error)

    for script in dict.fromkeys(entry[0] for entry in BROKEN):
        status, said = check(script)
        s.expect(f"{script} passes", status == 0, said)
    for script, path, change, wanted in BROKEN:
        file = s.folder / path
        before = file.read_text() if file.exists() else None
        after = change(before or "") if change else None
        s.expect(f"{path} is changed for {wanted!r}", before != after)
        if after is None:
            file.unlink()
        else:
            s.write(path, after)
        status, said = check(script)
        s.expect(f"{script} fails with {wanted!r} where {path} is changed", status != 0 and wanted in said, said)
        if before is None:
            file.unlink()
        else:
            file.write_text(before)
    # For CMake brackets in a path are a pattern, which finds nothing.
    (s.folder / "in [brackets]").mkdir()
    for path in ("cmake", "docs", "examples", "include", "tests"):
        (s.folder / "in [brackets]" / path).symlink_to(s.folder / path)
    root = s.folder / "in [brackets]"
    for script in ("layers", "macros", "table_cells", "example_lines", ERRORS, FEATURES):
        status, output, error = s.call("cmake", "-D", f"root={root}", "-D", f"include={root}/include", "-P", f"cmake/{script}.cmake")
        s.expect(f"{script} fails where it finds nothing", status != 0 and re.search(r"no (headers|documents|programs|tests) in", error), output, error)
    s.copy("CMakeLists.txt")
    (root / "CMakeLists.txt").symlink_to(s.folder / "CMakeLists.txt")
    status, output, error = s.call("cmake", "-S", root, "-B", root / "build", "-G", "Ninja", "-DETCH_TESTS=OFF", "-DETCH_EXAMPLES=OFF")
    s.expect("a project without headers is none", status != 0 and "No header is found" in error, output, error)
    s.end()


if __name__ == "__main__":
    main()
