# SPDX-License-Identifier: MIT
"""The pages of headers: one for each unit of include/etch (a folder, with the header of its name), and for each header of `nn`. What is public is
found there by itself; what users do not call (INTERNAL) has no page."""
import re

from declarations import INTERNAL, read_header, summary_of
from render import code, comment_html, inline

CODE = re.compile(r"^```\w*\n(.*?)^```|`([^`\n]+)`", re.MULTILINE | re.DOTALL)

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


def what_to_include(include):
    """header -> the header of programs that brings it: <etch/etch.hpp>, else another one beside it, the one that adds the least to that."""
    included = {str(p.relative_to(include)): re.findall(r"#include <(etch/[^>]+)>", p.read_text()) for p in include.rglob("*.hpp")}

    def brought(header):
        all_of_them, waiting = set(), [header]
        while waiting:
            h = waiting.pop()
            if h not in all_of_them:
                all_of_them.add(h)
                waiting += included.get(h, [])
        return all_of_them

    sets = {h: brought(h) for h in included if h.count("/") == 1}
    order = sorted(sets, key=lambda h: (h != "etch/etch.hpp", len(sets[h] - sets["etch/etch.hpp"]), h))
    return {h: next((p for p in order if h in sets[p]), h) for h in included}


class Guides:
    """What the code of these pages names."""

    def __init__(self, texts):
        self.names, self.calls = set(), set()
        for text in texts:
            for block, span in CODE.findall(text):
                self.names |= {name.removeprefix("etch::") for name in re.findall(r"(?<![\w:.])(?:\w+::)*\w+", block or span)}
                self.calls |= set(re.findall(r"^(\w+)(?:$|[(<])", span))

    def name(self, d):
        """By its namespace, or at the beginning of code in a text: `adam(rate)`. A class is named by three of its functions, too."""
        if sum(m.name in self.calls for m in d.members if m.comment) >= 3:
            return True
        name = re.sub(r"^basic_|_(layer|optimizer)$", "", d.name)
        inner = d.namespace.removeprefix("etch").removeprefix("::").split("::")[-1]
        return name in self.calls and inner != "eager" or (f"{inner}::{name}" if inner else name) in self.names


def add_rules(declarations, text):
    """Gradient rules that stand behind their class: `void subtract::vjp(...) {...}`."""
    rules = dict(re.findall(r"void (\w+)::vjp\(const gradient_rule<V>&(?: r)?\) \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL))
    for d in declarations:
        d.rule = re.sub(r"^  ", "", rules.get(d.name, "").rstrip("\n"), flags=re.MULTILINE)


def anchor(d, seen):
    name = re.sub(r"\W+", "_", d.name).strip("_") or "operator"
    count = seen[name] = seen.get(name, -1) + 1
    return f"{name}-{count}" if count else name


def lend_comments(declarations):
    """What is of a class that has a comment says the same: `dense` of `dense_layer`, `sgd(rate)` of `sgd_optimizer`."""
    classes = {d.name: d for d in declarations if d.kind == "class" and d.comment}
    for d in declarations:
        if not d.comment and d.kind in ("function", "variable"):
            of = next((classes[w] for w in re.findall(r"\w+", d.signature + " " + d.body) if w in classes), None)
            if of and of.name.startswith(d.name):
                d.comment = of.comment


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
    text = "".join(comment_html(x.comment) for x in group if x.comment)
    place = f"<p class=note>{source_link(d.header, d.line)}</p>" if level == 3 else ""
    return f'<section class="declared">{head}{code(chr(10).join(x.signature + ";" for x in group), "cpp")}{text}{place}</section>'


def page_of(unit, headers, guides, source_link):
    """(HTML, [(anchor, name, comment)]). What the guides do not name is folded up."""
    # What the unit is called after comes first.
    last = unit.split("/")[-1]
    headers = sorted(headers, key=lambda h: (h[0] != f"etch/{unit}.hpp", not h[0].endswith(f"/{last}.hpp"), h[0]))
    parts, folded, index, seen, names = [], [], [], {}, {}
    for header, about, declarations in headers:
        lend_comments(declarations)
        shown = [d for d in declarations
                 if d.comment or d.kind == "function" or any(m.comment for m in d.members) or (d.kind == "variable" and guides.name(d))]
        if not shown and not about:
            continue
        head = f'<h2 id="{re.sub(chr(92) + "W+", "_", header)}">{source_link(header)}</h2>' + (f"<p>{inline(about)}</p>" if about else "")
        mine = []
        for group in grouped(shown):
            d = group[0]
            name = anchor(d, seen)
            index.append((name, d.name, " ".join(x.comment for x in group)))
            text = [described(group, 3, name, source_link)]
            for members in grouped([m for m in d.members if m.comment or m.kind == "function" and m.name != "operator="]):
                member, comment = anchor(members[0], seen), " ".join(m.comment for m in members)
                if comment:
                    index.append((member, f"{d.name}::{members[0].name}", comment))
                if comment or d.comment:
                    text.append('<div class="member">' + described(members, 4, member, source_link) + "</div>")
            if guides.name(d) or d.kind == "macro":
                names.setdefault(d.name, name)
                mine += text
            else:
                folded += text
        if mine:
            parts += [head, *mine]
    if folded:
        parts.append("<details class=folded><summary>What guides do not name</summary>" + "\n".join(folded) + "</details>")
    entries = "".join(f'<li><a href="#{name}">{inline(text)}</a></li>' for text, name in names.items())
    return f"<h1>{unit.replace('/', '::')}</h1>\n<ul class=names>{entries}</ul>\n" + "\n".join(parts), index
