# SPDX-License-Identifier: MIT
"""Compares what a random program gave in each way with what the interpreter says."""
import struct

from interpreter import Run


def numbers(raw):
    return struct.unpack(f"={len(raw) // 8}d", raw)


def near(a, b):
    return a == b or abs(a - b) <= 1e-9 * (1 + abs(b))


def expected(p):
    """Of two runs one after the other in one session."""
    first = Run(p, {v: 0.0 for v in p.variables})
    return {"alone": first, "again": Run(p, first.variables)}


def is_clear(p):
    """Whether rounding decides nothing in it, and nothing in it grows without end."""
    try:
        runs = expected(p).values()
        return all(r.closest > 1e-6 and r.steps < 500 and max(abs(r.result.v), abs(r.result.d), abs(r.result.e)) < 1e6 for r in runs)
    except (OverflowError, RecursionError):
        return False


def check(p, results):
    """[(kind, way, fetch, sentence)] of what is wrong."""
    wrong, runs = [], expected(p)
    for (way, fetch), (extents, size, raw) in results.items():
        if way.startswith("error:"):
            wrong.append(("error", way[6:], 0, raw.decode(errors="replace")))
            continue
        run = runs["again" if way == "again" else "alone"]
        got = numbers(raw)
        if fetch == 101:
            if p.style == "effects":
                wrong += of_notes(run.notes, list(zip(got[::2], got[1::2])), way)
        elif fetch == 100:
            wanted = [run.variables[v] for v in p.variables]
            for name, a, b in zip(p.variables, got, wanted):
                if not near(a, b):
                    wrong.append(("variable", way, fetch, f"{name} is {a!r}, should be {b!r}"))
        else:
            wanted = (run.result.v, run.result.d, run.result.e)[fetch]
            if not all(near(a, wanted) for a in got):
                wrong.append((("value", "gradient", "second")[fetch], way, fetch, f"{got[0]!r}, should be {wanted!r}"))
    return wrong


def of_notes(wanted, got, way):
    """Each call as often as the interpreter makes it, and with the same numbers in the same order."""
    for tag in sorted({t for t, _ in wanted} | {int(t) for t, _ in got}):
        a, b = [v for t, v in got if t == tag], [v for t, v in wanted if t == tag]
        if len(a) != len(b):
            return [("calls", way, 101, f"call {tag} happened {len(a)} times, should be {len(b)}")]
        if not all(map(near, a, b)):
            return [("calls", way, 101, f"call {tag} was given {a}, should be {b}")]
    return []
