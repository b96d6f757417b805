# SPDX-License-Identifier: MIT
"""A random graph as C++: one function of its inputs, and the ways in which it is computed."""
import re

from draw_ops import SEED

SESSION_WAYS = ("alone", "together", "reversed", "fed", "threads")
ALL_WAYS = SESSION_WAYS + ("bound", "reference", "eager", "function")


def chosen_ways(g, random):
    """Those that compare fetches with each other in all, one in three of the others."""
    always = ["alone", "together", "reversed", "threads"]
    # Draws of eager evaluations and of a function's calls are others.
    left_out = ("eager", "function") if g.draws() else ()
    chosen = always + [w for w in ALL_WAYS if w not in always and random.random() < 0.4 and w not in left_out]
    return chosen + (["open"] if g.seed % 2 and not left_out and takes_any_extents(g) else [])


# What needs numbers of its operands, or makes extents that are equal to others only where numbers are known.
NEEDS_NUMBERS = re.compile(r"shape<|section|conv|pool|top_k|group_norm|concat|repeat|tile|pad|tri[lu]")


def takes_any_extents(g):
    """Whether it may be traced as a function of arguments of which the compiler knows ranks alone: an extent of 1 is broadcast only where the type
    says so."""
    return not any(n.call and NEEDS_NUMBERS.search(n.call) for n in g.nodes) and not any(e == 1 for n in g.nodes if not n.call for e in n.extents)


def extent(e):
    return f'any<"{e.name}">' if e.name else str(int(e))


class Text:
    """fed: bytes of the operands' file, shared by all graphs of a program."""
    kind = "graph"

    def __init__(self, g, number, fed, ways):
        self.g, self.number, self.fed, self.ways = g, number, fed, ways
        self.names = {id(n): f"{'n' if n.call else 'x'}{i}" for i, n in enumerate(g.nodes)}
        self.inputs = g.inputs()

    def name(self, n):
        return self.names[id(n)]

    def feeds(self, ends, cut=None):
        needed = {id(n) for n in self.g.needed(ends, cut)}
        return [f"{self.name(x)} = {self.name(x)}_data" for x in self.inputs if id(x) in needed]

    def count(self):
        return len(self.g.fetches) + len(self.g.gradients)

    def ends(self, k):
        """What fetch k needs: of a gradient all that its function needs."""
        n = len(self.g.fetches)
        return [self.g.fetches[k if k < n else self.g.gradients[k - n][0]]]

    def run(self, way, order, call="s.run", extra="", cut=None):
        ends = [e for k in order for e in self.ends(k)]
        arguments = [f"e{k}" for k in order] + ([extra] if extra else []) + self.feeds(ends, cut)
        if call == "reference::run" and self.g.draws():
            arguments = [f"reference::draws{{{SEED}}}"] + arguments
        return (f'  attempt({self.number}, "{way}", [&] {{ {self.first_run(call)}write({self.number}, "{way}", {{{", ".join(map(str, order))}}}, '
                f'{call}({", ".join(arguments)})); }});')

    def first_run(self, call):
        """Of draws each way computes the same run."""
        return f"{call[0]}.set_random_state({{{SEED}, 0}}); " if self.g.draws() and call.endswith(".run") else ""

    def call(self, n):
        text = n.call
        for i, o in enumerate(n.operands):
            text = text.replace(f"{{{i}}}", self.name(o))
        return text

    def body(self):
        g = self.g
        lines = []
        for n in g.nodes:
            if n.call:
                lines.append(f"  auto {self.name(n)} = {self.call(n)};")
        last = g.fetches + ([g.fed] if g.fed and "fed" in self.ways else [])
        lines.append(f"  return std::tuple{{{', '.join(self.name(n) for n in last)}}};")
        return lines

    def data(self, x):
        rank, sizes = len(x.extents), ", ".join(str(int(e)) for e in x.extents)
        if rank and x.value.v.size and (x.value.v == 1).all():
            return f"xt::xtensor<{x.dtype}, {rank}>(std::array<std::size_t, {rank}>{{{sizes}}}, 1)"
        # Words keep their alignment.
        while len(self.fed) % 8:
            self.fed.append(0)
        at = len(self.fed)
        self.fed += x.value.rounded().tobytes()
        load = f"load<{x.dtype}, {rank}>({at}, std::array<std::size_t, {rank}>{{{sizes}}})"
        return load if rank else load + "()"

    def text(self):
        g, k = self.g, self.number
        out = [f"namespace etch::random_graph_{k} {{  // seed {g.seed}", "using namespace etch::random_tests;"]
        for x in self.inputs:
            extents = "".join(", " + extent(e) for e in x.extents)
            out.append(f'constexpr placeholder<"{self.name(x)}", {x.dtype}{extents}> {self.name(x)};')
        parameters = ", ".join(f"[[maybe_unused]] auto {self.name(x)}" for x in self.inputs)
        out += [f"constexpr auto f = []({parameters}) {{"] + self.body() + ["};", "void run() {"]
        for x in self.inputs:
            out.append(f"  [[maybe_unused]] const auto {self.name(x)}_data = {self.data(x)};")
        out.append(f"  constexpr auto made = f({', '.join(self.name(x) for x in self.inputs)});")
        for i in range(len(g.fetches)):
            out.append(f"  constexpr auto e{i} = std::get<{i}>(made);")
        for i, (fetch, x, order) in enumerate(g.gradients):
            # Of second order that of squares: what is linear in x has none.
            once, twice = f"gradient(sum(e{fetch}), {self.name(x)})", f"gradient(sum(square(e{fetch})), {self.name(x)})"
            e = self.beside_x(once, self.name(x)) if order == 1 else f"gradient(sum({twice}), {self.name(x)})"
            out.append(f"  constexpr auto e{len(g.fetches) + i} = {e};")
        everything = list(range(self.count()))
        out += [f"  session s({', '.join(f'e{i}' for i in everything)});", "  s.keep_denormals();"]
        for way in self.ways:
            out += getattr(self, "way_" + way)(everything)
        return out + ["}", f"}}  // namespace etch::random_graph_{k}"]

    def beside_x(self, gradient, x):
        """In half of the graphs a kernel reads it together with x: what a gradient is made of may have another shape than it."""
        return f"{gradient} - {x}" if self.g.reads_gradients_beside_x() else gradient

    def way_alone(self, everything):
        return [self.run("alone", [i]) for i in everything]

    def way_together(self, everything):
        return [self.run("together", everything)] if len(everything) > 1 else []

    def way_reversed(self, everything):
        return [self.run("reversed", everything[::-1])] if len(everything) > 1 else []

    def way_threads(self, everything):
        return ["  {", f"    thread_pool several({(2, 3, 7)[self.g.seed % 3]});", "    s.set_executor(&several);", self.run("threads", everything),
                "    s.set_executor(nullptr);", "  }"]

    def way_fed(self, everything):
        g = self.g
        if not g.fed:
            return []
        own = range(len(g.fetches))
        return [f"  constexpr auto inner = std::get<{len(g.fetches)}>(made);",
                f'  attempt({self.number}, "fed", [&] {{',
                f"    session t(inner, {', '.join(f'e{i}' for i in own)});", "    t.keep_denormals();",
                f"    {self.first_run('t.run')}const auto value = t.run({', '.join(['inner'] + self.feeds([g.fed]))});",
                "  " + self.run("fed", list(own), "t.run", "inner = value", g.fed).replace("{", "{", 1), "  });"]

    def way_bound(self, everything):
        feeds = self.feeds([e for i in everything for e in self.ends(i)])
        call = f"s.bind({', '.join([f'e{i}' for i in everything] + feeds)})()"
        return [f'  attempt({self.number}, "bound", [&] {{',
                f"    auto step = {call[:-2]};", f"    {self.first_run('s.run')}auto&& r = step();",
                f'    write({self.number}, "bound", {{{", ".join(map(str, everything))}}}, r);', "  });"]

    def way_reference(self, everything):
        return [self.run("reference", everything, "reference::run")]

    def operands(self):
        return ", ".join(f"tensor<{x.dtype}, {len(x.extents)}>({self.name(x)}_data)" for x in self.inputs)

    def way_eager(self, everything):
        g, k = self.g, self.number
        lines = [f'  attempt({k}, "eager", [&] {{']
        for x in self.inputs:
            lines.append(f"    const tensor<{x.dtype}, {len(x.extents)}> {self.name(x)}_now({self.name(x)}_data);")
        if any(order == 1 for _, _, order in g.gradients):
            lines.append("    tape recorded(persistent);")
        lines.append(f"    const auto y = f({', '.join(self.name(x) + '_now' for x in self.inputs)});")
        for i in range(len(g.fetches)):
            lines.append(f'    write_one({k}, "eager", {i}, std::get<{i}>(y));')
        for i, (fetch, x, order) in enumerate(g.gradients):
            if order == 1:
                name = f"{self.name(x)}_now"
                slope = self.beside_x(f"recorded.gradient(std::get<{fetch}>(y), {name})", name)
                lines.append(f'    write_one({k}, "eager", {len(g.fetches) + i}, {slope});')
        return lines + ["  });"]

    def way_function(self, everything):
        specs = ", ".join(f"tensor_spec<{x.dtype}{''.join(', ' + extent(e) for e in x.extents)}>" for x in self.inputs)
        return self.called("function", f", input_signature<{specs}>")

    def way_open(self, everything):
        """Where no extent is known, sums are added up in another order."""
        return self.called("open", "")

    def called(self, way, signature):
        k = self.number
        lines = [f'  attempt({k}, "{way}", [&] {{', f"    function called(f{signature});",
                 f"    const auto y = called({', '.join(self.name(x) + '_data' for x in self.inputs)});"]
        for i in range(len(self.g.fetches)):
            lines.append(f'    write_one({k}, "{way}", {i}, std::get<{i}>(y));')
        return lines + ["  });"]
