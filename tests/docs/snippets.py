#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/docs/snippets.py
Every block of C++ in the Markdown pages stands in a source that is compiled: its statements, in their order, in one file of the tests, the examples
or the error programs. Comments, white space and `etch::` may differ; a line that is `...` leaves something out. The tutorial's blocks are compiled
by tutorial.py, and what docs/errors.md shows is checked by the test error_docs."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMPILED_ELSEWHERE = {"tutorial.md", "errors.md"}


def plain(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"(?<!:)//[^\n]*", "", text)
    return re.sub(r"\s+", "", text.replace("etch::", ""))


def statements(block):
    """Includes, and what ends with a semicolon or a bracket at the end of a line."""
    for line in re.findall(r"^#.*$", block, re.MULTILINE):
        yield plain(line)
    block = re.sub(r"^#.*$", "", block, flags=re.MULTILINE)
    for part in re.split(r"^\s*\.\.\.$", block, flags=re.MULTILINE):
        for statement in re.split(r"(?<=[;{}])[ \t]*(?=//|\n)|\n\n", part):
            if plain(statement):
                yield plain(statement)


def missing_in(source, block):
    """The first statement that does not stand there behind the others."""
    at = 0
    for statement in block:
        found = source.find(statement, 0 if statement.startswith("#") else at)
        if found < 0:
            return at, statement
        at = at if statement.startswith("#") else found + len(statement)
    return None


def main():
    files = [f for pattern in ("tests/**/*.cpp", "examples/**/*.[ch]pp") for f in ROOT.glob(pattern)]
    sources = [plain(f.read_text()) for f in files]
    count, faults = 0, []
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        if page.name in COMPILED_ELSEWHERE:
            continue
        for block in re.finditer(r"^( *)```cpp\n(.*?)^\1```$", page.read_text(), re.MULTILINE | re.DOTALL):
            count += 1
            wanted = list(statements(block[2]))
            nearest = [missing_in(source, wanted) for source in sources]
            if None not in nearest:
                line = page.read_text()[:block.start()].count("\n") + 1
                faults.append(f"{page.relative_to(ROOT)}:{line}: no compiled source has this block; what is nearest lacks\n  {max(nearest)[1]}")
    for fault in faults:
        print(fault)
    print(f"{count} blocks of code, {len(faults)} are compiled nowhere")
    return 1 if faults or not count else 0


sys.exit(main())
