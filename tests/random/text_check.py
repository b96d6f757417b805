# SPDX-License-Identifier: MIT
"""Compares what a random program of strings gave in each way with what Python makes of it; and makes what fails smaller."""
import copy
import struct

import numpy as np

from text_values import FED, Node, values_of

PRINTED = 1000


def decoded(result, type_):
    """The array that write_texts wrote."""
    extents, _, raw = result
    if type_ != "text":
        return np.frombuffer(raw, {"int": np.int32, "bool": np.bool_}[type_]).reshape(extents)
    rank, *_ = struct.unpack_from("=q", raw)
    shape = struct.unpack_from(f"={rank}q", raw, 8)
    at, found = 8 + 8 * rank, []
    while at < len(raw):
        size, = struct.unpack_from("=q", raw, at)
        found.append(raw[at + 8 : at + 8 + size])
        at += 8 + size
    made = np.empty(len(found), object)
    made[:] = found
    return made.reshape(shape)


def escaped(byte):
    """As TensorFlow's tf.print writes a byte of an element of an array."""
    if bytes([byte]) in b"\"'\\":
        return b"\\" + bytes([byte])
    plain = {10: b"\\n", 13: b"\\r", 9: b"\\t"}
    return plain.get(byte) or (b"\\%03o" % byte if byte < 32 or byte == 127 else bytes([byte]))


def line(value):
    """As print writes it."""
    if value.ndim == 0:
        v = value.item()
        return (v if isinstance(v, bytes) else b"%d" % v) + b"\n"
    parts = [b'"' + b"".join(map(escaped, v)) + b'"' if isinstance(v, bytes) else b"%d" % v for v in value]
    return b"[" + b" ".join(parts if len(parts) < 7 else parts[:3] + [b"..."] + parts[-3:]) + b"]\n"


def check(program, results):
    """[(kind, way, fetch, sentence)] of what is wrong."""
    names = [n for n, _ in program.statements]
    types = {n: e.type for n, e in program.statements}
    values = values_of(program)
    last = program.said[-1:]
    fetched = names + last
    thrown = {n for n, v in values.items() if v is None}
    wrong, wanted = [], {}
    for way in ["together", "again", "bound", "bound_again", "eager", "function"] + [f"alone{i}" for i in range(len(fetched))]:
        of = [int(way[5:])] if way.startswith("alone") else range(len(fetched))
        needed = {fetched[i] for i in of} | (set(program.said) if len(names) in of else set())
        if needed & thrown:
            wanted["error:" + way, 0] = None
            continue
        wanted |= {(way, i): fetched[i] for i in of}
        wanted[way, PRINTED] = b"".join(line(values[n]) for n in program.said) if len(names) in of else b""
    for at, expected in wanted.items():
        if at not in results:
            wrong.append(("missing", at[0], at[1], f"there are {sorted(results)}"))
        elif at[1] == PRINTED:
            if results[at][2] != expected:
                wrong.append(("printed", *at, f"{results[at][2]!r}, should be {expected!r}"))
        elif expected is None:
            if not results[at][2].startswith(b"strings::to_number: "):
                wrong.append(("error", *at, results[at][2].decode(errors="replace")))
        else:
            got = decoded(results[at], types[expected])
            if got.shape != values[expected].shape or not (got == values[expected]).all():
                wrong.append(("value", *at, f"{expected}: {got.tolist()}, should be {values[expected].tolist()}"))
    # What should not have thrown.
    wrong += [("error", *at, r[2].decode(errors="replace")) for at, r in results.items() if at not in wanted]
    return wrong


def places(node, path=()):
    yield path, node
    for i, part in enumerate(node.parts()):
        yield from places(part, path + (i,))


def replaced(node, path, other):
    if not path:
        return copy.deepcopy(other)
    made = copy.deepcopy(node)
    owner = made
    for i in path[:-1]:
        owner = owner.parts()[i]
    if path[-1] < len(owner.operands):
        owner.operands[path[-1]] = copy.deepcopy(other)
    else:
        owner.more["bodies"][path[-1] - len(owner.operands)] = copy.deepcopy(other)
    return made


def smaller_texts(program):
    """Without a statement that no other names, without a print, with a part or what is fed in the place of an expression."""
    for i in reversed(range(len(program.statements))):
        other = copy.deepcopy(program)
        del other.statements[i]
        if program.statements[i][0] not in program.said and makes_sense(other):
            yield other
    for name in program.said:
        other = copy.deepcopy(program)
        other.said.remove(name)
        yield other
    for i, (name, statement) in enumerate(program.statements):
        for path, node in places(statement):
            fed = [Node("name", t, s, name=n) for n, (t, s) in FED.items() if (t, s) == (node.type, node.shape) and node.kind != "name"]
            for part in [p for _, p in places(node) if p is not node and (p.type, p.shape) == (node.type, node.shape)] + fed[:1]:
                other = copy.deepcopy(program)
                other.statements[i] = (name, replaced(statement, path, part))
                if makes_sense(other):
                    yield other


def makes_sense(program):
    """Whether each name stands where it is known: a part of a body may read what the body is given."""
    known = set(FED)
    for name, statement in program.statements:
        if not known_names(statement, known):
            return False
        known.add(name)
    return True


def known_names(node, known):
    if node.kind == "name":
        return node.more["name"] in known
    inner = known | set(node.more.get("locals", []))
    return all(known_names(o, known) for o in node.operands) and all(known_names(b, inner) for b in node.more.get("bodies", []))
