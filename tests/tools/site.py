#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/tools/site.py
What docs/site/build.py and tests/docs/tutorial.py must not remove."""
import sys

from scratch import ROOT, Scratch

BUILD = ROOT / "docs/site/build.py"


def build_keeps_what_is_no_site(s):
    kept = s.write("no site/kept.txt", "")
    for name in (kept.parent, kept, ""):
        status, output, error = s.call(sys.executable, BUILD, name)
        s.expect(f"build.py refuses to write into {name or 'nothing'}", status == 2 and not output and "build.py" in error, status, output, error)
    s.expect("a folder that is no site is left as it is", kept.exists())
    s.expect("build.py wants one argument", s.call(sys.executable, BUILD)[0] == 2)


def tutorial_keeps_what_it_has_not_made(s):
    kept = s.write("no tutorial/kept.txt", "")
    status, output, error = s.call(sys.executable, ROOT / "tests/docs/tutorial.py", "false", kept.parent)
    s.expect("tutorial.py refuses to write there", status == 1 and "name another folder" in error, status, output, error)
    s.expect("what it has not made is left as it is", kept.exists())


if __name__ == "__main__":
    scratch = Scratch()
    build_keeps_what_is_no_site(scratch)
    tutorial_keeps_what_it_has_not_made(scratch)
    scratch.end()
