# SPDX-License-Identifier: MIT
"""read_profile.py FILE: the same as decode_profile.py, read by the package xprof."""
import json
import os
import sys

from decode_profile import show_event, show_kernel

from xprof.convert.raw_to_tool_data import xspace_to_tool_data


def tool(path, name):
    # It logs each of its steps to the file behind sys.stderr.
    errors, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        data, _ = xspace_to_tool_data([path], name, {"use_saved_result": False})
    finally:
        os.dup2(errors, 2)
    return json.loads(data)


def lines(path):
    trace = [event for event in tool(path, "trace_viewer")["traceEvents"] if event]
    threads = {event["tid"]: event["args"]["name"] for event in trace if event["name"] == "thread_name" and event["ph"] == "M"}
    events = [event for event in trace if event["ph"] == "X"]
    first = min((event["ts"] for event in events), default=0)
    for event in events:
        yield show_event(threads[event["tid"]], event["ts"] - first, event["dur"], event["name"], event.get("args", {}))
    table = tool(path, "framework_op_stats")[0]
    columns = [column["id"] for column in table["cols"]]
    for row in table["rows"]:
        cells = dict(zip(columns, (cell["v"] for cell in row["c"])))
        if cells["type"] != "IDLE":
            yield show_kernel(cells["operation"], cells["type"], int(cells["occurrences"]), cells["total_time"])


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    print("".join(line + "\n" for line in sorted(lines(sys.argv[1]))), end="")
