# SPDX-License-Identifier: MIT
"""decode_events.py FOLDER: what is in the event files of a folder, a line for each value, sorted.

Reads the bytes by itself, with Python's standard library alone, and checks every checksum.
"""
import pathlib
import struct
import sys
import zlib

TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    TABLE.append(byte)


def masked_crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 255]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(data):
    at = 0
    while at < len(data):
        size, size_sum = struct.unpack_from("<QI", data, at)
        assert size_sum == masked_crc32c(data[at:at + 8]), f"checksum of the size at byte {at}"
        message = data[at + 12:at + 12 + size]
        assert len(message) == size, f"the record at byte {at} is cut"
        (message_sum,) = struct.unpack_from("<I", data, at + 12 + size)
        assert message_sum == masked_crc32c(message), f"checksum of the record at byte {at}"
        yield message
        at += 16 + size


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """{number: [values]}: integers, and bytes of what has another wire type."""
    found, at = {}, 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            if key & 7 == 2:
                size, at = varint(data, at)
            else:
                size = {1: 8, 5: 4}[key & 7]
            value = data[at:at + size]
            assert len(value) == size
            at += size
        found.setdefault(key >> 3, []).append(value)
    return found


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def real(value):
    return struct.unpack("<d", value)[0]


def reals(value):
    return [v[0] for v in struct.iter_unpack("<d", value)]


def show_reals(values):
    return " ".join("%.17g" % v for v in values)


def pixels(png):
    """(height, width, channels, bytes) of a PNG of 8 bits without filters."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, header = 8, b"", None
    while at < len(png):
        size, kind = struct.unpack_from(">I4s", png, at)
        chunk = png[at + 8:at + 8 + size]
        assert struct.unpack_from(">I", png, at + 8 + size)[0] == zlib.crc32(kind + chunk)
        header = chunk if kind == b"IHDR" else header
        packed += chunk if kind == b"IDAT" else b""
        at += 12 + size
    width, height, depth, colours, *rest = struct.unpack(">IIBBBBB", header)
    assert depth == 8 and rest == [0, 0, 0] and kind == b"IEND"
    channels = {0: 1, 4: 2, 2: 3, 6: 4}[colours]
    rows, stride = zlib.decompress(packed), 1 + width * channels
    assert len(rows) == height * stride and not any(rows[::stride])
    return height, width, channels, b"".join(rows[y * stride + 1:(y + 1) * stride] for y in range(height))


def show_pixels(height, width, channels, data):
    return f"{height}x{width}x{channels} {data.hex() if len(data) <= 64 else '%08x' % zlib.crc32(data)}"


def show_hyperparameters(pairs):
    return " ".join(f"{name}={value!r}" for name, value in sorted(pairs))


def hyperparameters(content):
    (start,) = fields(content)[3]
    pairs = []
    for entry in fields(start)[1]:
        name, value = fields(entry)[1][0].decode(), fields(fields(entry)[2][0])
        ((kind, (v,)),) = value.items()
        pairs.append((name, {2: lambda: real(v), 3: lambda: v.decode(), 4: lambda: bool(v)}[kind]()))
    return show_hyperparameters(pairs)


def show_node(name, op, inputs, device, attributes):
    return f"node {name} {op} ({', '.join(inputs)}) [{device}] {' '.join(sorted(attributes))}".rstrip()


def attribute(value):
    ((kind, (v,)),) = fields(value).items()
    if kind == 1:
        shapes = [[signed(fields(d)[1][0]) for d in fields(s).get(2, [])] for s in fields(v).get(7, [])]
        return str(shapes)
    return {2: lambda: v.decode(), 6: lambda: f"type {v}"}[kind]()


def graph(definition):
    for node in map(fields, fields(definition).get(1, [])):
        text = lambda field: node.get(field, [b""])[0].decode()
        attributes = []
        for entry in map(fields, node.get(5, [])):
            attributes.append(f"{entry[1][0].decode()}={attribute(entry[2][0])}")
        yield show_node(text(1), text(2), [i.decode() for i in node.get(3, [])], text(4), attributes)


def show_calls(tag, calls):
    """`calls`: (device, node, start, duration, thread, label); starts are shown from the first on."""
    begin = min((c[2] for c in calls), default=0)
    for device, node, start, duration, thread, label in calls:
        yield f"ran {tag} {device} {node} {start - begin}+{duration} thread {thread}: {label}"


def run_metadata(tag, message):
    for device in map(fields, fields(fields(message)[1][0])[1]):
        calls = []
        for node in map(fields, device.get(2, [])):
            start, _, ended, thread, nanoseconds, _, exact_end = (signed(node[f][0]) for f in (2, 4, 5, 10, 13, 15, 16))
            assert nanoseconds // 1000 == start and -(-exact_end // 1000) == ended
            calls.append((device[1][0].decode(), node[1][0].decode(), start, ended, thread, node[8][0].decode()))
        yield from show_calls(tag, calls)


def values(event):
    step = signed(event.get(2, [0])[0])
    for value in map(fields, (v for s in event.get(5, []) for v in fields(s).get(1, []))):
        tag, metadata = value[1][0].decode(), fields(value.get(9, [b""])[0])
        plugin = fields(metadata[1][0])[1][0].decode() if metadata else ""
        if 2 in value:
            yield f"scalar {step} {tag} {struct.unpack('<f', value[2][0])[0]:.9g}"
        elif 5 in value:
            h = fields(value[5][0])
            five = [real(h[k][0]) for k in range(1, 6)]
            yield f"histogram {step} {tag} {show_reals(five)} | {show_reals(reals(h[6][0]))} | {show_reals(reals(h[7][0]))}"
        elif 4 in value:
            i = fields(value[4][0])
            height, width, channels, data = pixels(i[4][0])
            assert [height, width, channels] == [i[k][0] for k in (1, 2, 3)]
            yield f"image {step} {tag} {show_pixels(height, width, channels, data)}"
        elif plugin == "text":
            tensor = fields(value[8][0])
            assert tensor[1] == [7] and tensor[2] == [b""]
            yield f"text {step} {tag} {tensor[8][0].decode()!r}"
        elif plugin == "hparams":
            yield f"hyperparameters {tag} {hyperparameters(fields(metadata[1][0])[2][0])}"
    for definition in event.get(4, []):
        yield from graph(definition)
    for tagged in map(fields, event.get(8, [])):
        yield from run_metadata(tagged[1][0].decode(), tagged[2][0])


def lines(folder):
    for path in sorted(pathlib.Path(folder).glob("*tfevents*")):
        first = True
        for message in records(path.read_bytes()):
            event = fields(message)
            assert real(event[1][0]) > 1.6e9
            assert (event.get(3) == [b"brain.Event:2"]) == first
            first = False
            yield from values(event)


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    print("\n".join(sorted(lines(sys.argv[1]))))
