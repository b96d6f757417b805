#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Coefficients of the polynomials in include/etch/backend/cpu/simd, as C++ literals.

    python3 tools/polynomials.py            # every table
    python3 tools/polynomials.py tan asin   # some of them

Needs mpmath. A table is the polynomial P of least maximal error on an interval (Remez' exchange), where the error is
relative to the function that P is a part of: each entry of `tables` says how. Coefficients are rounded one after the
other, the lowest first, and those that follow are fitted anew to what the rounded ones leave, so that a table in float
or double is nearly as good as one of real numbers. Printed beside a table: the error that is left, in units of the last
place of a result between 1 and 2 (those of the evaluation come on top).
"""
import sys
import mpmath
from mpmath import mpf

mpmath.mp.dps = 60
POINTS = 1200  # of the grid that stands for the interval


class Table:
    """P of `degree` with P(t) near f(t) on [low, high]; weight(t) times P's error is the relative error of a result."""

    def __init__(self, f, weight, low, high, degrees):
        self.f, self.weight, self.low, self.high, self.degrees = f, weight, low, high, degrees


def odd(function, end):
    """P(z) with function(r) = r + r z P(z), z = r^2."""
    return lambda degrees: Table(lambda z: series_safe(lambda r: (function(r) / r - 1) / r**2, z),
                                 lambda z: z * mpmath.sqrt(z) / function(mpmath.sqrt(z)), mpf(0), end**2, degrees)


def series_safe(quotient, z):
    """quotient(sqrt(z)), which loses 2 log(1 / z) digits to cancellation."""
    with mpmath.workdps(200):
        return +quotient(mpmath.sqrt(z))


def even(function, end):
    """P(z) with function(r) = 1 + z P(z), z = r^2."""
    return lambda degrees: Table(lambda z: series_safe(lambda r: (function(r) - 1) / r**2, z),
                                 lambda z: z / function(mpmath.sqrt(z)), mpf(0), end**2, degrees)


half_log_2 = mpmath.log(2) / 2 * (1 + mpf(2)**-20)
tables = {
    # name: table of the degrees for (float, double)
    "tan": odd(mpmath.tan, mpmath.pi / 4 * (1 + mpf(2)**-20))((6, 13)),
    # of draws (backend/normal_transform.hpp)
    "sin": odd(mpmath.sin, mpmath.pi / 4 * (1 + mpf(2)**-20))((2, 6)),
    "cos": even(mpmath.cos, mpmath.pi / 4 * (1 + mpf(2)**-20))((3, 6)),
    "asin": odd(mpmath.asin, mpf(1) / 2)((4, 12)),
    "atan": odd(mpmath.atan, mpf(1) / 2)((5, 12)),
    "sinh": odd(mpmath.sinh, half_log_2)((2, 4)),
    "cosh": even(mpmath.cosh, half_log_2)((2, 4)),
    # P(m) near m^(-1/3), 0.75 <= m < 1.5
    "rcbrt": Table(lambda m: m**(-mpf(1) / 3), lambda m: m**(mpf(1) / 3), mpf(3) / 4, mpf(3) / 2, (4, 4)),
}


def grid(table):
    middle, half = (table.high + table.low) / 2, (table.high - table.low) / 2
    # not the ends themselves, where a function may be 0/0
    return [middle + half * mpmath.cos(mpmath.pi * (2 * i + 1) / (2 * POINTS)) for i in range(POINTS)][::-1]


def remez(points, values, weights, first, last):
    """Coefficients of t^first ... t^last of least maximal weighted error on the points, and that error."""
    terms = last - first + 1
    chosen = [round((POINTS - 1) * (1 - float(mpmath.cos(mpmath.pi * i / terms))) / 2) for i in range(terms + 1)]
    for _ in range(60):
        a = mpmath.matrix(terms + 1, terms + 1)
        b = mpmath.matrix(terms + 1, 1)
        for row, i in enumerate(chosen):
            for k in range(terms):
                a[row, k] = weights[i] * points[i]**(first + k)
            a[row, terms] = (-1)**row
            b[row] = weights[i] * values[i]
        solution = mpmath.lu_solve(a, b)
        coefficients, level = [solution[k] for k in range(terms)], abs(solution[terms])
        errors = [(values[i] - evaluate(coefficients, points[i], first)) * weights[i] for i in range(POINTS)]
        extrema = []
        for i, e in enumerate(errors):  # the largest of each run of one sign
            if extrema and (e > 0) == (errors[extrema[-1]] > 0):
                if abs(e) > abs(errors[extrema[-1]]):
                    extrema[-1] = i
            else:
                extrema.append(i)
        while len(extrema) > terms + 1:
            extrema.pop(0 if abs(errors[extrema[0]]) < abs(errors[extrema[-1]]) else -1)
        worst = max(abs(e) for e in errors)
        if len(extrema) < terms + 1 or extrema == chosen or worst < level * (1 + mpf(2)**-20):
            break
        chosen = extrema
    return coefficients, worst


def evaluate(coefficients, t, first=0):
    result = mpf(0)
    for c in reversed(coefficients):
        result = result * t + c
    return result * t**first


def rounded(x, bits):
    with mpmath.workprec(bits):
        return +x


def fit(table, degree, bits):
    points = grid(table)
    values, weights = [table.f(t) for t in points], [table.weight(t) for t in points]
    rest, fixed = list(values), []
    for k in range(degree + 1):
        coefficients, _ = remez(points, rest, weights, k, degree)
        fixed.append(rounded(coefficients[0], bits))
        rest = [r - fixed[k] * t**k for r, t in zip(rest, points)]
    return fixed, max(abs(r * w) for r, w in zip(rest, weights))


def literal(x, bits):
    """A hexadecimal literal of C++; exact, for x has that many bits."""
    mantissa, exponent = mpmath.frexp(abs(x))
    digits = (bits + 2) // 4
    fraction = int((mantissa * 2 - 1) * mpf(16)**digits)
    text = f"{fraction:0{digits}x}".rstrip("0")
    return f"{'-' if x < 0 else ''}0x1{'.' if text else ''}{text}p{exponent - 1:+d}{'f' if bits == 24 else ''}"


def main(names):
    for name in names or tables:
        for bits, degree in zip((24, 53), tables[name].degrees):
            coefficients, error = fit(tables[name], degree, bits)
            ulps = mpmath.nstr(error * mpf(2)**(bits - 1), 2)
            print(f"{name}, {'float' if bits == 24 else 'double'}, degree {degree}: {ulps} ulp")
            print("    " + ", ".join(literal(c, bits) for c in coefficients))


if __name__ == "__main__":
    main(sys.argv[1:])
