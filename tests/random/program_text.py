# SPDX-License-Identifier: MIT
"""A random program as C++."""
from programs import names_read

FORMS = {"tanh": "etch::tanh({})", "sin": "etch::sin({})", "cos": "etch::cos({})", "sigmoid": "sigmoid({})", "half": "({} * 0.5_c)",
         "negative": "(-{})", "soft": "etch::sqrt(1_c + square({}))", "max": "maximum({}, {})", "min": "minimum({}, {})", "sum": "sum({})",
         "where": "where({}, {}, {})", "<": "({} < {})", ">": "({} > {})", "+": "({} + {})", "-": "({} - {})", "*": "({} * {})",
         "turned": "roll<1>({}, axis<0>)", "softmax": "softmax({}, axis<0>)", "cumsum": "cumsum({}, axis<0>)", "dot": "matmul({}, {})",
         "outer": "outer({}, {})", "window": "concat(axis<0>, slice({}, section<1, 3>), slice({}, section<0, 1>))",
         "second": "reshape(slice({}, section<1, 2>), shape<>{{}})", "largest": "etch::max({})"}


class Text:
    kind = "program"

    def __init__(self, program, number, ways):
        self.program, self.number, self.ways, self.functions = program, number, ways, []

    def literal(self, text):
        return f"(-{text[1:]}_c)" if text[0] == "-" else text + "_c"

    def expression(self, node, at):
        kind, more = node.kind, node.more
        if kind == "name":
            return more["name"]
        if kind == "number":
            return self.literal(more["text"])
        if kind == "variable":
            return more["name"]
        operands = [self.expression(o, at) for o in node.operands]
        if kind in FORMS:
            return FORMS[kind].format(*operands)
        if kind == "read":
            return f'host_call<"read">(read, literal<{more["tag"]}>, {operands[0]})'
        if kind == "note":
            return f'host_call<"note">(note, literal<{more["tag"]}>, {operands[0]})'
        if kind in ("assign", "assign_add"):
            return f"{kind}({more['name']}, {operands[0]})"
        if kind == "after":
            return f"after({operands[0]}, {operands[1]})"
        return getattr(self, "text_" + kind)(node, operands[0], at + 1)

    def body(self, block, at, first=()):
        """Between the braces of a function: the last line gives the result."""
        pad = "  " * at
        lines = [pad + line for line in first]
        for name, node, _ in block.definitions:
            lines.append(f"{pad}[[maybe_unused]] auto {name} = {self.expression(node, at)};")
        return "\n".join(lines), self.expression(block.results[0], at)

    def function(self, parameters, block, at, first=(), form="{}", captures="="):
        lines, result = self.body(block, at + 1, first)
        p = ", ".join(f"[[maybe_unused]] auto {p}" for p in parameters)
        pad = "  " * at
        return f"[{captures}]({p}) {{\n{lines}\n{pad}  return {form.format(result)};\n{pad}}}"

    def text_cond(self, node, p, at):
        a, b = (self.function([], b, at) for b in node.more["blocks"])
        return f"cond({p}, {a}, {b})"

    def text_switch(self, node, p, at):
        return f"switch_case(astype<std::int32_t>({p}), {', '.join(self.function([], b, at) for b in node.more['blocks'])})"

    def anchor(self, node):
        return [f"[[maybe_unused]] auto {node.more['anchor']} = sum({node.more['state']});"] if node.size == 3 else []

    def text_for_range(self, node, start, at):
        m = node.more
        index = [f"[[maybe_unused]] auto {m['element']} = astype<double>({m['element']}_at);"]
        f = self.function([m["element"] + "_at", m["state"]], m["blocks"][0], at, self.anchor(node) + index)
        return f"for_range<{m['count']}>({f}, {start})"

    def text_scan(self, node, start, at):
        m = node.more
        block, first = m["blocks"][0], self.anchor(node)
        lines, result = self.body(block, at + 1, first)
        pad = "  " * at
        gives = f"const auto next = {result};\n{pad}  return std::pair{{next, next}};" if m["outputs"] else f"return {result};"
        f = f"[=]([[maybe_unused]] auto {m['state']}, [[maybe_unused]] auto {m['element']}) {{\n{lines}\n{pad}  {gives}\n{pad}}}"
        call = f"scan({f}, {start}, xs{', reverse' if m['reverse'] else ''}{', etch::recompute' if m['recompute'] else ''})"
        return f"both({call})" if m["outputs"] else call

    def text_while(self, node, start, at):
        m = node.more
        s = m["state"]
        f = self.function([s], m["blocks"][0], at, self.anchor(node), f"{s} + etch::sqrt(1_c + square({{}}))")
        bound = f"<{m['bound']}>" if m["bound"] else ""
        return f"while_loop{bound}([=](auto {s}) {{ return sum({s}) < {self.literal(m['limit'])}; }}, {f}, {start})"

    def text_repeat(self, node, start, at):
        m = node.more
        s = m["state"]
        w = f'[[maybe_unused]] auto {s}w = variable<in / "w">(full<double>(shape<>{{}}, 0.5_c));'
        return f'repeat<{m["count"]}, "{m["name"]}">({self.function(["in", s], m["blocks"][0], at, [w])}, {start})'

    def text_recompute(self, node, start, at):
        block = node.more["blocks"][0]
        return f"etch::recompute({self.function([block.parameters[0][0]], block, at)}, {start})"

    def text_call(self, node, start, at):
        block = node.more["blocks"][0]
        self.functions.append(f"constexpr auto {node.more['name']}_body = {self.function([block.parameters[0][0]], block, 0, captures='')};")
        self.functions.append(f"function {node.more['name']}({node.more['name']}_body);")
        return f"{node.more['name']}({start})"

    def text(self):
        p, k = self.program, self.number
        body = self.function(["x", "y", "v", "xs"], p.body, 0, captures="")
        i = p.inputs
        values = [str(i["x"]), str(i["y"]), "xt::xtensor<double, 1>{" + ", ".join(map(str, i["v"])) + "}",
                  "xt::xtensor<double, 1>{" + ", ".join(map(str, i["xs"])) + "}"]
        out = [f"namespace etch::random_program_{k} {{  // seed {p.seed}", "using namespace etch::random_tests;"]
        out += [f'constexpr auto {c} = variable<"{c}">(zeros<double>(shape<>{{}}));' for c in p.variables]
        out += self.functions + [f"constexpr auto f = {body};", 'constexpr placeholder<"x", double> x;', 'constexpr placeholder<"y", double> y;',
                                 'constexpr placeholder<"v", double, 3> v;', 'constexpr placeholder<"xs", double, any<"n">> xs;',
                                 "void run() {", "  const auto e0 = f(x, y, v, xs);"]
        if p.style != "effects":
            out += ["  const auto e1 = gradient(e0, x);", "  const auto e2 = gradient(e1, x);"]
        for n, value in zip("x y v xs".split(), values):
            out.append(f"  [[maybe_unused]] const auto {n}_data = {value};")
        for way in self.ways:
            out += getattr(self, "way_" + way)(p.style != "effects")
        return out + ["}", f"}}  // namespace etch::random_program_{k}"]

    FEEDS = "x = x_data, y = y_data, v = v_data, xs = xs_data"

    def feeds(self):
        """Of what the results need."""
        names = names_read(self.program.body)
        return ", ".join(f"{n} = {n}_data" for n in "x y v xs".split() if n in names)

    def one(self, way, session, fetches, call="{}.run"):
        k = self.number
        variables = ", ".join(f"{session}.get({c})" for c in self.program.variables)
        state = [f'    write(k, "{way}", {{100}}, xt::xtensor<double, 1>{{{variables}}});'] if self.program.variables and "{}" in call else []
        return [f'  attempt({k}, "{way}", [&] {{', f"    [[maybe_unused]] const int k = {k};", "    notes.clear();",
                f'    write(k, "{way}", {{{", ".join(map(str, fetches))}}},',
                f'          {call.format(session)}({", ".join(f"e{i}" for i in fetches)}, {self.feeds()}));',
                f'    write_notes(k, "{way}");'] + state + ["  });"]

    def session(self, name, fetches):
        return [f"  session {name}({', '.join(f'e{i}' for i in fetches)});", f"  {name}.initialize(1);"]

    def way_alone(self, gradients):
        if not gradients:
            return self.session("s", [0]) + self.one("alone", "s", [0]) + self.one("again", "s", [0])
        return self.session("s", [0, 1, 2]) + [line for i in range(3) for line in self.one("alone", "s", [i])]

    def way_together(self, gradients):
        return self.one("together", "s", [0, 1, 2]) if gradients else []

    def way_threads(self, gradients):
        fetches = [0, 1, 2] if gradients else [0]
        return ["  thread_pool two(2);"] + self.session("t", fetches) + ["  t.set_executor(&two);"] + self.one("threads", "t", fetches)

    def way_reference(self, gradients):
        if self.program.variables or "repeat<" in "".join(self.text_of_all()):
            return []
        return self.one("reference", "", [0, 1, 2] if gradients else [0], "reference::run")

    def text_of_all(self):
        text = self.function(["x", "y", "v", "xs"], self.program.body, 0, captures="") + "".join(self.functions)
        self.functions = []
        return text

    def way_function(self, gradients):
        k = self.number
        return [f'  attempt({k}, "function", [&] {{', "    notes.clear();", "    function called(f);",
                f'    write_one({k}, "function", 0, called(x_data, y_data, v_data, xs_data));', f'    write_notes({k}, "function");', "  });"]
