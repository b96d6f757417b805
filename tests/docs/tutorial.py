#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/docs/tutorial.py COMPILER FOLDER [update]
Does what docs/tutorial.md tells its reader, in FOLDER: writes the files of each section, builds, runs the program, and compares what it prints with
the page: numbers with a point to within 0.02 (training rounds otherwise on other processors), all else to the letter. `update`: writes what was
printed, and the pictures, into the page."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "tutorial.md"
WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Werror"
BLOCK = re.compile(r"(?:^`([\w.]+)`:\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def differs(shown, printed):
    """Why what was printed is not what the page shows, or None."""
    number = re.compile(r"-?\d+\.\d+")
    if number.sub("#", shown) != number.sub("#", printed):
        return "other words"
    for a, b in zip(number.findall(shown), number.findall(printed)):
        if abs(float(a) - float(b)) > 0.02:
            return f"{b} in place of {a}"
    return None


def build(folder, compiler):
    if not (folder / "build").exists():
        subprocess.run(["cmake", "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_COMPILER={compiler}",
                        f"-DCMAKE_CXX_FLAGS={WARNINGS}"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "build"], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def main():
    compiler, folder = sys.argv[1], Path(sys.argv[2])
    update = sys.argv[3:] == ["update"]
    if folder.exists() and not (folder / "etch").is_symlink() and any(folder.iterdir()):
        sys.exit(f"tutorial: {folder} was not made by this program, and would be removed; name another folder")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.symlink(ROOT, folder / "etch")
    page, faults, runs, printed = PAGE.read_text(), 0, 0, None
    for block in BLOCK.finditer(page):
        name, language, text = block.groups()
        if name:
            (folder / name).write_text(text)
        elif language == "sh":
            for command in text.splitlines():
                if command == "cmake --build build":
                    build(folder, compiler)
                elif command.startswith("./build/spiral"):
                    run = subprocess.run(command.split(), cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
                    printed, runs = run.stdout, runs + 1
        elif language == "text":
            fault = differs(text, printed)
            if update:
                page = page.replace(block[0], f"```text\n{printed}```", 1)
            elif fault:
                print(f"tutorial: run {runs} printed {fault}. The page shows\n{text}it printed\n{printed}")
                faults += 1
    pictures = [folder / name for name in ("arms.svg", "loss.svg")]
    for picture in pictures:
        if not picture.read_text().startswith("<svg"):
            sys.exit(f"tutorial: {picture} is no picture")
    if update:
        PAGE.write_text(page)
        for picture in pictures:
            shutil.copy(picture, ROOT / "docs" / "tutorial" / picture.name)
    print(f"tutorial: {runs} runs")
    if faults or runs != 6:
        sys.exit(1)


main()
