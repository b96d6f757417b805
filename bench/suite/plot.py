# SPDX-License-Identifier: MIT
"""plot.py RESULTS.json FOLDER: curves of a run of the suite, as SVG: matmul.svg and matmul_two_threads.svg
(GFLOP/s over n), training.svg (time over etch's, over the batch), chains.svg (time of a node over their number), threads.svg (time over
threads)."""
import json
import math
import re
import sys

COLOURS = {"etch": "#d62728", "Eigen": "#1f77b4", "OpenBLAS": "#2ca02c", "PyTorch": "#ff7f0e", "JAX": "#9467bd", "TensorFlow": "#8c564b",
           "TensorFlow with XLA": "#7f7f7f", "oneDNN": "#17becf", "ONNX Runtime": "#e377c2", "PyTorch, compiled": "#bcbd22",
           "PyTorch, channels last": "#aec7e8"}
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 680, 360, 60, 190, 36, 44


def chart(title, x_label, y_label, curves, limit=None, logarithmic=False):
    """curves: {name: [(x, y)]}; x on a logarithmic axis."""
    xs = sorted({x for points in curves.values() for x, _ in points})
    ys = [y for points in curves.values() for _, y in points] + ([limit[1]] if limit else [])
    top = max(ys) * 1.05
    low = min(ys) / 1.1 if logarithmic else 0
    place_x = lambda x: LEFT + (WIDTH - LEFT - RIGHT) * (math.log(x) - math.log(xs[0])) / max(1e-9, math.log(xs[-1]) - math.log(xs[0]))
    if logarithmic:
        place_y = lambda y: HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (math.log(y) - math.log(low)) / (math.log(top) - math.log(low))
        ticks = [m * 10**e for e in range(-3, 6) for m in (1, 2, 5) if low <= m * 10**e <= top]
    else:
        place_y = lambda y: HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * y / top
        step = next(s for s in (0.5, 1, 2, 5, 10, 20, 50, 100) if top / s <= 8)
        ticks = [k * step for k in range(int(top / step) + 1)]
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', f'<text x="{LEFT}" y="20" font-size="14">{title}</text>']
    for t in ticks:
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{place_y(t):.1f}" y2="{place_y(t):.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 6}" y="{place_y(t) + 4:.1f}" text-anchor="end">{t:g}</text>')
    last = -math.inf
    for x in xs:
        if place_x(x) - last < 30:
            continue
        last = place_x(x)
        out.append(f'<text x="{last:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{x:g}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 6}" text-anchor="middle">{x_label}</text>')
    out.append(f'<text x="14" y="{HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 14 {HEIGHT / 2})">{y_label}</text>')
    if limit:
        y = place_y(limit[1])
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="black" stroke-dasharray="4 3"/>')
        out.append(f'<text x="{WIDTH - RIGHT + 6}" y="{y + 4:.1f}">{limit[0]}</text>')
    for k, (name, points) in enumerate(curves.items()):
        colour = COLOURS.get(name, "#000000")
        path = " ".join(f"{place_x(x):.1f},{place_y(y):.1f}" for x, y in sorted(points))
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{3 if name == "etch" else 1.5}"/>')
        for x, y in points:
            out.append(f'<circle cx="{place_x(x):.1f}" cy="{place_y(y):.1f}" r="{3 if name == "etch" else 2}" fill="{colour}"/>')
        y = TOP + 36 + 18 * k
        out.append(f'<line x1="{WIDTH - RIGHT + 6}" x2="{WIDTH - RIGHT + 26}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" stroke-width="3"/>')
        out.append(f'<text x="{WIDTH - RIGHT + 32}" y="{y}">{name}</text>')
    return "\n".join(out + ["</svg>", ""])


def curves_of(results, threads, pattern, value):
    """{library: [(number in the case's name, value(case, seconds))]}"""
    curves = {}
    for r in results:
        found = re.fullmatch(pattern, r["case"])
        if found and r["threads"] == threads:
            for library, t in r["times"].items():
                curves.setdefault(library, []).append((int(found[1]), value(r, t["median"])))
    return {k: v for k, v in sorted(curves.items(), key=lambda kv: kv[0] != "etch") if len(v) > 1}


def main():
    path, folder = sys.argv[1:]
    with open(path) as f:
        run = json.load(f)
    results = run["results"]
    seconds = {(r["case"], r["threads"]): r["times"]["etch"]["median"] for r in results}

    def write(name, title, x_label, y_label, curves, *more):
        if curves:
            with open(f"{folder}/{name}.svg", "w") as f:
                f.write(chart(title, x_label, y_label, curves, *more))

    for threads, name, text in ((1, "matmul", "one thread"), (2, "matmul_two_threads", "two threads")):
        squares = curves_of(results, threads, r"P3 \((\d+), \1\) x \(\1, \1\)", lambda r, t: r["flops"] / t / 1e9)
        limit = run["limits"].get(str(threads), [0])[0] / 1e9
        write(name, f"n x n float32 products, {text}", "n", "GFLOP/s", squares, ("multiply-adds", limit))
    training = curves_of(results, 1, r"P5 784-100-10, batch (\d+)", lambda r, t: t / seconds[r["case"], 1])
    write("chains", "Chains of elementwise nodes on 64 floats: time of a node, one thread", "nodes", "ns",
          curves_of(results, 1, r"P4 chain of (\d+) nodes, 64 floats", lambda r, t: t * 1e9 / int(re.search(r"\d+", r["case"][2:])[0])), None, True)
    step = {}
    for r in results:
        if r["case"].startswith("P6 CNN"):
            for library, t in r["times"].items():
                step.setdefault(library, []).append((r["threads"], t["median"] * 1e3))
    if all(len(points) > 1 for points in step.values()):
        write("threads", "A training step of the CNN over threads", "threads", "ms", dict(sorted(step.items(), key=lambda kv: kv[0] != "etch")), None, True)
    write("training", "A training step of 784-100-10: time over etch's, one thread", "batch", "times etch's", training, None, True)


main()
