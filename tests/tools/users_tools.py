#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/tools/users_tools.py
What tools/install_packages, tools/update_error_docs and tools/fuzz do on other machines, with wrong compilers and twice at once."""
import fcntl
import shutil

from scratch import ROOT, Scratch

DPKG = """#!/bin/bash
echo amd64
"""
# Says of each package what $STATUS says, of several architectures.
QUERY = """#!/bin/bash
for entry in $STATUS; do
  line=${3//'${db:Status-Status}'/${entry#*=}}
  printf "${line//'${Architecture}'/${entry%=*}}"
done
"""
APT = """#!/bin/bash
echo "$@" >>"$0.calls"
"""
# Refuses all but the program that is accepted.
COMPILER = """#!/bin/sh
for a in "$@"; do source=$a; done
case $source in *accepted*) exit 0 ;; esac
echo "$source:1:2: error: of $(basename "$source")" >&2
exit 1
"""


def install_packages(s):
    bash = shutil.which("bash")

    def run(status, *stubs):
        shutil.rmtree(s.folder / "stubs", ignore_errors=True)
        for name in stubs:
            s.write(f"stubs/{name}", {"dpkg": DPKG, "dpkg-query": QUERY, "apt-get": APT}[name], executable=True)
        s.write("stubs/env", '#!/bin/bash\nshift\nexec "$@"\n', executable=True)
        s.write("stubs/sudo", "#!/bin/bash\nexec \"$@\"\n", executable=True)
        result = s.call(bash, ROOT / "tools/install_packages", "one", PATH=str(s.folder / "stubs"), STATUS=status)
        calls = s.folder / "stubs/apt-get.calls"
        return *result, calls.read_text() if calls.exists() else ""

    for stubs in ((), ("dpkg", "dpkg-query"), ("apt-get",)):
        status, output, error, calls = run("amd64=not-installed", *stubs)
        s.expect(f"with {stubs} it is no Debian", status == 0 and "no Debian" in error and not calls, status, output, error)
    here = ("amd64=installed", "all=installed", "amd64=installed i386=installed", "i386=not-installed amd64=installed")
    for found in (*here, "", "amd64=not-installed", "amd64=config-files", "i386=installed"):
        status, output, error, calls = run(found, "dpkg", "dpkg-query", "apt-get")
        s.expect(f"of a package that is {found!r} it installs {'nothing' if found in here else 'it'}",
                 status == 0 and (not calls if found in here else " install " in calls), status, output, error, calls)


def update_error_docs(s):
    s.copy("tools/update_error_docs")
    before = "# Errors\n\n<!-- What follows is written by tools/update_error_docs. -->\n\nold\n"
    docs = s.write("docs/errors.md", before)
    s.write("tests/errors/refused.cpp", "int x = y;  // wrong\n")
    accepted = s.write("tests/errors/accepted.cpp", "int y;  // wrong\n")
    compiler = s.write("compiler", COMPILER, executable=True)
    status, output, error = s.call("tools/update_error_docs", compiler)
    s.expect("a program without an error is said", status != 0 and "no error for tests/errors/accepted.cpp" in error, status, error)
    s.expect("nothing is written then", docs.read_text() == before, docs.read_text())
    accepted.unlink()
    status, output, error = s.call("../tools/update_error_docs", compiler, cwd=s.folder / "docs")
    s.expect("what is refused is written", status == 0 and docs.read_text() == before.replace("old\n", "")
             + "### [refused](../tests/errors/refused.cpp)\n```cpp\nint x = y;\n```\n```\nof refused.cpp\n```\n", docs.read_text(), error)
    docs.write_text("# Errors\n")
    s.expect("a page without the marker is left as it is", s.call("tools/update_error_docs", compiler)[0] == 1 and docs.read_text() == "# Errors\n")


def fuzz(s):
    folder = s.folder / "fuzz"
    folder.mkdir()
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        status, output, error = s.call(ROOT / "tools/fuzz", "1", "--folder", folder)
        s.expect("a second run in one folder is refused, where there is NumPy", status == 77 or status == 2 and "another run" in error, status, error)


if __name__ == "__main__":
    scratch = Scratch()
    install_packages(scratch)
    update_error_docs(scratch)
    fuzz(scratch)
    scratch.end()
