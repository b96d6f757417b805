# SPDX-License-Identifier: MIT
"""The pages of headers: one for each unit of include/etch (a folder, with the header of its name), and for each header of `nn`. What is public is
found there by itself; what users do not call (INTERNAL) has no page."""
import re

from declarations import read_header, summary_of
from render import code, inline

INTERNAL = {"base", "backend", "passes", "schedule"}
BY_HEADER = {"nn"}


def unit_of(header):
    parts = header.removesuffix(".hpp").split("/")[1:]
    return "/".join(parts[:2]) if parts[0] in BY_HEADER and len(parts) > 1 else parts[0]


def read_units(include):
    """unit -> [(header, what it is about, declarations)], and all declarations."""
    units, all_of_them = {}, []
    for path in sorted(include.rglob("*.hpp")):
        header = str(path.relative_to(include))
        declarations = read_header(path, header)
        add_rules(declarations, path.read_text())
        all_of_them += declarations
        unit = unit_of(header)
        shown = [d for d in declarations if d.kind != "macro" or d.comment]
        if unit.split("/")[0] not in INTERNAL and (shown or summary_of(path)):
            units.setdefault(unit, []).append((header, summary_of(path), shown))
    return {u: h for u, h in units.items() if any(d.comment for _, _, found in h for d in found)}, all_of_them


def add_rules(declarations, text):
    """Gradient rules that stand behind their class: `void subtract::vjp(...) {...}`."""
    rules = dict(re.findall(r"void (\w+)::vjp\(const gradient_rule<V>&(?: r)?\) \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL))
    for d in declarations:
        d.rule = re.sub(r"^  ", "", rules.get(d.name, "").rstrip("\n"), flags=re.MULTILINE)


def anchor(d, seen):
    name = re.sub(r"\W+", "_", d.name).strip("_") or "operator"
    count = seen[name] = seen.get(name, -1) + 1
    return f"{name}-{count}" if count else name


def grouped(declarations):
    """Overloads that stand one behind the other."""
    groups = []
    for d in declarations:
        if groups and groups[-1][0].name == d.name and groups[-1][0].kind == d.kind == "function":
            groups[-1].append(d)
        else:
            groups.append([d])
    return groups


def described(group, level, name, source_link):
    d = group[0]
    space = f"{d.namespace}::" if level == 3 else ""
    head = f'<h{level} id="{name}"><span class=space>{space}</span>{inline(d.name)}</h{level}>'
    text = "".join(f"<p>{inline(x.comment)}</p>" for x in group if x.comment)
    place = f"<p class=note>{source_link(d.header, d.line)}</p>" if level == 3 else ""
    return f'<section class="declared">{head}{code(chr(10).join(x.signature + ";" for x in group), "cpp")}{text}{place}</section>'


def page_of(unit, headers, source_link):
    """(HTML, [(anchor, name, comment)])."""
    parts, index, seen = [f"<h1>{unit.replace('/', '::')}</h1>"], [], {}
    for header, about, declarations in headers:
        shown = [d for d in declarations if d.comment or d.kind == "function" or any(m.comment for m in d.members)]
        if not shown and not about:
            continue
        parts.append(f'<h2 id="{re.sub(chr(92) + "W+", "_", header)}">{source_link(header)}</h2>')
        if about:
            parts.append(f"<p>{inline(about)}</p>")
        for group in grouped(shown):
            name = anchor(group[0], seen)
            index.append((name, group[0].name, " ".join(d.comment for d in group)))
            parts.append(described(group, 3, name, source_link))
            for members in grouped([m for m in group[0].members if m.comment or m.kind == "function" and m.name != "operator="]):
                if not any(m.comment for m in members) and not group[0].comment:
                    continue
                member = anchor(members[0], seen)
                if any(m.comment for m in members):
                    index.append((member, f"{group[0].name}::{members[0].name}", " ".join(m.comment for m in members)))
                parts.append('<div class="member">' + described(members, 4, member, source_link) + "</div>")
    return "\n".join(parts), index
