# SPDX-License-Identifier: MIT
"""Markdown, code and text as HTML. Needs Debian's python3-markdown and python3-pygments."""
import html
import posixpath
import re

import markdown
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name, guess_lexer_for_filename
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

from links import heading_id

LEXERS = {"sh": "bash", "text": "text", "": "text"}


def code(text, language, lines=False):
    """A block of code. With `lines` each line has the anchor L<number>."""
    try:
        lexer = get_lexer_by_name(LEXERS.get(language, language))
    except ClassNotFound:
        lexer = TextLexer()
    options = {"linenos": "inline", "lineanchors": "L"} if lines else {}
    formatter = HtmlFormatter(cssclass=f"code {language or 'text'}", **options)
    return highlight(text, lexer, formatter)


def file_code(path):
    text = path.read_text(errors="replace")
    try:
        language = guess_lexer_for_filename(path.name, "").aliases[0]
    except (ClassNotFound, IndexError):
        language = "text"
    return code(text, language, lines=True).replace('id="L-', 'id="L').replace('name="L-', 'name="L')


def inline(text):
    """Text of a comment: code between backticks."""
    parts = html.escape(text, quote=False).split("`")
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))


def comment_html(comment):
    """The lines of a `///` comment: paragraphs, lists behind dashes, code behind four spaces."""
    parts, kind = [], None
    for line in comment.split("\n"):
        is_item = line.startswith("- ") or (kind == "list" and line.startswith("  "))
        now = "list" if is_item else "code" if line.startswith("    ") else "text" if line else None
        if now != kind:
            parts.append((now, []))
            kind = now
        if now == "list" and not line.startswith("- "):
            parts[-1][1][-1] += " " + line.strip()
        else:
            parts[-1][1].append(line.removeprefix("- " if now == "list" else "    "))
    made = {"code": lambda lines: code("\n".join(lines), "cpp"), "text": lambda lines: f"<p>{inline(' '.join(lines))}</p>",
            "list": lambda lines: "<ul>" + "".join(f"<li>{inline(item)}</li>" for item in lines) + "</ul>", None: lambda lines: ""}
    return "".join(made[kind](lines) for kind, lines in parts)


def with_lines_before_lists(text):
    """A list begins behind a line of text on GitHub, and here behind an empty one; so does an item behind one of several paragraphs."""
    out, is_code, has_paragraphs = [], False, False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        begins = re.match(r"(- |\d+\. |\|)", line)
        if begins and not is_code and out and out[-1].strip() and (has_paragraphs or not re.match(r"(- |\d+\. |\||  )", out[-1])):
            out.append("")
        has_paragraphs = not begins and (has_paragraphs or not line.strip())
        out.append(line)
    return "\n".join(out)


def page_of_markdown(text, link):
    """(title, HTML, headings as (level, id, text)) of a page. `link(target)` is where a link leads on the site."""
    blocks = []

    def keep(match):
        indent = match[1]
        blocks.append(code(re.sub(f"^{indent}", "", match[3], flags=re.MULTILINE), match[2]))
        return f"\n\n{indent}BLOCK{len(blocks) - 1}BLOCK\n\n"

    body = re.sub(r"^( *)```([\w+-]*)\n(.*?)^\1```$", keep, with_lines_before_lists(text), flags=re.MULTILINE | re.DOTALL)
    made = markdown.markdown(body, extensions=["tables", "sane_lists"], tab_length=2)
    headings, seen = [], {}

    def heading(match):
        level, content = int(match[1]), match[2]
        plain = html.unescape(re.sub(r"<[^>]+>", "", content))
        name = heading_id(plain, seen)
        headings.append((level, name, plain))
        return f'<h{level} id="{name}">{content}</h{level}>'

    made = re.sub(r"<h(\d)>(.*?)</h\1>", heading, made, flags=re.DOTALL)
    made = re.sub(r'(href|src)="([^"]*)"', lambda m: f'{m[1]}="{link(html.unescape(m[2]))}"', made)
    made = re.sub(r"(?:<p>)?BLOCK(\d+)BLOCK(?:</p>)?", lambda m: blocks[int(m[1])], made)
    # What is written one way and what is written here stand side by side.
    made = re.sub(r'(<div class="code python">.*?</div>)\s*(<div class="code cpp">.*?</div>)', r'<div class="pair">\1\2</div>', made, flags=re.DOTALL)
    made = re.sub(r"<thead>\s*<tr>\s*(<th></th>\s*)+</tr>\s*</thead>", "", made)
    made = re.sub(r"<table>.*?</table>", lambda m: f'<div class="table">{m[0]}</div>', made, flags=re.DOTALL)
    title = headings[0][2] if headings else ""
    return title, made, headings


PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} - etch</title>
<link rel="stylesheet" href="{up}style.css">
</head>
<body>
<header>
<a class="name" href="{up}index.html">etch</a>
<input id="search" type="search" placeholder="Search" aria-label="Search" autocomplete="off">
<div id="found" hidden></div>
</header>
<nav>{menu}</nav>
<main>
{body}
</main>
<script>const up = "{up}";</script>
<script src="{up}search_index.js"></script>
<script src="{up}search.js"></script>
</body>
</html>
"""


def write_page(out, path, title, body, menu):
    """`menu`: (section, [(text, path), ...]), of which the current one is marked."""
    up = "../" * path.count("/")
    parts = []
    for section, entries in menu:
        is_open = any(target == path for _, target in entries)
        items = ""
        for text, target in entries:
            here = " class=here" if target == path else ""
            items += f'<li><a href="{posixpath.relpath(target, posixpath.dirname(path) or ".")}"{here}>{html.escape(text)}</a></li>'
        parts.append(f"<details{' open' if is_open or section == menu[0][0] else ''}><summary>{section}</summary><ul>{items}</ul></details>")
    file = out / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(PAGE.format(title=html.escape(title), up=up, menu="".join(parts), body=body))
