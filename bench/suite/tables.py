# SPDX-License-Identifier: MIT
"""What a run of the suite has measured, as tables in Markdown."""


def in_units(t):
    for unit, scale in (("ns", 1e9), ("us", 1e6), ("ms", 1e3)):
        if t * scale < 1000:
            return f"{t * scale:.3g} {unit}"
    return f"{t:.3g} s"


def in_bytes(n):
    return f"{n / 1e6:.3g} MB" if n >= 1e6 else f"{n / 1e3:.3g} kB"


def rows(head, lines):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(line) + " |" for line in lines), ""]


# The order of the columns; others come behind.
peers_in_order = ("loop", "loop of memcpy","loop in blocks", "Eigen", "xtensor", "OpenBLAS", "oneDNN", "ONNX Runtime", "PyTorch", "PyTorch, compiled",
                  "PyTorch, channels last", "TensorFlow", "TensorFlow with XLA", "JAX")


def of_time(result, names, peak, triad):
    t = result["times"]["etch"]
    best = min((v["median"] for k, v in result["times"].items() if k != "etch"), default=None)
    ratio = f"{best / t['median']:.2f}" if best else ""
    limits = []
    if result["flops"] > 0 and result["case"].startswith(("P3", "P5", "P6")):
        limits.append(f"{result['flops'] / t['median'] / peak:.2f} of peak")
    if result["bytes"] > 0 and result["bytes"] / t["median"] > 0.2 * triad:
        limits.append(f"{result['bytes'] / t['median'] / triad:.2f} of the triad")
    cells = {k: in_units(v["median"]) for k, v in result["times"].items()}
    cells |= {k: "another result" for k in result["wrong"]} | {k: "no result" for k in result["failed"]}
    return [result["case"], in_units(t["median"]), *(cells.get(name, "") for name in names), ratio, ", ".join(limits),
            f"{(t['most'] - t['least']) / t['median']:.0%}"]


def times(results, limits):
    lines = []
    for threads in sorted({r["threads"] for r in results}):
        peak, triad = limits[str(threads)]
        lines += [f"### {threads} thread{'s' if threads > 1 else ''}", "",
                  f"Measured limits: {peak / 1e9:.0f} GFLOP/s of float32 multiply-adds, {triad / 1e9:.0f} GB/s of a triad in 12 MB.", ""]
        of_threads = [r for r in results if r["threads"] == threads]
        found = {name for r in of_threads for name in (*r["times"], *r["wrong"], *r["failed"])} - {"etch"}
        names = [name for name in peers_in_order if name in found] + sorted(found - set(peers_in_order))
        lines += rows(("case", "etch", *names, "ratio to the best", "of the limit", "spread"),
                      [of_time(r, names, peak, triad) for r in of_threads])
    return lines


def memory(figures):
    """figures: {case: {library: {what: number}}}."""
    if not figures:
        return []
    peers = sorted({library for case in figures.values() for library in case} - {"etch"})

    def line(case, by_library):
        own = by_library["etch"]
        return [case, in_bytes(own["step"]), *(in_bytes(by_library[p]["step"]) if p in by_library else "" for p in peers), in_bytes(own["arena"]),
                f"{own['arena'] / own['lower bound']:.3f}", f"{own['arena'] / own['intermediates']:.3f}", f"{own['heap calls']:.0f}"]

    return ["### Memory of a training step (P8)", ""] + rows(
        ("case", "etch", *peers, "of etch's, the arena", "over the largest live set", "over all intermediate values", "heap calls in ten more steps"),
        [line(*item) for item in figures.items()])


def compile_cost(costs):
    """costs: what bench/compile_cost writes."""
    if not costs:
        return []
    sides = list(dict.fromkeys((r["version"], r["level"]) for r in costs))
    by_place = {(r["version"], r["level"], r["program"]): r for r in costs}

    def cell(r):
        return f"{r['over_empty'] if r['program'] != 'empty main' else r['seconds']:.2f} s, {r['megabytes']:.0f} MB" if r else ""

    return ["### What programs cost the compiler (P7)", "",
            "Seconds of processor time over the empty main, which includes xtensor and xsimd (of itself: all of them); the most megabytes.", ""] + rows(
        ("program", *(f"{version}, `{level}`" for version, level in sides)),
        [(program, *(cell(by_place.get((*side, program))) for side in sides)) for program in dict.fromkeys(r["program"] for r in costs)])


def binary_size(sizes):
    if not sizes:
        return []
    return ["### Bytes of a program (P9)", "", "Inference by 784-100-10, after `strip`, beside `int main() {}`.", ""] + rows(
        ("compiler", "program", "`int main() {}`", "over it"),
        [(f"{r['compiler']} `{r['level']}`", str(r["program"]), str(r["empty"]), in_bytes(r["program"] - r["empty"])) for r in sizes])


def all_of(run):
    return "\n".join(times(run["results"], run["limits"]) + memory(run["memory"]) + compile_cost(run["compile"]) + binary_size(run["binary"]))
