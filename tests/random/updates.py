# SPDX-License-Identifier: MIT
"""Random updates: variables of one shape that are assigned in stages, whole and in parts, made of each other and of what is fed.

In a stage each variable is assigned at most once, and all values are made of what the stage before left. Numbers are whole and small, so
that no order of the arithmetic has other bits.
"""
import copy
import random
import struct

import numpy as np

DTYPES = {"double": (np.float64, "d"), "float": (np.float32, "f"), "std::int32_t": (np.int32, "i")}
SHAPES = [(1,), (2,), (5,), (8,), (17,), (40,), (2, 3), (4, 6), (3, 8), (6, 20), (1, 9), (2, 3, 4)]
VARIABLES, FED = ("a", "b", "c"), ("x", "y")
ARITHMETIC = {
    "{0} + {1}": np.add, "{0} - {1}": np.subtract, "maximum({0}, {1})": np.maximum, "where({0} < {1}, {0}, {1})": lambda p, q: np.where(p < q, p, q),
    "{0} * 2_c": lambda p: p * 2, "-{0}": np.negative, "{0} + 3_c": lambda p: p + 3, "abs({0})": np.abs,
}


class Expression:
    """kind: of LEAVES, of MOVEMENT, or a text of ARITHMETIC; more: its attributes."""

    def __init__(self, kind, operands=(), **more):
        self.kind, self.operands, self.more = kind, list(operands), more

    def names(self, kind):
        own = [self.more["name"]] if self.kind == kind else []
        return own + [n for o in self.operands for n in o.names(kind)]


class Assignment:
    """part: a (begin, end) of each axis, or None. `beside`: an assignment of a stage before, whose own value is added."""

    def __init__(self, name, variable, part, value, beside):
        self.name, self.variable, self.part, self.value, self.beside = name, variable, part, value, beside


class Update:
    """stages: lists of assignments; shared: values of what is fed, by name."""

    def __init__(self, seed, dtype, shape, begin, fed, stages, shared):
        self.seed, self.dtype, self.shape, self.begin, self.fed, self.stages, self.shared = seed, dtype, shape, begin, fed, stages, shared

    def assignments(self):
        return [a for stage in self.stages for a in stage]


def sections(part):
    return ", ".join(f"section<{b}, {e}>" for b, e in part)


def taken(part):
    return tuple(slice(b, e) for b, e in part)


def comma(numbers):
    return ", ".join(map(str, numbers))


LEAVES = ("variable", "fed", "shared")
# As C++, and what it gives, of attributes and operands.
MOVEMENT = {
    "slice": (lambda m, x: f"slice({x}, {sections(m['part'])})", lambda m, x: x[taken(m["part"])]),
    "pad": (lambda m, x: f"pad({x}, {comma(f'padding<{b}, {a}>' for b, a in m['margins'])}{', edge' if m['edge'] else ''})",
            lambda m, x: np.pad(x, m["margins"], mode="edge" if m["edge"] else "constant")),
    "flip": (lambda m, x: f"flip({x}, axis<{m['axis']}>)", lambda m, x: np.flip(x, m["axis"])),
    "roll": (lambda m, x: f"roll<{m['by']}>({x}, axis<{m['axis']}>)", lambda m, x: np.roll(x, m["by"], m["axis"])),
    "concat": (lambda m, x, y: f"concat(axis<{m['axis']}>, {x}, {y})", lambda m, x, y: np.concatenate([x, y], m["axis"])),
    "total": (lambda m, x: f"broadcast_to(sum({x}, axis<{m['axis']}>, keep_dims), shape<{comma(m['shape'])}>{{}})",
              lambda m, x: np.broadcast_to(x.sum(m["axis"], dtype=x.dtype, keepdims=True), m["shape"])),
}


def text(e):
    if e.kind in LEAVES:
        return e.more["name"]
    operands = [text(o) for o in e.operands]
    return MOVEMENT[e.kind][0](e.more, *operands) if e.kind in MOVEMENT else f"({e.kind.format(*operands)})"


def value(e, names):
    if e.kind in LEAVES:
        return names[e.more["name"]]
    operands = [value(o, names) for o in e.operands]
    return MOVEMENT[e.kind][1](e.more, *operands) if e.kind in MOVEMENT else ARITHMETIC[e.kind](*operands).astype(operands[0].dtype)


class Maker:
    def __init__(self, seed):
        self.seed, self.random = seed, random.Random(seed)
        self.shape = self.random.choice(SHAPES)

    def part_of(self, shape, extents):
        """A part of an array that has these extents."""
        begins = [self.random.randint(0, n - e) for n, e in zip(shape, extents)]
        return [(b, b + e) for b, e in zip(begins, extents)]

    def expression(self, leaves, shape, depth):
        """Of that shape; leaves have the variables' shape."""
        r, axis = self.random, self.random.randrange(len(shape))
        whole = tuple(shape) == self.shape
        if depth == 0 or r.random() < 0.15:
            leaf = copy.deepcopy(r.choice(leaves))
            return leaf if whole else Expression("slice", [leaf], part=self.part_of(self.shape, shape))
        again = lambda s=shape: self.expression(leaves, s, depth - 1)
        kind = r.choice(["arithmetic"] * 6 + ["slice", "pad", "pad", "flip", "roll", "concat", "concat", "total"])
        if kind == "slice":
            if whole:
                return again()
            larger = [r.randint(e, n) for e, n in zip(shape, self.shape)]
            return Expression("slice", [again(larger)], part=self.part_of(larger, shape))
        if kind == "pad" and shape[axis] > 1:
            before, behind = r.choice([(1, 0), (0, 1), (1, 1)] if shape[axis] > 2 else [(1, 0), (0, 1)])
            inner = [n - (before + behind) * (i == axis) for i, n in enumerate(shape)]
            return Expression("pad", [again(inner)], margins=[(before, behind) if i == axis else (0, 0) for i in range(len(shape))],
                              edge=r.random() < 0.4)
        if kind == "concat" and shape[axis] > 1:
            first = r.randint(1, shape[axis] - 1)
            parts = [[m if i == axis else n for i, n in enumerate(shape)] for m in (first, shape[axis] - first)]
            return Expression("concat", [again(p) for p in parts], axis=axis)
        if kind in ("flip", "roll"):
            return Expression(kind, [again()], axis=axis, by=r.choice([1, -1, 2]))
        if kind == "total" and r.random() < 0.5:
            return Expression("total", [again()], axis=axis, shape=tuple(shape))
        call = r.choice(list(ARITHMETIC))
        return Expression(call, [again() for _ in range(2 if "{1}" in call else 1)])

    def make(self):
        r = self.random
        dtype = r.choice(list(DTYPES))
        numbers = lambda: np.array([r.randint(-4, 4) for _ in range(int(np.prod(self.shape)))], DTYPES[dtype][0]).reshape(self.shape)
        fed = [Expression("fed", name=n) for n in FED]
        # What reads no variable, and several stages share.
        shared = {f"p{i}": self.expression(fed, self.shape, r.choice([0, 1, 1])) for i in range(r.choice([0, 1, 1, 2]))}
        shared_leaves = [Expression("shared", name=n) for n in shared]
        leaves = [Expression("variable", name=n) for n in VARIABLES] + fed + shared_leaves * 2
        stages, before = [], []
        for _ in range(r.randint(1, 4)):
            stage = []
            for v in r.sample(VARIABLES, r.choice([1, 1, 2, 3])):
                part = self.part_of(self.shape, [r.randint(1, n) for n in self.shape]) if r.random() < 0.5 else None
                shape = [e - b for b, e in part] if part else self.shape
                # A value as it is, which may lie in two variables or move from one to another.
                whole = copy.deepcopy(r.choice(r.choice([leaves, shared_leaves or leaves]))) if part is None and r.random() < 0.4 else None
                beside = r.choice(before) if before and r.random() < 0.25 else None
                stage.append(Assignment(f"e{len(before) + len(stage)}", v, part, whole or self.expression(leaves, shape, r.randint(1, 3)),
                                        beside and beside.name))
            stages.append(stage)
            before = before + stage
        update = Update(self.seed, dtype, self.shape, {n: numbers() for n in VARIABLES}, {n: numbers() for n in FED}, stages, shared)
        return update if all(np.abs(v).max() < 2**20 for v in steps(update, 3).values()) else None


def step(update, names):
    """Assigns what one run does to the arrays of `names`; what each assignment gave."""
    given = {n: value(e, names) for n, e in update.shared.items()}
    for stage in update.stages:
        before = {**names, **given}
        for a in stage:
            made = value(a.value, before)
            if a.beside:
                other = given[a.beside]
                made = (made + (other[taken(a.part)] if a.part else other)).astype(made.dtype)
            names[a.variable] = now = before[a.variable].copy()
            now[taken(a.part) if a.part else ...] = made
            given[a.name] = now
    return given


def steps(update, count):
    """All that these many runs make, one after another."""
    names, all_ = {**update.begin, **update.fed}, {}
    for i in range(count):
        all_ |= {f"{n}{i}": v for n, v in step(update, names).items()}
        all_ |= {f"{n}{i}": v for n, v in names.items()}
    return all_


def random_update(seed):
    return Maker(seed).make()


class Text:
    kind = "update"

    def __init__(self, update, number):
        self.update, self.number = update, number

    def text(self):
        u, k = self.update, self.number
        shape, rank = comma(u.shape), len(u.shape)
        list_of = lambda v: comma(int(n) for n in v.flat)
        out = [f"namespace etch::random_update_{k} {{  // seed {u.seed}", "using namespace etch::random_tests;",
               f"using array = xt::xtensor<{u.dtype}, {rank}>;",
               f"inline array made(std::initializer_list<{u.dtype}> numbers) {{", f"  auto x = array::from_shape({{{shape}}});",
               "  std::copy(numbers.begin(), numbers.end(), x.data());", "  return x;", "}"]
        out += [f'constexpr auto {n} = variable<"{n}">(zeros<{u.dtype}>(shape<{shape}>{{}}), not_trainable);' for n in VARIABLES]
        out += [f'constexpr placeholder<"{n}", {u.dtype}, {shape}> {n};' for n in FED]
        out += [f"constexpr auto {n} = {text(e)};" for n, e in u.shared.items()]
        before = []
        for stage in u.stages:
            for a in stage:
                e = text(a.value)
                if before:
                    e = f"after({e}, {', '.join(before)})"
                if a.beside:
                    e = f"{e} + " + (f"slice({a.beside}, {sections(a.part)})" if a.part else a.beside)
                to = f"slice({a.variable}, {sections(a.part)})" if a.part else a.variable
                out.append(f"constexpr auto {a.name} = assign({to}, {e});")
            before = [a.name for a in stage]
        last = ", ".join(before)
        given = ", ".join(a.name for a in u.assignments())
        feeds = "".join(f", {n} = {n}_data" for n in FED if n in self.fed())
        out += [f"constexpr auto step = group({last});", "void run() {"]
        out += [f"  [[maybe_unused]] const array {n}_data = made({{{list_of(v)}}});" for n, v in u.fed.items()]
        out += [f"  session s(step, a, b, c, {given}, a + b * 2_c);", "  s.initialize();", "  const auto begin = [&] {"]
        out += [f"    s.set({n}, made({{{list_of(v)}}}));" for n, v in u.begin.items()]
        out += ["  };", "  const auto state = [&](const char* way, int from) {"]
        out += [f'    write({k}, way, {{from + {i}}}, array(s.get({n})));' for i, n in enumerate(VARIABLES)]
        out += ["  };"]
        fetches = f"{{{', '.join(str(10 + i) for i in range(len(u.assignments()) + 1))}}}"
        out += [f'  attempt({k}, "run", [&] {{', "    begin();", f"    s.run(step{feeds});", '    state("run", 0);', "  });",
                f'  attempt({k}, "values", [&] {{', "    begin();",
                f'    write({k}, "values", {fetches}, s.run({given}, a + b * 2_c{feeds}));', '    state("values", 0);', "  });",
                f'  attempt({k}, "bound", [&] {{', "    begin();", f"    auto bound = s.bind(step{feeds});", "    for (int i = 0; i < 3; ++i) bound();",
                '    state("bound", 3);', "  });", "  thread_pool two(2);", "  s.set_executor(&two);", f'  attempt({k}, "threads", [&] {{', "    begin();",
                f"    for (int i = 0; i < 3; ++i) s.run(step{feeds});", '    state("threads", 3);', "  });", "  s.set_executor(nullptr);"]
        return out + ["}", f"}}  // namespace etch::random_update_{k}"]

    def fed(self):
        """What the step reads of what is fed."""
        found, todo = set(), [a.value for a in self.update.assignments()]
        for e in todo:
            found |= set(e.names("fed"))
            todo += [self.update.shared[n] for n in e.names("shared")]
        return found


def check(update, results):
    """[(kind, way, fetch, sentence)] of what is wrong."""
    wrong, (t, letter) = [], DTYPES[update.dtype]
    made = steps(update, 3)
    names = {**{i: f"{n}0" for i, n in enumerate(VARIABLES)}, **{3 + i: f"{n}2" for i, n in enumerate(VARIABLES)},
             **{10 + i: f"{a.name}0" for i, a in enumerate(update.assignments())}}
    before = update.begin["a"] + update.begin["b"] * 2
    for (way, fetch), (extents, size, raw) in results.items():
        if way.startswith("error:"):
            wrong.append(("error", way[6:], fetch, raw.decode(errors="replace")))
            continue
        expected = made[names[fetch]] if fetch in names else before
        got = np.array(struct.unpack(f"={len(raw) // t().itemsize}{letter}", raw), t).reshape(extents)
        if got.shape != expected.shape or not (got == expected).all():
            what = names.get(fetch, "a + b * 2")
            wrong.append(("numbers", way, fetch, f"{what}: {got.tolist()}, should be {expected.tolist()}"))
    if not wrong and len(results) != 13 + len(update.assignments()):
        wrong.append(("results", "", 0, f"{sorted(results)} are there"))
    return wrong


def smaller_updates(update):
    """Without an assignment, without what is beside one, with an operand in the place of an expression."""
    count = len(update.assignments())
    for i in reversed(range(count)):
        other = copy.deepcopy(update)
        gone = other.assignments()[i].name
        other.stages = [left for stage in other.stages if (left := [a for a in stage if a.name != gone])]
        for a in other.assignments():
            a.beside = None if a.beside == gone else a.beside
        if other.stages:
            yield other
        if update.assignments()[i].beside:
            other = copy.deepcopy(update)
            other.assignments()[i].beside = None
            yield other
    for i in range(count):
        for place, part in smaller_expressions(update.assignments()[i].value, update):
            other = copy.deepcopy(update)
            replace(other.assignments()[i], place, copy.deepcopy(part))
            yield other


def smaller_expressions(e, update, place=()):
    """(place, expression of the same extents)."""
    names = {**update.begin, **update.fed, **{n: update.begin["a"] for n in update.shared}}
    shape = value(e, names).shape
    for o in e.operands:
        if value(o, names).shape == shape:
            yield place, o
    for i, o in enumerate(e.operands):
        yield from smaller_expressions(o, update, place + (i,))


def replace(assignment, place, e):
    if not place:
        assignment.value = e
        return
    owner = assignment.value
    for i in place[:-1]:
        owner = owner.operands[i]
    owner.operands[place[-1]] = e
