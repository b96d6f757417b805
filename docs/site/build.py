#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""docs/site/build.py OUT
Builds the site, and follows its links: the Markdown pages of docs/, a page for each op and each unit of headers, the sources that pages link to,
and a search that needs no network. OUT is written anew: it is a site, empty, or not there. Any other folder is left as it is: status 2. tools/docs
calls it, where python3-markdown and python3-pygments are installed; elsewhere it ends with status 77. By Debian's own Python, which sees its
packages."""
import html
import json
import posixpath
import re
import shutil
import sys
from pathlib import Path

import links


def folder_of(arguments):
    """The folder that is named, which holds nothing but a site that was made before."""
    if len(arguments) != 1 or not arguments[0]:
        print("docs/site/build.py OUT", file=sys.stderr)
        sys.exit(2)
    out = Path(arguments[0]).resolve()
    is_site = not out.exists() or out.is_dir() and ((out / INDEX).exists() or not any(out.iterdir()))
    if not is_site:
        print(f"docs/site/build.py: {out} holds what is no site, and would be removed; name another folder", file=sys.stderr)
        sys.exit(2)
    return out


INDEX = "search_index.js"
OUT = folder_of(sys.argv[1:])
try:
    import ops
    import reference
    from render import file_code, inline, page_of_markdown, write_page
except ModuleNotFoundError as missing:
    print(f"docs/site/build.py: {missing}")
    sys.exit(77)

SITE = Path(__file__).resolve().parent
ROOT = SITE.parents[1]
# The order of the menu; pages that are not named come behind, by their titles.
FIRST = {
    "Begin": ["README", "tutorial", "side_by_side", "install", "concepts", "how_it_works", "glossary"],
    "Guides": ["models", "data", "data_formats", "training", "checkpoints", "watching", "sessions", "eager", "functions", "control_flow",
               "convolution",
               "names", "strings", "threads", "int8", "many_files", "flags"],
    "About": ["performance", "performance_reasons", "accuracy", "design", "adding_an_op", "features", "errors", "CONTRIBUTING", "CHANGELOG"],
}


def row(path, name, text):
    """Of a table of pages beside this one: name, and the first sentence."""
    first = inline(ops.sentences_of(text)[0]) if text else ""
    return f'<tr><td><a href="{posixpath.basename(path)}">{name}</a></td><td>{first}</td></tr>'


class Site:
    def __init__(self, out):
        self.out, self.sources, self.index = out, set(), []
        self.pages = {p.stem: p for p in [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]}

    def path_of(self, page):
        return "index.html" if page == "README" else f"{page}.html"

    def link_from(self, page_file, path):
        """Where a link of a Markdown file leads from the page that it becomes."""
        def link(target):
            if re.match(r"[a-z]+:|#", target):
                return target
            name, _, anchor = target.partition("#")
            file = (page_file.parent / name).resolve()
            relative = file.relative_to(ROOT)
            if file in self.pages.values():
                to = self.path_of(file.stem)
            elif file.suffix in (".svg", ".png"):
                to = f"pictures/{relative}"
                (self.out / to).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, self.out / to)
            else:
                self.sources.add(file)
                to = self.source_path(file)
            return posixpath.relpath(to, posixpath.dirname(path) or ".") + ("#" + anchor if anchor else "")
        return link

    def source_path(self, file):
        return f"source/{file.relative_to(ROOT)}.html"

    def source_link(self, path):
        def link(header, line=None):
            file = ROOT / "include" / header
            self.sources.add(file)
            to = posixpath.relpath(self.source_path(file), posixpath.dirname(path) or ".")
            return f'<a href="{to}{f"#L{line}" if line else ""}"><code>&lt;{header}&gt;</code></a>'
        return link

    def add(self, title, path, kind, text=""):
        self.index.append([title, path, kind, re.sub(r"\s+", " ", text).strip()[:600]])

    def write(self, path, title, body):
        write_page(self.out, path, title, body, self.menu)

    def build_pages(self):
        for name, file in self.pages.items():
            path = self.path_of(name)
            title, body, headings = page_of_markdown(file.read_text(), self.link_from(file, path))
            if name == "ops":
                for op in self.ops:
                    call = f"<code>{inline(op.call)}</code>"
                    body = body.replace(f"<td>{call}</td>", f'<td><a href="{op.file}">{call}</a></td>')
            self.write(path, title, body)
            self.add(title, path, "page")
            # What stands below a heading, up to the next one.
            parts = re.split(r'<h\d id="([^"]*)">.*?</h\d>', body, flags=re.DOTALL)
            below = {name: html.unescape(re.sub(r"<[^>]+>", " ", text)) for name, text in zip(parts[1::2], parts[2::2])}
            for level, anchor, text in headings:
                if level > 1:
                    self.add(text, f"{path}#{anchor}", title, below.get(anchor, ""))

    def build_ops(self):
        operands, examples = ops.read_examples(ROOT)
        calls = ops.read_calls(ROOT)
        if lacking := [op.name for op in self.ops if op.name not in examples]:
            sys.exit("docs/site/build.py: ops without an example in tests/docs/op_examples_*.cpp: " + ", ".join(lacking))
        for op in self.ops:
            self.write(op.file, op.name, ops.page_of(op, operands, examples, calls, self.includes, self.source_link(op.file)))
            self.add(op.name, op.file, "op", op.text)
        sections = {}
        for op in self.ops:
            sections.setdefault(op.section, []).append(op)
        body = ["<h1>All ops</h1>", '<p>A page each. All in one table: <a href="../ops.html">ops.md</a>.</p>']
        for section, members in sections.items():
            rows = "".join(row(op.file, f"<code>{op.name}</code>", op.text) for op in members)
            body.append(f"<h2>{section}</h2><div class=table><table>{rows}</table></div>")
        self.write("ops/index.html", "All ops", "\n".join(body))

    def build_reference(self):
        rows = []
        guides = reference.Guides(file.read_text() for name, file in self.pages.items() if name not in ("design", "adding_an_op", "errors"))
        for unit, headers in self.units.items():
            path = self.unit_path(unit)
            body, names = reference.page_of(unit, headers, guides, self.source_link(path))
            self.write(path, unit, body)
            self.add(unit, path, "header")
            for anchor, name, comment in names:
                self.add(name, f"{path}#{anchor}", unit, comment)
            about = next((a for _, a, _ in headers if a), "")
            rows.append(row(path, unit.replace("/", "::"), about))
        self.write("reference/index.html", "Headers", "<h1>Headers</h1><p>What programs include, with the comments of the headers. "
                   'Ops have <a href="../ops/index.html">pages of their own</a>.</p><div class=table><table>' + "".join(rows) + "</table></div>")

    def unit_path(self, unit):
        return f"reference/{unit.replace('/', '.')}.html"

    def build_sources(self):
        done = set()
        while self.sources - done:
            file = (self.sources - done).pop()
            done.add(file)
            path, name = self.source_path(file), str(file.relative_to(ROOT))
            if file.is_dir():
                inside = [f for f in sorted(file.iterdir()) if f.name[0] not in "._" and f.suffix not in (".png", ".svg")]
                self.sources.update(inside)
                body = "<ul>" + "".join(f'<li><a href="{file.name}/{f.name}.html">{f.name}</a></li>' for f in inside) + "</ul>"
            else:
                body = file_code(file)
            # Without the long parts of the menu, in 900 pages.
            write_page(self.out, path, name, f"<h1>{html.escape(name)}</h1>{body}", [m for m in self.menu if m[0] not in ("Reference", "Ops")])

    def build(self):
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir(parents=True)
        # What says that the folder is a site, also where this one is not finished.
        (self.out / INDEX).touch()
        self.units, declarations = reference.read_units(ROOT / "include")
        self.ops = ops.read_ops(ROOT / "docs" / "ops.md")
        ops.find_declarations(self.ops, declarations)
        self.includes = reference.what_to_include(ROOT / "include")
        titles = {name: re.search(r"^# (.*)", file.read_text(), re.MULTILINE)[1] for name, file in self.pages.items()}
        titles["README"] = "What etch is"
        named = {name for names in FIRST.values() for name in names}
        others = sorted(set(self.pages) - named - {"ops"}, key=titles.get)
        self.menu = [(section, [(titles[n], self.path_of(n)) for n in names + (others if section == "Guides" else []) if n in self.pages])
                     for section, names in FIRST.items()]
        self.menu.insert(2, ("Reference", [("All ops", "ops/index.html"), ("Ops in one table", "ops.html"), ("Headers", "reference/index.html")]
                             + [(u.replace("/", "::"), self.unit_path(u)) for u in self.units]))
        self.menu.insert(3, ("Ops", [(op.name, op.file) for op in sorted(self.ops, key=lambda op: op.name)]))
        self.build_pages()
        self.build_ops()
        self.build_reference()
        self.build_sources()
        for name in ("style.css", "search.js"):
            shutil.copy(SITE / name, self.out / name)
        (self.out / INDEX).write_text("const search_index = " + json.dumps(self.index, ensure_ascii=False) + ";\n")
        print(f"{len(self.pages)} pages, {len(self.ops)} ops, {len(self.units)} units of headers: {self.out}/index.html")


Site(OUT).build()
sys.exit(links.follow(OUT))
