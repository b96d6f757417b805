# SPDX-License-Identifier: MIT
"""Times cases of etch in many processes of their own: what is slow in some of them only, one process cannot show.

fresh.py BUILD --only TEXT [--processes N] [--seed N]
Where stack and heap lie differs from process to process (the length of the arguments), as does whether results have been asked for before. For each
case: the least of 7 times of each process, and of these the least, the median, the largest, and how many are above twice the median. Status 1 then.
"""
import argparse
import glob
import os
import random
import statistics
import sys

import tables
from sides import Side, calls_for_a_turn


def times_in_one_process(program, only, numbers):
    """{case: least of 7 times, in seconds}."""
    side = Side([program, "x" * numbers.randrange(5000)], 1)
    found = {}
    for case, library, *_ in side.list():
        if library != "etch" or only not in case:
            continue
        if numbers.random() < 0.7:
            side.result(case, library)
        calls = calls_for_a_turn(side, case, library)
        found[case] = min(side.seconds(case, library, calls) / calls for _ in range(7))
    side.end()
    return found


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("build")
    parser.add_argument("--only", required=True)
    parser.add_argument("--processes", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    numbers, slow = random.Random(options.seed), 0
    for program in sorted(glob.glob(os.path.join(options.build, "bench", "suite_*"))):
        runs = [times_in_one_process(program, options.only, numbers) for _ in range(options.processes)]
        for case in runs[0] if runs else ():
            times = [r[case] for r in runs]
            middle = statistics.median(times)
            outside = sum(t > 2 * middle for t in times)
            slow += outside
            print(f"{case}: {tables.in_units(min(times))}, {tables.in_units(middle)}, {tables.in_units(max(times))}; {outside} of {len(times)} above "
                  "twice the median", flush=True)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
