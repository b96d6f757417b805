#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/site/links.py [FOLDER]
Follows every link: of the repository's Markdown files, or of the HTML pages below FOLDER. Fails where a file or a place in it is missing. Links to
other hosts are not followed. Needs nothing but Python."""
import html.parser
import re
import sys
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[2]


def heading_id(text, seen):
    """The anchor that GitHub gives a heading: lower case, without punctuation, spaces as dashes; of a text that was there before with a number."""
    name = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
    count = seen[name] = seen.get(name, -1) + 1
    return f"{name}-{count}" if count else name


def without_blocks(text):
    return re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.MULTILINE | re.DOTALL)


def without_code(text):
    text = without_blocks(text)
    return re.sub(r"`[^`\n]*`", lambda m: m[0] if "](" not in m[0] else "", text)


def markdown_anchors(path):
    seen, text = {}, without_blocks(path.read_text())
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)|`", lambda m: m[1] or "", line) for line in re.findall(r"^#+ (.*)$", text, re.MULTILINE))
    return {heading_id(line, seen) for line in plain}


def markdown_links(path):
    """Of links and pictures, also of one within the other, of references (`[name]: target`) and of HTML."""
    text = without_code(path.read_text())
    inline = re.findall(r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"\n]*\")?\)", text)
    references = re.findall(r"^\[[^\]\n]+\]:\s*<?([^\s>]+)", text, re.MULTILINE)
    return inline + references + re.findall(r"<(?:a|img)\s[^>]*?(?:href|src)=\"([^\"]+)\"", text)


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.anchors, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)
            if name in ("href", "src"):
                self.links.append(value)


def faults_of(files, links_of, anchors_of):
    faults, count, known = [], 0, {}
    for file in files:
        for link in links_of(file):
            if re.match(r"[a-z]+:", link):
                continue
            count += 1
            path, _, anchor = unquote(link).partition("#")
            target = (file.parent / path).resolve() if path else file.resolve()
            if not target.exists():
                faults.append(f"{file}: {link}: there is no such file")
            elif anchor and target.suffix in (".md", ".html"):
                if target not in known:
                    known[target] = anchors_of(target)
                if anchor not in known[target]:
                    faults.append(f"{file}: {link}: there is no such place in it")
    return faults, count


def follow(folder=None):
    """Prints what leads nowhere; 0 if nothing does."""
    if folder:
        pages = {}

        def page(path):
            key = path.resolve()
            if key not in pages:
                pages[key] = Page(path.read_text())
            return pages[key]

        files = sorted(Path(folder).rglob("*.html"))
        faults, count = faults_of(files, lambda f: page(f).links, lambda f: page(f).anchors)
    else:
        files = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
        faults, count = faults_of(files, markdown_links, markdown_anchors)
    for fault in faults:
        print(fault)
    print(f"{count} links of {len(files)} files, {len(faults)} lead nowhere")
    return 1 if faults or not count else 0


if __name__ == "__main__":
    sys.exit(follow(*sys.argv[1:2]))
