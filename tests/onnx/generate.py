# SPDX-License-Identifier: MIT
"""generate.py DATA OUT: C++ tests of ONNX's published node cases, of the folder DATA (Debian's libonnx-testdata).

Writes OUT/onnx_windows.cpp, OUT/onnx_dense.cpp and the cases' arrays as files beside them. What etch has no call for is left out, with the
reason, and listed in OUT/left_out.txt.
"""
import os
import re
import struct
import sys

OPS = ("Conv", "ConvTranspose", "MaxPool", "AveragePool", "GlobalAveragePool", "GlobalMaxPool", "BatchNormalization", "Gemm", "MatMul",
       "Softmax", "LogSoftmax", "LayerNormalization", "Resize")
TYPES = {1: ("float", 4), 2: ("std::uint8_t", 1), 7: ("std::int64_t", 8), 11: ("double", 8)}


class LeftOut(Exception):
    pass


# The protocol buffers' wire format: only what these files have.


def fields(data):
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        number, kind = key >> 3, key & 7
        if kind == 0:
            value = varint()
        elif kind == 1:
            value, at = data[at : at + 8], at + 8
        elif kind == 5:
            value, at = data[at : at + 4], at + 4
        else:
            size = varint()
            value, at = data[at : at + size], at + size
        yield number, kind, value


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def integers(kind, value):
    """Of a repeated field, packed or not."""
    if kind == 0:
        return [signed(value)]
    numbers, shift, current = [], 0, 0
    for byte in value:
        current |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(signed(current))
            current = shift = 0
    return numbers


class Tensor:
    def __init__(self, data):
        self.shape, self.type, self.bytes = [], 0, b""
        floats, ints = b"", []
        for number, kind, value in fields(data):
            if number == 1:
                self.shape += integers(kind, value)
            elif number == 2:
                self.type = value
            elif number == 4:
                floats += value
            elif number in (5, 7):
                ints += integers(kind, value)
            elif number == 9:
                self.bytes = value
        if not self.bytes:
            self.bytes = floats or b"".join(struct.pack("<q", i) for i in ints)


class Node:
    def __init__(self, data):
        self.inputs, self.outputs, self.attributes, self.op = [], [], {}, ""
        for number, _, value in fields(data):
            if number == 1:
                self.inputs.append(value.decode())
            elif number == 2:
                self.outputs.append(value.decode())
            elif number == 4:
                self.op = value.decode()
            elif number == 5:
                name, content, ints, floats = "", None, [], []
                for n, kind, v in fields(value):
                    if n == 1:
                        name = v.decode()
                    elif n == 2:
                        content = struct.unpack("<f", v)[0]
                    elif n == 3:
                        content = signed(v)
                    elif n == 4:
                        content = v.decode()
                    elif n == 8:
                        ints += integers(kind, v)
                    elif n == 7:
                        floats.append(v)
                self.attributes[name] = ints if ints else content


def nodes_of(path):
    with open(path, "rb") as f:
        model = f.read()
    graph = next(value for number, _, value in fields(model) if number == 7)
    return [Node(value) for number, _, value in fields(graph) if number == 1]


# The calls.


def numbers(values):
    return ", ".join(str(v) for v in values)


def windows(node, spatial, kernel, pools=False):
    """Options of a convolution or a pool, and the pads that they stand for."""
    a = node.attributes
    n = len(spatial)
    strides, dilations = a.get("strides") or [1] * n, a.get("dilations") or [1] * n
    pads = a.get("pads") or [0] * 2 * n
    auto = a.get("auto_pad", "NOTSET")
    if auto.startswith("SAME"):
        pads = [0] * 2 * n
        for i in range(n):
            count = -(-spatial[i] // strides[i])
            total = max(0, (count - 1) * strides[i] + (kernel[i] - 1) * dilations[i] + 1 - spatial[i])
            pads[i], pads[n + i] = total // 2, total - total // 2
            if auto == "SAME_LOWER":
                pads[i], pads[n + i] = pads[n + i], pads[i]
    if a.get("ceil_mode"):
        for i in range(n):
            reach = (kernel[i] - 1) * dilations[i] + 1
            past = (spatial[i] + pads[i] + pads[n + i] - reach) % strides[i]
            if past:
                pads[n + i] += strides[i] - past
    options = ["etch::channels_first", f"etch::strides<{numbers(strides)}>"]
    if any(d != 1 for d in dilations):
        options.append(f"etch::dilations<{numbers(dilations)}>")
    options += [f"etch::padding<{pads[i]}, {pads[n + i]}>" for i in range(n)]
    if pools:
        options.append(f"etch::window<{numbers(kernel)}>")
    return ", ".join(options), pads


def turned(name, rank):
    """ONNX's kernels have filters and channels first."""
    axes = list(range(2, rank)) + [1, 0]
    return f"etch::transpose({name}, etch::axis<{numbers(axes)}>)"


def literal(value):
    text = f"{value:.9g}"
    return f"etch::literal<{text if any(c in text for c in '.e') else text + '.0'}f>"


def by_channel(name, rank):
    return f"etch::reshape({name}, etch::shape<{numbers([1, 'etch::inferred'] + [1] * (rank - 2))}>{{}})"


def convolution(node, x):
    rank = len(x[0].shape)
    options, _ = windows(node, x[0].shape[2:], x[1].shape[2:])
    groups = node.attributes.get("group") or 1
    if groups != 1:
        options += f", etch::groups<{groups}>"
    y = f"etch::conv{rank - 2}d(x0, {turned('x1', rank)}, {options})"
    return f"{y} + {by_channel('x2', rank)}" if len(x) > 2 else y


def transposed_convolution(node, x, y):
    a, rank = node.attributes, len(x[0].shape)
    n = rank - 2
    if (a.get("group") or 1) != 1:
        raise LeftOut("groups of a transposed convolution")
    kernel, strides, dilations = x[1].shape[2:], a.get("strides") or [1] * n, a.get("dilations") or [1] * n
    full = [(x[0].shape[2 + i] - 1) * strides[i] + (kernel[i] - 1) * dilations[i] + 1 for i in range(n)]
    pads = a.get("pads") or [0] * 2 * n
    if a.get("auto_pad", "NOTSET").startswith("SAME") or "output_shape" in a:
        for i in range(n):
            total = full[i] - y.shape[2 + i]
            first = total // 2 if a.get("auto_pad") != "SAME_LOWER" else total - total // 2
            pads[i], pads[n + i] = first, total - first
    begin = [max(0, pads[i]) for i in range(n)]
    end = [full[i] - begin[i] - y.shape[2 + i] for i in range(n)]
    options = ["etch::channels_first", f"etch::strides<{numbers(strides)}>", f"etch::dilations<{numbers(dilations)}>"]
    options += [f"etch::padding<{begin[i]}, {max(0, end[i])}>" for i in range(n)]
    call = f"etch::conv{n}d_transpose(x0, {turned('x1', rank)}, {', '.join(options)})"
    if any(e < 0 for e in end):  # rows that no window reaches
        call = f"etch::pad({call}, etch::padding<0>, etch::padding<0>, {', '.join(f'etch::padding<0, {max(0, -e)}>' for e in end)})"
    return call


def pool(node, x, name):
    n = len(x[0].shape) - 2
    kernel = node.attributes["kernel_shape"]
    if len(node.outputs) > 1:
        raise LeftOut("the places of a pool's largest elements")
    options, pads = windows(node, x[0].shape[2:], kernel, True)
    if name == "average_pool" and node.attributes.get("count_include_pad"):
        if node.attributes.get("ceil_mode"):
            raise LeftOut("padding that counts, and windows beyond it")
        around = ", ".join(f"etch::padding<{pads[i]}, {pads[n + i]}>" for i in range(n))
        options = re.sub(r"etch::padding<\d+, \d+>", "etch::padding<0>", options)
        return f"etch::{name}{n}d(etch::pad(x0, etch::padding<0>, etch::padding<0>, {around}), {options})"
    return f"etch::{name}{n}d(x0, {options})"


def everywhere(x, name):
    return f"etch::{name}(x0, etch::axis<{numbers(range(2, len(x[0].shape)))}>, etch::keep_dims)"


def batch_norm(node, x, y):
    rank = len(x[0].shape)
    epsilon = node.attributes.get("epsilon", 1e-5)
    last = f"etch::transpose(x0, etch::axis<{numbers([0] + list(range(2, rank)) + [1])}>)" if rank > 2 else "x0"
    mean, variance = "x3", "x4"
    if node.attributes.get("training_mode"):
        axes = numbers([0] + list(range(2, rank)))
        mean, variance = f"etch::mean(x0, etch::axis<{axes}>)", f"etch::variance(x0, etch::axis<{axes}>)"
    call = f"etch::batch_norm({last}, {mean}, {variance}, x1, x2, {literal(epsilon)})"
    results = [f"etch::transpose({call}, etch::axis<{numbers([0, rank - 1] + list(range(1, rank - 1)))}>)" if rank > 2 else call]
    if len(y) > 1:
        m = node.attributes.get("momentum", 0.9)
        for moving, now in (("x3", mean), ("x4", variance)):
            results.append(f"{moving} * {literal(m)} + {now} * {literal(1 - m)}")
    return results


def gemm(node, x):
    a = node.attributes
    left = "etch::transpose(x0)" if a.get("transA") else "x0"
    right = "etch::transpose(x1)" if a.get("transB") else "x1"
    y = f"etch::matmul({left}, {right})"
    if a.get("alpha", 1.0) != 1.0:
        y += f" * {literal(a['alpha'])}"
    if len(x) > 2:
        y += f" + x2 * {literal(a.get('beta', 1.0))}"
    return y


def layer_norm(node, x, y):
    rank = len(x[0].shape)
    axis = node.attributes.get("axis", -1) % rank
    axes = numbers(range(axis, rank))
    mean, variance = f"etch::mean(x0, etch::axis<{axes}>, etch::keep_dims)", f"etch::variance(x0, etch::axis<{axes}>, etch::keep_dims)"
    inverse = f"etch::rsqrt({variance} + {literal(node.attributes.get('epsilon', 1e-5))})"
    return [f"(x0 - {mean}) * {inverse} * x1 + x2", mean, inverse][: len(y)]


def resize(node, x, y):
    a, names = node.attributes, [n for n in node.inputs if n]
    mode, places = a.get("mode", "nearest"), a.get("coordinate_transformation_mode", "half_pixel")
    before, after = x[0].shape[2:], y[0].shape[2:]
    if mode == "cubic":
        raise LeftOut("cubic interpolation")
    if x[0].shape[:2] != y[0].shape[:2] or places in ("asymmetric", "tf_crop_and_resize", "tf_half_pixel_for_nn"):
        raise LeftOut(f"pixels that lie as {places}")
    if places == "pytorch_half_pixel" and 1 in after:
        raise LeftOut(f"pixels that lie as {places} where there is one")
    if "scales" in names:
        t = x[names.index("scales")]
        scales = struct.unpack(f"<{len(t.bytes) // 4}f", t.bytes)[2:]
        if any(abs(n * s - m) > 1e-6 for n, s, m in zip(before, scales, after)):
            raise LeftOut("a scale that is not that of the extents")
    if mode == "nearest" and (places == "align_corners" or a.get("nearest_mode", "round_prefer_floor") not in ("round_prefer_floor", "floor")):
        raise LeftOut(f"the nearest pixel by {a.get('nearest_mode')}")
    if mode == "nearest" and any((2 * i + 1) * n % (2 * m) == 0 for n, m in zip(before, after) for i in range(m)):
        raise LeftOut("two pixels that are equally near")
    options = "etch::bilinear" if mode == "linear" else "etch::nearest"
    options += ", etch::align_corners" if places == "align_corners" else ""
    return f"etch::resize(x0, etch::shape<{numbers(after)}>{{}}, {options}, etch::channels_first)"


def calls_of(node, x, y):
    """The expressions of a node's outputs."""
    if node.op == "Conv":
        return [convolution(node, x)]
    if node.op == "ConvTranspose":
        return [transposed_convolution(node, x, y[0])]
    if node.op in ("MaxPool", "AveragePool"):
        return [pool(node, x, {"MaxPool": "max_pool", "AveragePool": "average_pool"}[node.op])]
    if node.op in ("GlobalAveragePool", "GlobalMaxPool"):
        return [everywhere(x, "mean" if node.op == "GlobalAveragePool" else "max")]
    if node.op == "BatchNormalization":
        return batch_norm(node, x, y)
    if node.op == "Gemm":
        return [gemm(node, x)]
    if node.op == "MatMul":
        return ["etch::matmul(x0, x1)"]
    if node.op in ("Softmax", "LogSoftmax"):
        name = "softmax" if node.op == "Softmax" else "log_softmax"
        return [f"etch::{name}(x0, etch::axis<{node.attributes.get('axis', -1)}>)"]
    if node.op == "LayerNormalization":
        return layer_norm(node, x, y)
    if node.op == "Resize":
        return [resize(node, x, y)]
    raise LeftOut(f"etch has no {node.op}")


def shape_text(shape):
    return "{" + ", ".join(str(n) for n in shape) + "}"


def write_case(name, folder, out):
    nodes = nodes_of(os.path.join(folder, "model.onnx"))
    if len(nodes) != 1 or nodes[0].op not in OPS:
        return None, None
    node = nodes[0]
    tensors = {}
    for kind in ("input", "output"):
        tensors[kind] = []
        for k in range(16):
            path = os.path.join(folder, "test_data_set_0", f"{kind}_{k}.pb")
            if os.path.exists(path):
                with open(path, "rb") as f:
                    tensors[kind].append(Tensor(f.read()))
    x, y = tensors["input"], tensors["output"]
    for t in x + y:
        if t.type not in TYPES:
            raise LeftOut(f"elements of type {t.type}")
    lines = [f'  TEST_CASE("{name}") {{']
    calls = calls_of(node, x, y)
    is_read = lambda k: any(re.search(rf"\bx{k}\b", call) for call in calls)
    for k, t in enumerate(x):
        if is_read(k):
            lines.append(f'    static constexpr etch::placeholder<"x{k}", {", ".join([TYPES[t.type][0]] + [str(n) for n in t.shape])}> x{k};')
    for kind, ts in (("input", x), ("output", y)):
        for k, t in enumerate(ts):
            path = os.path.join(out, f"{name}.{kind}{k}")
            with open(path, "wb") as f:
                f.write(t.bytes)
            if is_read(k) if kind == "input" else k < len(calls):
                lines.append(f'    const auto {kind}{k} = onnx::read<{TYPES[t.type][0]}, {len(t.shape)}>("{path}", {shape_text(t.shape)});')
    names = [f"y{k}" for k in range(len(calls))]
    lines += [f"    const auto y{k} = {call};" for k, call in enumerate(calls)]
    lines.append(f"    etch::session s({', '.join(names)});")
    for k in range(len(calls)):
        used = ", ".join(f"x{i} = input{i}" for i in range(len(x)) if re.search(rf"\bx{i}\b", calls[k]))
        lines.append(f"    onnx::check(s.run(y{k}, {used}), output{k});")
    lines += ["  }", ""]
    return node.op, "\n".join(lines)


def main():
    data, out = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    parts = {"windows": [], "dense": []}
    left_out = []
    for name in sorted(os.listdir(os.path.join(data, "node"))):
        if name.endswith("_expanded"):
            continue
        folder = os.path.join(data, "node", name)
        try:
            op, text = write_case(name, folder, out)
        except LeftOut as reason:
            left_out.append(f"{name}: {reason}")
            continue
        if op:
            parts["windows" if "Conv" in op or "Pool" in op else "dense"].append(text)
    for part, cases in parts.items():
        with open(os.path.join(out, f"onnx_{part}.cpp"), "w") as f:
            f.write('// Made by tests/onnx/generate.py.\n#include "onnx/replay.hpp"\n\nTEST_SUITE("onnx") {\n' + "\n".join(cases) + "}\n")
    with open(os.path.join(out, "left_out.txt"), "w") as f:
        f.write("\n".join(left_out) + "\n")
    print(f"onnx: {sum(len(c) for c in parts.values())} cases, {len(left_out)} left out")


main()
