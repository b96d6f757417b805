#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/tools/check.py
What tools/check must not swallow, leave out or forget, with a CMake that builds nothing. Status 77 where git is missing."""
import os
import shutil
import subprocess
import sys

from scratch import Scratch

# $FAILS: configure, build or test, a colon, and the preset; what it is called with goes into calls.txt.
CMAKE = """#!/bin/sh
echo "cmake $*" >>calls.txt
case $1 in
  --preset)
    mkdir -p build/$2/Testing/Temporary
    printf '3 of 7 examples\\n1 of 2 others\\n' >build/$2/left_out.txt
    [ "$FAILS" != "configure:$2" ] ;;
  --build) [ "$FAILS" != "build:$3" ] ;;
esac
"""
CTEST = """#!/bin/sh
case "$*" in *--show-only*) printf ' Test #1: a\\n Test  #22: b\\n'; exit ;; esac
echo "ctest $*" >>calls.txt
echo 'MESSAGE: skipped: no client' >build/$2/Testing/Temporary/LastTest.log
if [ "$FAILS" = "test:$2" ]; then
  echo '90% tests passed, 1 tests failed out of 10'
  exit 8
fi
printf '100%% tests passed, 0 tests failed out of 10\\n\\nThe following tests did not run:\\n'
printf '\\t 53 - docs.site (Skipped)\\n\\t  7 - random.graphs (Skipped)\\n'
"""
SET = "ETCH_ONLY_TESTS", "ETCH_LEAVE_OUT_TESTS", "ETCH_TURN", "ETCH_TESTS", "ETCH_EXAMPLES"
NOTHING = "#!/bin/sh\n"


def main():
    if not shutil.which("git"):
        print("tests/tools/check.py: git is missing")
        sys.exit(77)
    s = Scratch()
    s.copy("tools/check", ".gitignore")
    s.write("tools/install_packages", NOTHING, executable=True)
    for name, text in (("cmake", CMAKE), ("ctest", CTEST), ("clang-format-19", NOTHING), ("nvcc", NOTHING)):
        s.write(f"stubs/{name}", text, executable=True)
    for folder in ("include", "tests/laws", "bench", "examples", "cmake", "docs/site"):
        s.write(f"{folder}/x.cpp", "// thread_pool\n")
    s.write("docs/page.md", "# Page\n")
    for words in (["init", "--quiet"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "all"]):
        assert s.call("git", *words)[0] == 0

    def run(*options, fails=""):
        (s.folder / "calls.txt").unlink(missing_ok=True)
        status, output, error = s.call("tools/check", *options, PATH=f"{s.folder}/stubs:{os.environ['PATH']}", FAILS=fails)
        calls = (s.folder / "calls.txt").read_text() if (s.folder / "calls.txt").exists() else ""
        return status, output, error, calls

    def presets(calls):
        return [line.split()[2] for line in calls.splitlines() if line.startswith("cmake --preset")]

    # What cannot be installed, and can be done without.
    s.write("tools/install_packages", '#!/bin/sh\ncase "$*" in *markdown*) exit 1 ;; esac\n', executable=True)
    status, output, error, calls = run()
    last = output[output.rindex("100% tests passed, 0 tests failed out of 10\n"):]
    s.expect("what passes passes", status == 0 and presets(calls) == ["clang", "dev", "release"], output, error)
    for wanted in ("out of 10 (clang: built", "1 cases skipped", "  skipped: docs.site, random.graphs\n",
                   "left out: 3 of 7 examples, 1 of 2 others, 2 tests labelled slow", "  left out: of ^("):
        s.expect(f"the last lines have {wanted!r}", wanted in last, last)
    for preset in ("clang", "dev", "release"):
        for what in ("configure", "build", "test"):
            status, output, error, calls = run(fails=f"{what}:{preset}")
            s.expect(f"a failure to {what} {preset} is one", status != 0 and presets(calls)[-1] == preset, output, error)

    for options in ((), ("--quick",), ("--all",)):
        shutil.rmtree(s.folder / "build", ignore_errors=True)
        status, output, error, calls = run(*options)
        for line in calls.splitlines():
            if line.startswith("cmake --preset"):
                s.expect("nothing that was set before leaves out tests", all(f"-D{name}=" in line for name in SET), line)

    every = ["release", "clang", "dev", "cuda", "baseline", "tsan", "asan"]
    s.expect("--all is all", presets(calls) == every and status == 0, output, error)
    status, output, error, calls = run("--all")
    s.expect("--all goes on where it was", status == 0 and not presets(calls) and output.count("before, of the same sources") == len(every)
             and output.count("  skipped: docs.site") == len(every), output, calls)
    s.write("docs/page.md", "# Changed\n")
    s.expect("documents are no sources", not presets(run("--all")[3]))
    for path in ("docs/site/x.cpp", "tests/laws/new.cpp"):
        s.write(path, "// changed\n")
        s.expect(f"{path} is a source", presets(run("--all")[3]) == every)
    run("--quick", fails="test:clang")
    s.expect("what has failed since is checked again", presets(run("--all")[3]) == ["clang"])
    for what in ("configure", "build", "test"):
        s.write("tests/laws/new.cpp", what)
        status, output, error, calls = run("--all", fails=f"{what}:tsan")
        s.expect(f"--all goes on behind a failure to {what}, and fails",
                 status == 1 and presets(calls) == every and "failed: tsan" in output, output, error)
        s.expect("what failed is not forgotten", presets(run("--all")[3]) == ["tsan"])

    if shutil.which("flock"):
        holding = ["flock", s.folder / "build/check.lock", "sh", "-c", "echo; read line"]
        with subprocess.Popen(holding, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
            other.stdout.readline()
            status, output, error, calls = run()
            s.expect("two runs at once are refused", status == 1 and "another run" in error and not calls, output, error)
            other.communicate(b"\n")
        s.expect("one behind the other is not", run()[0] == 0)
    s.end()


if __name__ == "__main__":
    main()
