#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/tools/turn.py
Whose turn a source is (cmake/turn.cmake): what is recent waits for nothing, and each is compiled by one compiler. Status 77 where git is missing."""
import shutil
import sys

from scratch import ROOT, Scratch

COMMITS = [f"{k:040x}" for k in range(40)]


def main():
    if not shutil.which("git"):
        print("tests/tools/turn.py: git is missing")
        sys.exit(77)
    s = Scratch()

    def git(*words):
        status, output, error = s.call("git", "-c", "user.name=a", "-c", "user.email=a@b", *words)
        assert status == 0, error

    def turns(commit, compiler, sources, project="project"):
        """path -> recent, always, waiting, only by g++"""
        status, output, error = s.call("cmake", f"-DPROJECT_SOURCE_DIR={s.folder / project}", f"-DETCH_TURN={commit}",
                                       f"-DCMAKE_CXX_COMPILER_ID={compiler}", f"-Dsources={';'.join(sources)}", "-P", ROOT / "tests/tools/turn.cmake")
        assert status == 0, error
        return {line.split()[0]: [word == "ON" for word in line.split()[1:]] for line in (output + error).split("\n") if line.strip()}

    # The project is a folder of a larger repository.
    git("init", "--quiet")
    s.write("project/.gitignore", "build\n")
    s.write("project/old.cpp", "")
    s.write("project/recent.cpp", "")
    git("add", ".")
    for k in range(21):
        git("commit", "--quiet", "--allow-empty", "--message", str(k))
    s.write("project/recent.cpp", "// changed\n")
    git("commit", "--quiet", "--all", "--message", "recent")
    s.write("project/new.cpp", "")
    s.write("project/build/made.cpp", "")
    sources = ["old.cpp", "recent.cpp", "new.cpp", "build/made.cpp"]
    found = turns(COMMITS[0], "GNU", sources)
    for source, wanted in zip(sources, (False, True, True, False)):
        s.expect(f"{source} is {'' if wanted else 'not '}recent", found[source][0] == wanted, found)

    waiting, only = 0, 0
    for commit in COMMITS:
        gnu, clang = turns(commit, "GNU", sources), turns(commit, "Clang", sources)
        s.expect("one compiler compiles what may not wait", all(gnu[x][1] != clang[x][1] for x in sources), gnu, clang)
        for x in sources:
            s.expect("at most one compiles what may wait, and one what is recent",
                     gnu[x][2] + clang[x][2] <= 1 and (not gnu[x][0] or gnu[x][2] or clang[x][2]), x, gnu, clang)
            s.expect("what g++ alone can compile it compiles where either would, and clang++ does not",
                     gnu[x][3] == (gnu[x][2] or clang[x][2]) and not clang[x][3], x, gnu, clang)
        waiting += gnu["old.cpp"][2] + clang["old.cpp"][2]
        only += gnu["old.cpp"][3]
    s.expect("what waits is compiled at some commits, and not at most", 0 < waiting < len(COMMITS) / 2 and only == waiting, waiting, only)

    s.write("tests/a/x.cpp", '#include <b/y.hpp>\n#include <random>\n#include "z.hpp"\n')
    s.write("tests/a/z.hpp", '#include "../c/w.hpp"\n')
    for path in ("b/y.hpp", "c/w.hpp", "random/unrelated.hpp"):
        s.write("tests/" + path, "")
    status, output, error = s.call("cmake", "-Dincluding=a/x.cpp", f"-DPROJECT_SOURCE_DIR={s.folder}", "-P", ROOT / "tests/tools/turn.cmake",
                                   cwd=s.folder / "tests")
    s.expect("what a test is made of is found in both kinds of brackets",
             sorted((output + error).strip().split(";")) == ["a/z.hpp", "b/y.hpp", "c/w.hpp"], output, error)
    s.end()


if __name__ == "__main__":
    main()
