# SPDX-License-Identifier: MIT
"""What the tests of the project's own scripts share: calls in folders that are thrown away, and a list of what is wrong."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# No file is written beside a source.
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"


class Scratch:
    """A folder whose name has a space, since a checkout's may; `faults` is what is wrong."""

    def __init__(self):
        self.base = tempfile.TemporaryDirectory(prefix="etch scripts ")
        self.folder, self.faults, self.count = Path(self.base.name).resolve(), [], 0

    def copy(self, *paths):
        """These files or folders of the project, below the folder."""
        for path in paths:
            to = self.folder / path
            to.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / path).is_dir():
                shutil.copytree(ROOT / path, to, dirs_exist_ok=True)
            else:
                shutil.copy(ROOT / path, to)

    def write(self, path, text, executable=False):
        to = self.folder / path
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text)
        if executable:
            to.chmod(0o755)
        return to

    def call(self, *command, cwd=None, **environment):
        """(status, standard output, standard error)"""
        # Of a hook of git these would name the project's own repository.
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        done = subprocess.run([str(c) for c in command], cwd=cwd or self.folder, env={**inherited, **environment}, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=120)
        return done.returncode, done.stdout, done.stderr

    def expect(self, what, is_so, *shown):
        self.count += 1
        if not is_so:
            self.faults.append(what)
            print(f"not so: {what}", *shown, sep="\n  ")

    def end(self):
        print(f"{self.count} expectations, {len(self.faults)} are not met")
        self.base.cleanup()
        sys.exit(1 if self.faults or not self.count else 0)
