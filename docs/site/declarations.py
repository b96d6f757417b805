# SPDX-License-Identifier: MIT
"""Reads the public declarations of a C++ header, with the `///` comments above them.

No compiler: headers are formatted by clang-format, so that a scanner of brackets, strings and comments finds where a declaration ends. What is
in a namespace `detail`, private, deleted, or refuses its arguments by a designed error, is left out."""
import re
from dataclasses import dataclass, field

# Folders of what users do not call.
INTERNAL = {"base", "backend", "passes", "schedule"}
OPEN, CLOSE = "([{", ")]}"
MACRO_CALL = re.compile(r"ETCH_[A-Z_]+\(")
CLASS = re.compile(r"(?:inline constexpr )?(?:class|struct|enum class|enum|union)\s+(?:alignas\([^)]*\)\s*)?"
                   r"([\w:]+)\s*(?:final\s*)?(?::[^:(]|<|$)")
REFUSES = re.compile(r"\braise<|refus|without_rate|this_call_has")


@dataclass
class Declaration:
    name: str
    kind: str  # function, class, alias, concept, variable, macro
    signature: str
    comment: str
    namespace: str
    line: int
    body: str = ""
    members: list = field(default_factory=list)
    header: str = ""


def skip_text(text, at):
    """Behind the string, character or comment that begins at `at`, else `at`."""
    if text.startswith("//", at):
        end = text.find("\n", at)
        return len(text) if end < 0 else end
    if text.startswith('R"(', at):
        return text.index(')"', at) + 2
    quote = text[at]
    is_separator = quote == "'" and at > 0 and text[at - 1].isalnum() and at + 1 < len(text) and text[at + 1].isalnum()
    if quote not in "\"'" or is_separator:
        return at
    end = at + 1
    while text[end] != quote:
        end += 2 if text[end] == "\\" else 1
    return end + 1


def behind_bracket(text, at):
    """Behind the bracket that closes the one at `at`."""
    depth = 0
    while True:
        behind = skip_text(text, at)
        if behind != at:
            at = behind
            continue
        depth += (text[at] in OPEN) - (text[at] in CLOSE)
        at += 1
        if depth == 0:
            return at


def behind_template(text, at):
    """Behind `template <...>` and the line of its `requires` clause, as often as they stand at `at`."""
    while True:
        match = re.compile(r"\s*template\s*<").match(text, at)
        if not match:
            break
        at, depth = match.end(), 1
        while depth:
            if text[at] in "([{":
                at = behind_bracket(text, at)
                continue
            if skip_text(text, at) != at:
                at = skip_text(text, at)
                continue
            if text[at] == "<":
                depth += 1
            elif text[at] == ">" and text[at - 1] != "-":
                depth -= 1
            at += 1
        match = re.compile(r"\s*requires\b").match(text, at)
        if match:
            at = match.end()
            while text[at] != "\n":
                at = behind_bracket(text, at) if text[at] in OPEN else at + 1
    return at


def end_of_declaration(text, at):
    """(end of what is declared, its body or "", where the next declaration begins)."""
    is_initialised = False
    while True:
        behind = skip_text(text, at)
        if behind != at:
            at = behind
        elif text[at] == ";":
            return at, "", at + 1
        elif text[at] == "{":
            end = behind_bracket(text, at)
            before = text[:at].rstrip()
            if is_initialised or re.search(r"requires(\s*\([^()]*(\([^()]*\)[^()]*)*\))?$", before) or re.match(r"\s*[;,]", text[end:]) \
                    and not re.search(r"\b(class|struct|enum|union)\b", text[max(0, text.rfind(";", 0, at)):at]):
                at = end
                continue
            return at, text[at:end], end
        elif text[at] in "([":
            at = behind_bracket(text, at)
        elif text[at] == "=" and text[at - 1] not in "=!<>" and text[at + 1] != "=" and not text[:at].rstrip().endswith("operator"):
            is_initialised = True
            at += 1
        else:
            at += 1


def one_line(text):
    text = re.sub(r"//[^\n]*", "", text)
    return re.sub(r"\s+", " ", text).strip()


def described(head):
    """(kind, name) of a declaration without its template header, or None."""
    if re.match(r"(friend|static_assert|extern|template|typedef)\b", head) or re.search(r"^\w+\(.*\) -> ", head):
        return None
    if match := re.match(r"concept\s+(\w+)", head):
        return "concept", match[1]
    if match := re.match(r"using\s+(\w+)\s*=", head):
        return "alias", match[1]
    if re.match(r"using\b", head):
        return None
    if match := CLASS.match(head):
        return "class", match[1]
    # A bracket of a type (`decltype(x)`) is none of a function.
    plain = re.sub(r"\b(decltype|alignas|explicit|noexcept)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", r"\1", head)
    before = re.split(r"(?<![=!<>])=(?!=)", plain.replace("operator=", "operator "))[0] if "operator" not in plain else plain
    if match := re.search(r"(operator\s*(?:\(\)|[^\s(]+)|~?\w+)\s*\(", before):
        return ("function", match[1]) if before.find("(") >= 0 else None
    names = re.findall(r"\w+", before)
    return ("variable", names[-1]) if len(names) > 1 else None


def without_initialisers(head):
    """A constructor without what stands behind its colon, and no body's `= default`."""
    depth = 0
    for at, c in enumerate(head):
        depth += (c in "([{") - (c in ")]}")
        if c == ":" and depth == 0 and head[at - 1] == " " and head[:at].rstrip().endswith((")", "noexcept")) and head[at + 1] == " ":
            return head[:at].rstrip()
    return head


def read_scope(text, at, end, namespace, line_of, is_class):
    found, comment, is_public, previous = [], [], not is_class or is_class == "struct", None
    while at < end:
        if text[at].isspace():
            at += 1
        elif text.startswith("///<", at):
            stop = skip_text(text, at)
            if previous:
                previous.comment += " " * bool(previous.comment) + text[at + 4:stop].strip()
            at = stop
        elif text.startswith("//", at):
            stop = skip_text(text, at)
            if text.startswith("///", at):
                comment.append(text[at + 3:stop].rstrip().removeprefix(" "))
            at = stop
        elif text[at] == "#":
            while True:
                stop = text.find("\n", at)
                at = stop + 1
                if text[stop - 1] != "\\":
                    break
            comment = []
        elif match := re.compile(r"(public|private|protected):(?!:)").match(text, at):
            is_public, comment, at = match[1] == "public", [], match.end()
        elif match := MACRO_CALL.match(text, at):
            stop = behind_bracket(text, match.end() - 1)
            name = re.match(r"\w+", text[match.end():])
            if comment and name:
                found.append(Declaration(name[0], "macro", one_line(text[at:stop]), "\n".join(comment), namespace, line_of(at)))
            comment, at = [], stop
        elif text[at] in ";}":
            at += 1
        else:
            begin, head_at = at, behind_template(text, at)
            stop, body, at = end_of_declaration(text, head_at)
            head = one_line(text[head_at:stop])
            signature = "\n".join(filter(None, [one_line(text[begin:head_at]), head]))
            text_of, comment = "\n".join(comment), []
            if match := re.match(r"(?:inline )?namespace ([\w:]*)$", head):
                inner = f"{namespace}::{match[1]}".strip(":")
                if "detail" not in match[1] and match[1]:
                    body_at = stop + 1
                    found += read_scope(text, body_at, at - 1, inner, line_of, "")
                continue
            what = described(head)
            is_hidden = not is_public or "= delete" in signature or (not text_of and (REFUSES.search(body) or "detail::" in signature))
            previous = None
            if not what or is_hidden:
                continue
            kind, name = what
            if name.startswith("~") or "::" in name or name in ("if", "return"):
                continue
            if kind == "class" and not body:
                continue
            shown = without_initialisers(signature) if kind == "function" else signature
            shown = re.sub(r" = default$", "", shown)
            d = Declaration(name, kind, shown, text_of, namespace, line_of(begin), body)
            if kind == "class" and not re.match(r"enum", head):
                d.members = read_scope(text, stop + 1, at - 1, namespace, line_of, "class" if re.match(r"class", head) else "struct")
            found.append(d)
            previous = d
            # `/// text` at the end of the line belongs to it, too.
            rest = text[at:text.find("\n", at)]
            if rest.strip().startswith("///<"):
                d.comment += " " * bool(d.comment) + rest.strip()[4:].strip()
                at += len(rest)
    return found


def read_header(path, header):
    text = path.read_text()
    starts = [0] + [m.end() for m in re.finditer("\n", text)]

    def line_of(at):
        low, high = 0, len(starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if starts[middle] <= at else (low, middle)
        return low + 1

    found = read_scope(text, 0, len(text), "", line_of, "")
    for d in found:
        d.header = header
    return found


def summary_of(path):
    """The `///` lines in front of the header's first namespace: what it is about."""
    match = re.search(r"((?:^///[^\n]*\n)+)namespace", path.read_text(), re.MULTILINE)
    return " ".join(line[3:].strip() for line in match[1].splitlines()) if match else ""
