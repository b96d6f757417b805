# SPDX-License-Identifier: MIT
"""The pages of ops: what docs/ops.md lists, with declarations and gradient rules out of the headers, the calls that tests/alone compiles, and the
examples of tests/docs/op_examples_*.cpp with what they give."""
import re
from dataclasses import dataclass, field

from declarations import behind_bracket
from render import code, inline

BROADCASTS = ("Operands broadcast as in NumPy: shapes are aligned at their last axes, an extent of 1 is repeated, missing axes are new ones in "
              "front. They meet in their common dtype ({concepts}).")
SAME_SHAPE = "The result has the shape of x."
REDUCED = ("Named axes are gone from the result: <code>{name}(x, axis&lt;0, -1&gt;)</code>; without any, all are. With <code>keep_dims</code> "
           "they stay with extent 1.")
SPECIAL = re.compile(r"\bNaN|\binf\b|infinit|-0\b|of nothing|outside|negative|overflow|clamped|\bmasked|\bby 0\b|wrap around|unspecified|\bequal")
SHAPE = re.compile(r"\bshapes?\b|\bax[ei]s\b|\bextents?\b|\(batch|\(\.\.\.|row|column|called as")


@dataclass
class Op:
    name: str  # with `nn::` where it has it
    call: str
    section: str
    text: str
    operands: str = ""
    dtypes: str = ""
    gradient: str = ""
    declarations: list = field(default_factory=list)

    @property
    def file(self):
        return f"ops/{self.name.replace('::', '.')}.html"


def cells_of(line):
    return [c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line.strip()[1:-1])]


def read_ops(page):
    """The ops of docs/ops.md, each text put together again with its line below the table."""
    ops, section, notes = [], "", {}
    for line in page.read_text().splitlines():
        if line.startswith("## "):
            section = line[3:]
        elif line.startswith("| `"):
            cells = cells_of(line)
            call = cells[0].strip("`")
            op = Op(re.match(r"[\w:]+", call)[0], call, section, cells[-1])
            if len(cells) == 5:
                op.operands, op.dtypes, op.gradient = cells[1:4]
            ops.append(op)
        elif match := re.match(r"- `([\w:]+)`: (.*)", line):
            notes.setdefault((section, match[1]), []).append(match[2])
    for op in ops:
        note = notes.get((op.section, op.name), [])
        if op.text.endswith(" *") and note:
            op.text = op.text[:-2] + " " + note.pop(0)
    by_name = {}
    for op in ops:
        # What stands in two tables (an op, and the function that calls it) is one page, that of the function.
        by_name[op.name] = op if op.name not in by_name else merged(by_name[op.name], op)
    return list(by_name.values())


def merged(op, function):
    function.operands, function.dtypes, function.gradient = op.operands, op.dtypes, op.gradient
    function.text += " " + op.text
    return function


def sentences_of(text):
    return [s for s in re.split(r"(?<=\.)\s+(?=[A-Z`-])", text) if s]


def read_examples(root):
    """(operand's name -> its line, op's name -> [(call, what it gives)])."""
    text = (root / "tests/docs/op_operands.hpp").read_text()
    lines = re.finditer(r"^const(?:expr)? (?:etch::(?:tensor|placeholder)<[^;=]*>|auto) (\w+)(?: =\s.*?)?;$", text, re.MULTILINE | re.DOTALL)
    operands = {m[1]: m[0] for m in lines}
    examples = {}
    for file in sorted((root / "tests/golden").glob("op_examples_*.txt")):
        for block in re.split(r"\n\n+(?=etch::)", file.read_text().strip()):
            call, value = block.split("\n", 1)
            name = re.match(r"etch::(?:to_text\(etch::)?((?:nn::)?\w+)", call)[1]
            # What no program calls by its name is shown in the graphs of others.
            inner = [n for n in re.findall(r"= (iota|constant|size_of) ", value)]
            for name in dict.fromkeys([{"astype": "cast"}.get(name, name), *inner]):
                examples.setdefault(name, []).append((call, value.rstrip()))
    return operands, examples


def read_calls(root):
    """Lines of tests/alone/calls.txt: (is there a gradient, the call)."""
    lines = (root / "tests/alone/calls.txt").read_text().splitlines()
    return [line.split(" ", 1) for line in lines if re.match(r"(value|gradient) ", line)]


def calls_with(name, calls):
    short = name.split("::")[-1]
    found = [call for _, call in calls if re.search(rf"(?<![\w:]){re.escape(name)}[(<]", call)]
    begins = [c for c in found if c.startswith(name)]
    return (begins or found or [c for _, c in calls if re.search(rf"(?<!\w){short}[(<]", c)])[:6]


def rule_of(declarations):
    """The gradient's rule: the body of `vjp`, as it is written."""
    for d in declarations:
        match = re.search(r"void (?:\w+::)?vjp\(const gradient_rule<V>&(?: r)?\) \{", d.body)
        if match:
            body = d.body[match.end() - 1:behind_bracket(d.body, match.end() - 1)]
            return re.sub(r"^    ", "", body[1:-1].strip("\n"), flags=re.MULTILINE).rstrip()
        if d.rule:
            return d.rule
    return ""


def bullets(texts):
    return "<ul>" + "".join(f"<li>{inline(t)}</li>" for t in texts) + "</ul>"


def page_of(op, operands, examples, calls, includes, source_link):
    first, *said = sentences_of(op.text)
    # What the first sentence says behind a semicolon is mostly about special values.
    special = [s for s in [*first.split("; ")[1:], *said] if SPECIAL.search(s) and "gradient" not in s]
    about_gradient = [s for s in said if "gradient" in s.lower()]
    attributes = [s for s in said if s.startswith("Attribute")]
    shapes = [s for s in said if SHAPE.search(s) and s not in attributes + special + about_gradient]
    rest = [s for s in said if s not in special + about_gradient + attributes + shapes]
    space = "etch::nn" if op.name.startswith("nn::") else "etch"
    own, other = examples.get(op.name, [])[:3], calls_with(op.name, calls)
    has_gradient = any(kind == "gradient" and call in other for kind, call in calls)
    said_call = re.search(rf"`({re.escape(op.name)}[(<][^`]*)`", op.text)
    shown_call = own[0][0].removeprefix("etch::") if own and not own[0][0].startswith("etch::to_text") else other[0] if other else op.name
    call = op.call if "(" in op.call else said_call[1] if said_call else shown_call
    parts = [f"<h1>{op.name}</h1>", f"<p>{inline(' '.join([first, *rest]))}</p>"]

    is_function = op.section == "Composites"
    kind = "function of ops" if is_function else "op" if op.section == "Others" else "op: " + op.section.lower()
    rows = [("call", f"<code>{inline('etch::' + call)}</code>"), ("kind", kind),
            ("operands", inline(op.operands)), ("dtypes", inline(op.dtypes) or "those of the ops that it is made of"),
            ("gradient", inline(op.gradient) or ("yes" if has_gradient else "no"))]
    headers = sorted({d.header for d in op.declarations})
    rows.append(("include", ", ".join(source_link(h) for h in sorted({includes[h] for h in headers}))))
    rows.append(("declared in", ", ".join(source_link(h) for h in headers)))
    parts.append('<div class="table"><table>' + "".join(f"<tr><th>{a}</th><td>{b}</td></tr>" for a, b in rows if b) + "</table></div>")

    parts.append('<h2 id="example">Example</h2>')
    if own:
        used = [line for name, line in operands.items() if any(re.search(rf"(?<![\w:<]){name}(?![\w(:])", call) for call, _ in own)]
        parts.append(code("\n".join(used + [call + ";" for call, _ in own]), "cpp") + "<p>gives</p>"
                     + code("\n".join(value for _, value in own), "text"))
        parts.append("<p class=note>Compiled, run and compared by <code>tests/docs</code>.</p>")
    if other:
        parts.append("<p>Calls of expressions that <code>tests/alone</code> compiles; x and y are float (4, 6), b is bool, i int32 of that shape:</p>"
                     + code("\n".join("etch::" + c if re.match(re.escape(op.name), c) else c for c in other), "cpp"))

    parts.append('<h2 id="shapes">Shapes and dtypes</h2>')
    if op.section == "Elementwise":
        link = '<a href="../concepts.html">concepts</a>'
        parts.append(f"<p>{SAME_SHAPE if op.operands == '1' else BROADCASTS.format(concepts=link)}</p>")
    elif op.section == "Reductions":
        parts.append(f"<p>{REDUCED.format(name=op.name)}</p>")
    elif not shapes:
        parts.append("<p>The example's result shows its shape and dtype.</p>" if own else "<p>As the ops that it is made of.</p>")
    if shapes:
        parts.append(bullets(shapes))
    if attributes:
        parts.append(bullets(attributes))
    if special:
        parts.append('<h2 id="special">Special values</h2>' + bullets(special))
    rule = rule_of(op.declarations)
    if about_gradient or rule or op.gradient == "no":
        parts.append('<h2 id="gradient">Gradient</h2>')
        if op.gradient == "no":
            parts.append("<p>There is none: asking for it is a compile error.</p>")
        if about_gradient:
            parts.append(bullets(about_gradient))
        if rule:
            parts.append("<p>The rule, as it is written: <code>r.dy</code> is the gradient of the result, <code>r.x</code> the operands, "
                         "<code>r.y</code> the result, <code>r.dx</code> what the operands get.</p>" + code(rule, "cpp"))
    functions = [d for d in op.declarations if d.kind in ("function", "variable")]
    if functions:
        parts.append('<h2 id="declaration">Declarations</h2>' + code("\n\n".join(f"// namespace {space}\n{d.signature};" for d in functions), "cpp"))
    return "\n".join(parts)


def find_declarations(ops, declarations):
    """Gives each op the functions, objects and classes of its name, and the class that has it as its name in graphs."""
    by_name = {}
    for d in declarations:
        if d.namespace in ("etch", "etch::nn") and re.match(r"etch/(ops|core|nn|convolution)", d.header):
            by_name.setdefault((d.namespace, d.name), []).append(d)
            named = re.search(r'name = "(\w+)";', d.body) if d.kind == "class" else None
            if named and named[1] != d.name:
                by_name.setdefault((d.namespace, named[1]), []).append(d)
    for op in ops:
        space, _, name = op.name.rpartition("::")
        op.declarations = by_name.get(("etch::nn" if space else "etch", name), [])
