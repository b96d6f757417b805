#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/tools/broken_links.py
What docs/site/links.py must find, and what it must not take for a link."""
import sys

from scratch import Scratch

LEADING_NOWHERE = ["[a](missing.md)", "[a](other.md#nowhere)", "[a](#nowhere)", '[a](missing.md "title")', "[a](<missing.md>)",
                   "[a `b` c](missing.md)", "![a](missing.svg)", "[![a](missing.svg)](other.md)", "[![a](there.svg)](missing.md)",
                   "[a][b]\n\n[b]: missing.md",
                   '<img src="missing.png">', '<a href="missing.md">a</a>']
LEADING_SOMEWHERE = ["[a](other.md#a-place)", '[a](other.md "title")', "[![a](there.svg)](other.md)", "`[a](missing.md)`",
                     "```\n[a](missing.md)\n```", "- a\n\n  ```\n  [a](missing.md)\n  ```"]


def links_finds_what_leads_nowhere(s):
    s.copy("docs/site/links.py")
    s.write("docs/other.md", "# Other\n\n## A place\n")
    s.write("docs/there.svg", "<svg/>")
    for text, wanted in [(t, 1) for t in LEADING_NOWHERE] + [(t, 0) for t in LEADING_SOMEWHERE]:
        s.write("docs/page.md", f"# Page\n\n{text}\n\n[more](other.md)\n")
        status, output, error = s.call(sys.executable, "docs/site/links.py")
        s.expect(f"links.py ends with {wanted} for {text!r}", status == wanted and not error, output, error)


if __name__ == "__main__":
    scratch = Scratch()
    links_finds_what_leads_nowhere(scratch)
    scratch.end()
