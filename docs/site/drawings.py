#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/site/drawings.py [check]
Writes docs/from_expression_to_kernels.svg, from the compiler's prints in tests/golden/drawing.txt, and docs/layers.svg, from the layers that
cmake/layers.cmake enforces and the table of docs/design.md. `check`: says whether they are up to date."""
import html
import re
import sys
from pathlib import Path

from declarations import INTERNAL, summary_of

ROOT = Path(__file__).resolve().parents[2]
KERNEL_COLOURS = ["#d9e8fb", "#fde3c8", "#d8f0dc", "#eadcf5", "#f9d9e0"]
INK, SOFT, LINE = "#1d2330", "#5b6475", "#c9d0da"
EXPRESSION = """placeholder<"x", float, any<"batch">, 784> x;
auto hidden = relu(nn::dense<"hidden", 100>(x));
auto y = softmax(nn::dense<"logits", 10>(hidden));"""


class Drawing:
    def __init__(self, width, height):
        self.width, self.height, self.parts = width, height, []

    def box(self, x, y, w, h, fill="#fff", stroke=LINE, radius=6):
        self.parts.append(f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{radius}" fill="{fill}" stroke="{stroke}"/>')

    def text(self, x, y, text, size=13, fill=INK, mono=False, anchor="start", bold=False):
        family = "DejaVu Sans Mono, monospace" if mono else "DejaVu Sans, sans-serif"
        weight = ' font-weight="700"' if bold else ""
        self.parts.append(f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" font-family="{family}" text-anchor="{anchor}"{weight} '
                          f'xml:space="preserve">{html.escape(text, quote=False)}</text>')

    def line(self, points, colour=SOFT, arrow=False):
        path = " ".join(f"{x},{y}" for x, y in points)
        end = ' marker-end="url(#arrow)"' if arrow else ""
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.2"{end}/>')

    def svg(self):
        marker = (f'<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
                  f'<path d="M0,0 L8,4 L0,8 z" fill="{SOFT}"/></marker></defs>')
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}">'
                f'<rect width="100%" height="100%" fill="#fff"/>{marker}\n' + "\n".join(self.parts) + "\n</svg>\n")


def read_prints():
    graph, plan, figures = (ROOT / "tests/golden/drawing.txt").read_text().strip().split("\n\n")
    nodes = []
    for line in graph.splitlines():
        if match := re.match(r"(\S+) = (\S+) (.*?)\s*: (.*)", line):
            nodes.append({"name": match[1], "op": match[2], "operands": match[3].split(), "type": match[4], "kernel": None})
    kernels = [re.match(r"(\d+) (\w+) \[(.*?)\] (.*) : (.*) -> (.*)", line).groups() for line in plan.splitlines()]
    # Kernels name their ops in the order in which the graph has them; what no kernel names has gone, or is a slot.
    at = 0
    order = [n for n in nodes if n["op"] not in ("variable", "placeholder", "constant")]
    for number, _, _, ops, _, _ in kernels:
        for op in ops.split():
            for k in range(at, len(order)):
                if order[k]["op"] == op:
                    order[k]["kernel"], at = int(number), k + 1
                    break
            else:
                sys.exit(f"drawings: no node of the graph is the {op} of kernel {number}")
    return nodes, kernels, figures


def loops_of(kind, nest, ops, reads, writes):
    """A kernel's loops, as its nest says."""
    if kind == "contraction":
        rows, rest = nest.split(", ", 1)
        columns, depth = rest.split(" x ")
        product, *after = ops.split()
        return [f"for row of {rows}, column of {columns}", f"  for k of {depth}:  sum += a[row, k] * b[k, column]",
                f"  {' -> '.join(after)}, in registers"]
    if kind == "sweep":
        rows, swept = nest.split(" | ")
        reductions = [k for k, op in enumerate(ops.split()) if op in ("max", "sum", "min")]
        words, begin, passes = ops.split(), 0, []
        for k in reductions + [len(words) - 1]:
            passes.append(" ".join(words[begin:k + 1]))
            begin = k + 1
        return [f"for row of {rows}"] + [f"  for k of {swept}:  {p.replace(' ', ' -> ')}" for p in passes if p]
    return [f"for element of {nest}", "  " + ops.replace(" ", " -> ")]


def from_expression_to_kernels():
    nodes, kernels, figures = read_prints()
    d = Drawing(1180, 912)
    # 1: the expression
    d.text(24, 32, "1  Expression", 16, bold=True)
    d.text(150, 32, "what you write: empty objects, whose types know op, dtype and shape", 12, SOFT)
    d.box(24, 44, 560, 74, "#f6f7f9")
    for k, line in enumerate(EXPRESSION.splitlines()):
        d.text(38, 66 + 20 * k, line, 12.5, mono=True)
    # 2: the graph
    d.text(24, 156, "2  Graph", 16, bold=True)
    d.text(112, 156, "every node once; colours: the kernel it ends in", 12, SOFT)
    slots = {n["name"] for n in nodes if n["op"] in ("variable", "placeholder", "constant")}
    place = {}
    for n in nodes:
        if n["name"] not in slots:
            y = 170 + 46 * len([p for p in place if p not in slots])
            place[n["name"]] = (330, y)
            # What an op reads stands to its left, where it is read first.
            new = [o for o in n["operands"] if o in slots and o not in place]
            place.update({o: (176 - 152 * k, y) for k, o in enumerate(reversed(new))})
    for n in nodes:
        if n["name"] not in place:
            continue
        x, y = place[n["name"]]
        is_slot = n["name"] in slots
        fill = "#fff" if n["kernel"] is None else KERNEL_COLOURS[n["kernel"]]
        w = 140 if is_slot else 190
        d.box(x, y, w, 32, fill, radius=14 if is_slot else 5)
        label = n["name"] if is_slot else n["op"]
        if n["op"] == "constant":
            label = "constant " + n["operands"][0]
        d.text(x + w / 2, y + 14, label, 11.5, mono=True, anchor="middle", bold=not is_slot)
        d.text(x + w / 2, y + 26, n["type"].replace("float32", "float32 "), 9.5, SOFT, mono=True, anchor="middle")
        for o in n["operands"]:
            if o not in place or is_slot:
                continue
            ox, oy = place[o]
            if ox < 176:  # around the one between
                d.line([(ox + 140, oy + 16), (ox + 146, oy + 16), (ox + 146, oy - 5), (x - 8, oy - 5), (x, y + 8)], arrow=True)
            elif ox < x:
                d.line([(ox + 140, oy + 16), (x, y + 16)], arrow=True)
            elif y - oy <= 46:
                d.line([(ox + 95, oy + 32), (x + 95, y)], arrow=True)
            else:
                right = x + 200 + 9 * ((y - oy) // 46)
                d.line([(ox + 190, oy + 22), (right, oy + 22), (right, y + 10), (x + 190, y + 10)], arrow=True)
    # 3: the plan
    left = 600
    d.text(left, 156, "3  Plan", 16, bold=True)
    d.text(left + 76, 156, f"a constant of the compiler: {len(kernels)} kernels, {figures}", 12, SOFT)
    y = 170
    for number, kind, nest, ops, reads, writes in kernels:
        d.box(left, y, 556, 66, KERNEL_COLOURS[int(number)])
        d.text(left + 12, y + 20, f"{number} {kind} [{nest}]", 12.5, mono=True, bold=True)
        d.text(left + 12, y + 38, ops, 12, mono=True)
        d.text(left + 12, y + 56, f"{reads} -> {writes}", 11, SOFT, mono=True)
        y += 80
    # 4: kernels
    y += 30
    d.text(left, y, "4  Kernels", 16, bold=True)
    d.text(left + 100, y, "SIMD loops that the C++ compiler makes of each: what the program runs", 12, SOFT)
    y += 14
    for number, kind, nest, ops, reads, writes in kernels:
        loops = loops_of(kind, nest, ops, reads, writes)
        height = 18 * len(loops) + 14
        d.box(left, y, 556, height, KERNEL_COLOURS[int(number)])
        for k, line in enumerate(loops):
            d.text(left + 12, y + 20 + 18 * k, line, 12, mono=True)
        y += height + 14
    d.text(left, y + 14, "%6, the hidden layer, lies in the arena. White boxes are no part of a kernel: slots are", 11, SOFT)
    d.text(left, y + 30, "read, constants stand in the code, and where no gradient is asked for nothing stops it.", 11, SOFT)
    d.height = max(y + 50, 46 + max(y for _, y in place.values()))
    return d.svg()


def layers():
    text = (ROOT / "cmake/layers.cmake").read_text()
    levels = {}
    for unit, level in re.findall(r"^set\(layer_([\w/]+) (\d+)\)", text, re.MULTILINE):
        levels.setdefault(int(level), []).append(unit)
    rows = sorted(levels.items(), reverse=True)
    d = Drawing(1000, 76 + 34 * len(rows))
    d.text(24, 30, "The layers of etch", 16, bold=True)
    d.text(196, 30, "folders of include/etch; each includes only what stands below it", 12, SOFT)
    y = 46
    for _, units in rows:
        # Side by side: units that may not include each other.
        width = (952 - 10 * (len(units) - 1)) / len(units)
        for k, unit in enumerate(sorted(units)):
            x = round(24 + k * (width + 10), 1)
            is_internal = unit.split("/")[0] in INTERNAL
            d.box(x, y, round(width, 1), 28, "#f1f2f5" if is_internal else "#d9e8fb")
            d.text(x + 12, y + 18, unit, 12.5, mono=True, bold=True)
            d.text(x + 120, y + 18, shortened(about(unit).replace("`", ""), int((width - 132) / 6.3)), 11, SOFT)
        y += 34
    d.text(24, y + 14, "Blue: what programs call. Grey: what they need not know.", 11, SOFT)
    return d.svg()


def shortened(text, count):
    return text if len(text) <= count else text[:count - 3].rsplit(" ", 1)[0].rstrip(" ,;:") + "..."


def about(unit):
    """What docs/design.md says that the unit holds, in its table of layers; where it says nothing, what a header of the unit is about."""
    for folders, holds in re.findall(r"^\| \w+ \| (`.*?) \| (.*) \|$", (ROOT / "docs/design.md").read_text(), re.MULTILINE):
        units, texts = re.findall(r"`([\w/]+)/`", folders), holds.split("; ")
        if unit in units and len(units) == len(texts):
            return texts[units.index(unit)]
        if [unit] == units:
            return holds
    folder = ROOT / "include/etch" / unit
    files = [folder.with_suffix(".hpp"), folder / f"{folder.name}.hpp", *sorted(folder.glob("*.hpp"))]
    return next((text for file in files if file.exists() and (text := summary_of(file))), "").replace("`", "")


def main():
    made = {"from_expression_to_kernels.svg": from_expression_to_kernels(), "layers.svg": layers()}
    stale = [name for name, text in made.items() if not (ROOT / "docs" / name).exists() or (ROOT / "docs" / name).read_text() != text]
    if sys.argv[1:] == ["check"]:
        if stale:
            sys.exit(f"drawings: {', '.join(stale)}: not up to date; docs/site/drawings.py writes them anew")
        print("drawings: up to date")
    else:
        for name in stale:
            (ROOT / "docs" / name).write_text(made[name])
        print(f"drawings: {', '.join(stale) or 'nothing'} written")


main()
