# SPDX-License-Identifier: MIT
"""Makes what fails small: tries smaller ones as long as they fail in the same way."""


def shrunken(item, smaller, fails, budget):
    """smaller(item) yields candidates, the smallest first; fails(candidate) says whether it still fails so; at most `budget` are tried."""
    again = True
    while again:
        again = False
        for candidate in smaller(item):
            if budget == 0:
                return item
            budget -= 1
            if fails(candidate):
                item, again = candidate, True
                break
    return item
