# SPDX-License-Identifier: MIT
"""Which goals a run of the suite meets: tables in Markdown."""
import re


def best_peer(result, only):
    peers = [(v["median"], k) for k, v in result["times"].items() if k != "etch" and (only is None or k in only)]
    return min(peers) if peers else (None, "")


def short(case):
    return case.split(" ", 1)[1]


def against(results, goal, peers=None):
    """How many of the cases are at least `goal` times as fast as the best peer; 0.995 of it counts. peers: only these."""
    ratios = []
    for r in results:
        t, name = best_peer(r, peers)
        if t is not None:
            ratios.append((t / r["times"]["etch"]["median"], short(r["case"]), name))
    if not ratios:
        return ""
    missed = sorted(q for q in ratios if q[0] < 0.995 * goal)
    if len(ratios) == 1:
        return f"{'not met' if missed else 'met'}: {ratios[0][0]:.2f} ({ratios[0][2]})"
    text = "met" if not missed else f"met in {len(ratios) - len(missed)} of {len(ratios)}"
    text += f"; {min(ratios)[0]:.2f} to {max(ratios)[0]:.3g}"
    if missed:
        text += ": " + ", ".join(f"{case} {ratio:.2f} ({name})" for ratio, case, name in missed[:6])
        text += f", and {len(missed) - 6} more" if len(missed) > 6 else ""
    return text


def apart(cell):
    """What a cell says, and which cases are below the goal: these stand below the table."""
    return cell.split(": ", 1) if " to " in cell and ": " in cell else (cell, "")


def cases_below(workload, goal, threads, text):
    """A row of a table for each case that `apart` leaves: "chain of 3, 1000 0.94 (loop), ..., and 8 more"."""
    start = f"| {workload} | {goal} | {threads} |"
    for case, ratio, peer in re.findall(r"(.+?) (\d+\.\d+) \(([^()]*)\)(?:, |$)", text):
        yield f"{start} {case} | {ratio} | {peer} |"
    if more := re.search(r", and (\d+) more$", text):
        yield f"{start} {more[1]} more | | |"


def of_peak(results, goal, peak):
    shares = [(r["flops"] / r["times"]["etch"]["median"] / peak, short(r["case"])) for r in results]
    missed = sorted(q for q in shares if q[0] < goal)
    if len(shares) == 1:
        return f"{'not met' if missed else 'met'}: {shares[0][0]:.2f}"
    text = "met" if not missed else f"met in {len(shares) - len(missed)} of {len(shares)}"
    return text + f"; {min(shares)[0]:.2f} to {max(shares)[0]:.2f}" if shares else ""


def costs(results, plain, others):
    """What epilogues add to a product, in percent."""
    times = {r["case"]: r["times"]["etch"]["median"] for r in results}
    if plain not in times:
        return ""
    return ", ".join(f"{name} {100 * (times[case] / times[plain] - 1):.0f} %" for name, case in others if case in times)


def extent(result):
    return int(result["case"].split("(")[1].split(",")[0])


def rows(results, peak):
    """(workload, goal, what holds) of the results of one number of threads."""
    of = lambda *starts: [r for r in results if r["case"].startswith(starts)]
    squares = [r for r in of("P3") if r["case"].count(f"{extent(r)}") == 4 and r["case"].endswith(")")] if of("P3") else []
    named = lambda text: [r for r in results if text in r["case"]]
    yield "P1 elementwise", "1.0 of the best peer", against(of("P1 "), 1.0)
    yield "", "0.95 of the loop by hand", against(of("P1 "), 0.95, ["loop"])
    yield "P2 reductions, movement", "1.2 of the best peer", against(of("P2"), 1.2)
    yield "P3 products", "1.0 of the best peer", against(of("P3"), 1.0)
    yield "", "1.5 for n up to 32", against([r for r in squares if extent(r) <= 32], 1.5)
    yield "", "0.9 of the peak from n = 256 on", of_peak([r for r in squares if extent(r) >= 256], 0.9, peak)
    square = "P3 (256, 256) x (256, 256)"
    yield "", "an epilogue costs less than 2 %", costs(results, square, [("relu", f"{square} + bias, relu"), ("gelu", f"{square} + bias, gelu")])
    yield "P4 calls", "1/1.2 of the loop by hand", against(of("P4"), 1 / 1.2, ["loop"])
    yield "P5 dense networks", "3 times the best peer (784-100-10, batch 50)", against(named("784-100-10, batch 50"), 3)
    yield "", "1.5 times (784-100-10, batch 1024)", against(named("784-100-10, batch 1024"), 1.5)
    yield "", "1.3 times (784-512-512-10, batch 1024)", against(named("784-512-512-10, batch 1024"), 1.3)
    yield "", "2 times (a transformer block)", against(named("transformer block"), 2)
    yield "P6 CNN", "1.5 times the best peer", against(of("P6 CNN"), 1.5)
    yield "", "0.6 of the peak", of_peak(of("P6 CNN"), 0.6, peak)
    yield "P10 other workloads", "1.0 of the best peer or loop", against(of("P10"), 1.0)


def gains(results):
    """One thread's time over that of two, of what takes long enough to be shared."""
    times = {(r["case"], r["threads"]): r["times"]["etch"]["median"] for r in results}
    found = []
    for workload in ("P1 ", "P2", "P3", "P5", "P6"):
        ratios = [f"| {workload} | {short(c)} | {t / times[c, 2]:.2f} |" for (c, n), t in times.items()
                  if n == 1 and (c, 2) in times and c.startswith(workload) and t > 20e-6]
        found += ratios
    return found


def costs_of_compiler(costs):
    """(workload, goal, what holds) for P7, by each compiler at -O2: seconds over the empty main, and megabytes."""
    compilers = list(dict.fromkeys(r["compiler"] for r in costs))
    by_program = {(r["compiler"], r["program"]): r for r in costs if r["level"] == "-O2"}

    def held(*bounds):
        """bounds: (program, seconds, megabytes or None)."""
        found = []
        for compiler in compilers:
            rows = [(by_program[compiler, name], *most) for name, *most in bounds if (compiler, name) in by_program]
            met = all(r["over_empty"] < s and (m is None or r["megabytes"] < m) for r, s, m in rows)
            text = ", ".join(f"{r['over_empty']:.2f} s" + (f" and {r['megabytes']:.0f} MB" if m else "") for r, s, m in rows)
            if rows:
                found.append(f"{compiler} {'met' if met else 'not met'}: {text}")
        return "; ".join(found)

    def growth():
        found = []
        for compiler in compilers:
            for kind in ("", ", shared"):
                of = [by_program.get((compiler, f"(d) chain of {n}{kind}")) for n in (100, 300, 1000)]
                if all(of):
                    first, second = (b["over_empty"] - a["over_empty"] for a, b in zip(of, of[1:]))
                    more = second / 700 / (first / 200)
                    found.append(f"{compiler}{kind} {'met' if more <= 1.1 else 'not met'}: {more:.2f}")
        return "; ".join(found)

    yield "P7 compile cost", "hello graph: 1 s", held(("(a) hello graph", 1, None))
    yield "", "P5's program: 6 s, 600 MB", held(("(b) P5's train step", 6, 600))
    yield "", "P6's program: 15 s, 1 GB", held(("(c) P6's train step", 15, 1000))
    yield "", "chains: an op from 300 to 1000 costs at most 1.1 of one from 100 to 300", growth()
    yield "", "transformers of 1, 4, 8 blocks: 6, 15, 30 s", held(
        ("(e) transformer of 1 block", 6, None), ("(e) transformer of 4 blocks", 15, None), ("(e) transformer of 8 blocks", 30, None))
    yield "", "a GRU of 16 steps: 15 s", held(("(e) GRU of 16 steps, unrolled", 15, None))


def costs_of_memory(figures):
    own = [(case, f["etch"]) for case, f in figures.items()]
    if own:
        ratio = max(f["arena"] / f["lower bound"] for _, f in own)
        calls = max(f["heap calls"] for _, f in own)
        yield "P8 memory", "the arena is at most 1.1 of the largest live set", f"{'met' if ratio <= 1.1 else 'not met'}: at most {ratio:.3f}"
        yield "", "no heap calls after the first run", f"{'met' if calls == 0 else 'not met'}: {calls:.0f}"


def costs_of_size(sizes):
    if sizes:
        over = [(r["program"] - r["empty"], f"{r['compiler']} {r['level']}") for r in sizes]
        yield "P9 binary", "less than 40 kB over an empty main", "; ".join(
            f"{name} {'met' if n < 40000 else 'not met'}: {n / 1000:.1f} kB" for n, name in over)


def table(run):
    lines = []
    results, limits = run["results"], run["limits"]
    threads = sorted({r["threads"] for r in results})
    if threads:
        lines += ["| workload | goal | " + " | ".join(f"{n} thread{'s' if n > 1 else ''}" for n in threads) + " |", "|---|---|" + "---|" * len(threads)]
        columns = [list(rows([r for r in results if r["threads"] == n], limits[str(n)][0])) for n in threads]
        below, workload = [], ""
        for same in zip(*columns):
            workload = same[0][0] or workload
            if any(row[2] for row in same):
                lines.append(f"| {same[0][0]} | {same[0][1]} | " + " | ".join(apart(row[2])[0] for row in same) + " |")
                below += [line for row, n in zip(same, threads) if apart(row[2])[1]
                          for line in cases_below(workload.split()[0], row[1], n, apart(row[2])[1])]
        lines.append("")
        if below:
            lines += ["Below these goals:", "", "| | goal | threads | case | of the best peer | who that is |", "|---|---|---|---|---|---|", *below, ""]
    if len(threads) > 1:
        lines += ["One thread's time over that of two, of cases of more than 20 us:", "", "| | case | ratio |", "|---|---|---|", *gains(results), ""]
    others = [row for row in (*costs_of_compiler(run["compile"]), *costs_of_memory(run["memory"]), *costs_of_size(run["binary"])) if row[2]]
    if others:
        lines += ["| workload | goal | what holds |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in others), ""]
    return "\n".join(lines)
