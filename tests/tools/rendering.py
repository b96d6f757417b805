#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/tools/rendering.py
What docs/site makes of Markdown and of `///` comments. By Debian's own Python; status 77 where it has no python3-markdown or python3-pygments."""
import re
import sys

from scratch import ROOT, Scratch

sys.path.insert(0, str(ROOT / "docs/site"))
try:
    import render
except ModuleNotFoundError as missing:
    print(f"tests/tools/rendering.py: {missing}")
    sys.exit(77)

PAGE = """# `a<b>` & c

Text with `x<y>` and [a link](page.md#a-place).

1. First:
   - inner:

     ```cpp
     a<b> c = "&";
     ```

     Behind the code.

   A paragraph of the first.
2. Second

```c++
no [link](page.md) & <no tag>
```
"""


def text_of(html):
    return re.sub(r"<[^>]+>", "", html)


def pages(s):
    title, body, headings = render.page_of_markdown(PAGE, lambda target: target.replace(".md", ".html"))
    s.expect("a title is plain text", title == "a<b> & c" and headings == [(1, "ab--c", "a<b> & c")], title, headings)
    s.expect("code is escaped", "<code>x&lt;y&gt;</code>" in body and "<b>" not in body and "<no tag>" not in body, body)
    s.expect("a link keeps its place", 'href="page.html#a-place"' in body, body)
    s.expect("a block's link is text", "no [link](page.md) &amp; &lt;no tag&gt;" in text_of(body), body)
    s.expect("a block within an item is a block", re.search(r'<li>\s*<p>inner:</p>\s*<div class="code cpp">', body), body)
    s.expect("a block loses its indentation", '<span></span><span class="n">a' in body, body)
    s.expect("an item behind several paragraphs is an item", re.search(r"<li>\s*<p>Second</p>", body), body)
    s.expect("there is one list of two, with one of one in it", body.count("<ol>") == 1 and body.count("<li>") == 3, body)


def comments(s):
    body = render.comment_html('Of `T<U>` & <others>:\n- one `a`,\n  which goes on\n- two\n\n    f<int>("&");\n\n"Quoted".')
    for wanted in ("<p>Of <code>T&lt;U&gt;</code> &amp; &lt;others&gt;:</p>", "<li>one <code>a</code>, which goes on</li><li>two</li>",
                   '<p>"Quoted".</p>'):
        s.expect(f"a comment has {wanted}", wanted in body, body)
    s.expect("a comment's code is escaped", 'f&lt;int&gt;(&quot;&amp;&quot;);' in text_of(body), body)


if __name__ == "__main__":
    scratch = Scratch()
    pages(scratch)
    comments(scratch)
    scratch.end()
