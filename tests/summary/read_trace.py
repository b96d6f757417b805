# SPDX-License-Identifier: MIT
# read_trace.py FILE...: the events of traces in Chrome's format, as Perfetto needs them, a line for each.
import json
import sys


def no_number(name):
    raise ValueError(f"{name} is no number of JSON")


for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        trace = json.load(file, parse_constant=no_number)
    assert trace["displayTimeUnit"] in ("ms", "ns"), trace
    for event in trace["traceEvents"]:
        assert event["ph"] == "X" and isinstance(event["name"], str), event
        assert all(type(event[key]) is float for key in ("ts", "dur")) and event["dur"] >= 0, event
        assert all(type(event[key]) is int and event[key] > 0 for key in ("pid", "tid")), event
        assert isinstance(event.get("cat", ""), str) and isinstance(event.get("args", {}), dict), event
        values = " ".join(f"{key}={value}" for key, value in event.get("args", {}).items())
        print(event["tid"], f"{event['ts']:.3f}+{event['dur']:.3f}", repr(event["name"]), values)
