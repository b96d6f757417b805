# SPDX-License-Identifier: MIT
"""A random program of strings as C++, in each way that it runs."""
from text_values import FED

HOST = {"text": "std::string", "int": "std::int32_t", "bool": "bool", "float": "float"}
FORMS = {"length": "strings::length({})", "to_number": "strings::to_number<std::int32_t>({})", "as_string": "strings::as_string({})", "==": "({} == {})",
         "!=": "({} != {})", "<": "({} < {})", "+": "({} + {})", "-": "({} - {})", "*": "({} * {})", "maximum": "maximum({}, {})",
         "where": "where({}, {}, {})", "sum": "sum({})", "upper": 'host_call<"upper", std::string>(upper, {})',
         "tally": 'host_call<"tally", std::int32_t>(tally, {}, {})'}


def quoted(text):
    """Bytes as a literal: those that are no plain letters in octal digits."""
    return '"' + "".join(chr(c) if chr(c).isalnum() and c < 128 or c == 32 else f"\\{c:03o}" for c in text) + '"'


def string(text):
    return f"std::string({quoted(text)}, {len(text)})"


def strings(texts):
    return f"std::vector<std::string>{{{', '.join(map(string, texts))}}}"


def expression(node):
    m = node.more
    if node.kind == "name":
        return m["name"]
    if node.kind == "constant":
        return quoted(m["value"]) + "_c"
    if node.kind == "number":
        return f"{m['value']}_c"
    operands = [expression(o) for o in node.operands]
    bodies = [expression(b) for b in m.get("bodies", [])]
    locals_ = ", ".join(f"[[maybe_unused]] auto {n}" for n in m.get("locals", []))
    if node.kind == "join":
        return f"({' + '.join(operands)})" if m["between"] == b"" and len(operands) == 2 else f"strings::join<{quoted(m['between'])}>({', '.join(operands)})"
    if node.kind == "concat":
        return f"strings::concat(axis<{m['axis']}>, {', '.join(operands)})"
    if node.kind == "cond":
        return f"cond({operands[0]}, [=] {{ return {bodies[0]}; }}, [=] {{ return {bodies[1]}; }})"
    if node.kind == "for_range":
        return f"for_range<{m['count']}>([=]({locals_}) {{ return {bodies[0]}; }}, {operands[0]})"
    if node.kind == "while_loop":
        state = m["locals"][0]
        return f"while_loop([](auto {state}) {{ return strings::length({state}) < {m['limit']}_c; }}, [=]({locals_}) {{ return {bodies[0]}; }}, {operands[0]})"
    if node.kind == "scan":
        return f"std::get<{int(m['outputs'])}>(scan([=]({locals_}) {{ return std::pair{{{bodies[0]}, {bodies[1]}}}; }}, {', '.join(operands)}))"
    return FORMS[node.kind].format(*operands)


def extents(shape):
    return "".join(f', any<"{e}">' if isinstance(e, str) else f", {e}" for e in shape)


class Text:
    kind = "texts"

    def __init__(self, program, number):
        self.program, self.number = program, number

    def data(self, name):
        """A value of the host."""
        (type_, shape), value = FED[name], self.program.fed[name]
        if type_ != "text":
            numbers = ", ".join(map(str, value.flat)) if shape else str(value).lower()
            return f"xt::xtensor<std::int32_t, 1>{{{numbers}}}" if shape else f"{HOST[type_]}({numbers})"
        if len(shape) == 2:
            return f"tensor<std::string, 2>({{{value.shape[0]}, 1}}, {strings(value.flat)})"
        return strings(value.flat) if shape else string(value.item())

    def as_tensor(self, name):
        type_, shape = FED[name]
        if type_ == "text":
            return f"tensor<std::string, {len(shape)}>({name}_data)"
        return f"tensor<{HOST[type_]}, {len(shape)}>({name}_data)"

    def signature(self):
        """Where an extent of 1 is broadcast the type has to say so; of every other program, too."""
        def broadcasts(node):
            return node.shape == ("m", "n") or any(map(broadcasts, node.parts()))
        if self.program.seed % 2 and not any(broadcasts(e) for _, e in self.program.statements):
            return ""
        return f", input_signature<{', '.join(f'tensor_spec<{HOST[t]}{extents(s)}>' for t, s in FED.values())}>"

    def feeds(self, names):
        """Of what statements of these names need."""
        statements, needed, todo = dict(self.program.statements), set(), list(names)
        while todo:
            name = todo.pop()
            if name in FED:
                needed.add(name)
            elif name in statements:
                todo += statements[name].names()
        return "".join(f", {n} = {n}_data" for n in FED if n in needed)

    def text(self):
        p, k = self.program, self.number
        names = [n for n, _ in p.statements]
        said, before = [], None
        for i, n in enumerate(p.said):
            said.append(f"  [[maybe_unused]] auto said{i} = print({f'after({n}, {before})' if before else n});")
            before = f"said{i}"
        parameters = ", ".join(f"[[maybe_unused]] auto {n}" for n in FED)
        results = names + ([before] if before else [])
        out = ["#include <random/texts.hpp>", f"namespace etch::random_texts_{k} {{  // seed {p.seed}", "using namespace etch::random_tests;",
               f"constexpr auto made = []({parameters}) {{", *(f"  [[maybe_unused]] auto {n} = {expression(e)};" for n, e in p.statements), *said,
               f"  return std::tuple{{{', '.join(results)}}};", "};"]
        for n, (type_, shape) in FED.items():
            out.append(f'constexpr placeholder<"{n}", {HOST[type_]}{extents(shape)}> {n};')
        out += [f"constexpr auto all = made({', '.join(FED)});", *(f"constexpr auto {n} = std::get<{i}>(all);" for i, n in enumerate(results))]
        out += ["void run() {", *(f"  [[maybe_unused]] const auto {n}_data = {self.data(n)};" for n in FED), f"  session runs({', '.join(results)});"]
        fetches = f"{{{', '.join(map(str, range(len(results))))}}}"
        feeds = self.feeds(names)
        for i, n in enumerate(results):
            needed = self.feeds(p.said if n.startswith("said") else [n])
            out.append(f'  write_texts({k}, "alone{i}", {{{i}}}, [&] {{ return runs.run({n}{needed}); }});')
        together = f"runs.run({', '.join(results)}{feeds})"
        out += [f'  write_texts({k}, "together", {fetches}, [&] {{ return {together}; }});',
                f'  write_texts({k}, "again", {fetches}, [&] {{ return {together}; }});',
                f"  auto bound = runs.bind({', '.join(results)}{feeds});",
                *[f'  write_texts({k}, "{way}", {fetches}, [&] {{ return bound(); }});' for way in ("bound", "bound_again")],
                f'  write_texts({k}, "eager", {fetches}, [&] {{ return made({", ".join(map(self.as_tensor, FED))}); }});',
                f"  function called(made{self.signature()});",
                f'  write_texts({k}, "function", {fetches}, [&] {{ return called({", ".join(map(self.as_tensor, FED))}); }});']
        return out + ["}", f"}}  // namespace etch::random_texts_{k}"]
