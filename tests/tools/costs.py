#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/tools/costs.py
What cmake/compile_cost.cmake and cmake/gimple_cost.cmake must refuse, with compilers that say what they are told to."""
from scratch import Scratch

# Of the empty program 100 of each, of others so many more as COST says; no evaluation takes more than 5,000 steps.
CLANG = """#!/bin/sh
cost=$COST
for a in "$@"; do
  case $a in
    *empty.cpp) cost=0 ;;
    -fconstexpr-steps=*) steps=${a#*=} ;;
  esac
done
[ $cost = 0 ] || [ $steps -ge 5000 ] || exit 1
echo "$((100 + cost)) ClassTemplateSpecialization decls, 1 each" >&2
echo "$((60 + cost)) Function decls, 1 each" >&2
echo "40 CXXMethod decls, 1 each" >&2
"""
GNU = """#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in
    -dumpdir) dumps=$2 ;;
    -o) echo vsqrtps >"$2" ;;
  esac
  shift
done
for pass in einline fre3; do
  i=0
  while [ $i -lt $COST ] && [ -n "$dumps" ]; do echo "  x = y;"; i=$((i + 1)); done >"${dumps:-/tmp/}source.$pass"
done
"""
COSTS = """# a comment
hello 1000 1000 5000
train_step 1000 1000 5000
chain_1000 1000 1000 5000
"""
LINES = """# a comment
hello 100 100
train_step 100 100
"""


def main():
    s = Scratch()
    s.copy("cmake")

    def cost(script, of, *options):
        compiler = s.folder / ("clang" if script == "compile_cost" else "gnu")
        return s.call("cmake", "-D", f"root={s.folder}", "-D", f"compiler={compiler}", "-D", f"folder={s.folder}/made", *options,
                      "-P", f"cmake/{script}.cmake", COST=str(of))

    s.write("clang", CLANG, executable=True)
    s.write("gnu", GNU.replace("/tmp/", f"{s.folder}/"), executable=True)
    for script, expected, text, base in (("compile_cost", "expected.txt", COSTS, 1000), ("gimple_cost", "expected_gimple.txt", LINES, 100)):
        path = f"tests/compile_cost/{expected}"
        s.write(path, text)

        def passes(*call):
            status, output, error = cost(script, *call)
            return status == 0

        s.expect(f"{script}: what is expected passes", passes(base, "-Donly=hello"), cost(script, base, "-Donly=hello"))
        s.expect(f"{script}: 3 % more pass", passes(base * 103 // 100, "-Donly=hello"))
        s.expect(f"{script}: 4 % more do not", not passes(base * 104 // 100, "-Donly=hello"))
        for name in ("renamed", "transformer" if script == "gimple_cost" else "scan_of_16"):
            status, output, error = cost(script, base, f"-Donly={name}")
            s.expect(f"{script}: {name}, which has no program or no line, is no success", status != 0 and name in error, status, error)
        s.expect(f"{script}: renews one line", passes(base * 2, "-Donly=hello", "-Dupdate=ON"))
        renewed = (s.folder / path).read_text().splitlines()
        s.expect(f"{script}: and keeps the others", [line.split()[:2] for line in renewed[1:]]
                 == [[line.split()[0], str(base * (2 if line.startswith("hello") else 1))] for line in text.splitlines()[1:]], *renewed)
    s.expect("own_loop passes by itself", cost("gimple_cost", 1, "-Donly=own_loop")[0] == 0, cost("gimple_cost", 1, "-Donly=own_loop"))
    s.end()


if __name__ == "__main__":
    main()
