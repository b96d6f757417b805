# SPDX-License-Identifier: MIT
"""decode_profile.py FILE: the events of a file of OpenXLA's XSpace, and its kernels, a line for each, sorted.

Reads the bytes by itself, with Python's standard library alone.
"""
import sys

from decode_events import fields, signed


def show_event(thread, start, duration, name, stats):
    """`start` and `duration`: in microseconds, the start from that of the first event on."""
    said = "".join(f" {key}={stats[key]}" for key in ("op", "bytes", "flop_count", "source", "step_num") if key in stats)
    return f"{thread} {start:.1f}+{duration:.1f} {name!r}{said}"


def show_kernel(name, op, count, duration):
    return f"kernel {name} {op} {count} {duration:.1f}"


def named(entries):
    """{number: message} of a map's entries, each message with its number in it."""
    found = {}
    for entry in map(fields, entries):
        ((number,), (value,)) = entry[1], entry[2]
        found[number] = fields(value)
        assert found[number][1] == [number]
    return found


def stats_of(messages, names):
    stats = {}
    for stat in map(fields, messages):
        stats[names[stat[1][0]]] = str(signed(stat[4][0])) if 4 in stat else stat[5][0].decode()
    return stats


def lines(data):
    space = fields(data)
    assert space[4][0].decode()
    (plane,) = map(fields, space[1])
    assert plane[2] == [b"/host:CPU"]
    names = {number: stat[2][0].decode() for number, stat in named(plane.get(5, [])).items()}
    kinds = named(plane.get(4, []))
    events, kernels = [], {}
    for line in map(fields, plane.get(3, [])):
        begin = line[3][0]
        assert 1.6e18 < begin < 2.6e18
        last = 0
        for event in map(fields, line.get(4, [])):
            kind = kinds[event[1][0]]
            start, duration = event[2][0], event[3][0]
            assert start >= last
            last = start
            stats = stats_of(kind.get(5, []), names) | stats_of(event.get(4, []), names)
            # The page writes the number of a step behind its name.
            name = kind[4][0].decode() + (" " + stats["step_num"] if stats.get("_r") == "1" else "")
            events.append((line[2][0].decode(), begin * 1000 + start, duration, name, stats))
            node, colon, op = kind[2][0].decode().partition(":")
            if colon:
                count, sum_ = kernels.get((node, op), (0, 0))
                kernels[node, op] = count + 1, sum_ + duration
    first = min((e[1] for e in events), default=0)
    for thread, start, duration, name, stats in events:
        yield show_event(thread, (start - first) / 1e6, duration / 1e6, name, stats)
    for (node, op), (count, duration) in kernels.items():
        yield show_kernel(node, op, count, duration / 1e6)


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    with open(sys.argv[1], "rb") as file:
        print("".join(line + "\n" for line in sorted(lines(file.read()))), end="")
