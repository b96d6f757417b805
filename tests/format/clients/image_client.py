# SPDX-License-Identifier: MIT
# image_client.py write|read FOLDER: files of TensorFlow with the pixels that it decodes and resizes, and pixels of etch's files.
import os
import struct
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
import numpy
import tensorflow as tf

mode, folder = sys.argv[1:]
random = numpy.random.default_rng(35)


def picture(height, width, channels):
    """Smooth, with noise."""
    coarse = random.uniform(0, 255, (5, 7, channels)).astype("f4")
    fine = tf.image.resize(coarse, (height, width), "bicubic").numpy() + random.normal(0, 6, (height, width, channels))
    return numpy.clip(fine, 0, 255).astype("u1")


def raw(name, array):
    array = numpy.asarray(array)
    array.tofile(f"{folder}/{name}")
    return " ".join(map(str, array.shape))


def bmp(x, is_from_top):
    """TensorFlow writes none. Gray has a palette, which TensorFlow takes for gray unread; rows have a multiple of 4 bytes."""
    height, width, channels = x.shape
    palette = b"".join(bytes((i, i, i, 0)) for i in range(256)) if channels == 1 else b""
    stored = x if channels == 1 else x[:, :, [2, 1, 0, 3][:channels]]
    rows = [row.tobytes() + bytes(-width * channels % 4) for row in (stored if is_from_top else stored[::-1])]
    first = 54 + len(palette)
    file = struct.pack("<2sIII", b"BM", first + sum(map(len, rows)), 0, first)
    file += struct.pack("<IiiHH6I", 40, width, -height if is_from_top else height, 1, 8 * channels, 0, 0, 0, 0, 0, 0)
    return file + palette + b"".join(rows)


if mode == "write":
    files = {}
    for c in (1, 3):
        x = picture(75, 101, c)
        files[f"plain{c}.jpg"] = tf.io.encode_jpeg(x, quality=90)
        files[f"progressive{c}.jpg"] = tf.io.encode_jpeg(x, quality=80, progressive=True)
        files[f"fine{c}.jpg"] = tf.io.encode_jpeg(x, quality=97, chroma_downsampling=False)
    for c in (1, 2, 3, 4):
        files[f"png{c}.png"] = tf.io.encode_png(picture(33, 29, c))
        files[f"deep{c}.png"] = tf.io.encode_png(picture(12, 9, c).astype("u2") * 257 - 100)
    for c in (1, 3, 4):
        files[f"bottom{c}.bmp"] = bmp(picture(33, 29, c), False)
        files[f"top{c}.bmp"] = bmp(picture(12, 9, c), True)
    lines = []
    for name, data in files.items():
        tf.io.write_file(f"{folder}/{name}", data)
        kind = name[-3:]
        # Of a BMP TensorFlow makes no other channels than it has, and one only unasked.
        for channels in {"jpg": (0, 1, 3), "png": (0, 1, 3, 4), "bmp": (0,) if "1." in name else (0, int(name[-5]))}[kind]:
            for ratio in (1, 2, 4, 8) if kind == "jpg" else (1,):
                decode = {"jpg": lambda **k: tf.io.decode_jpeg(ratio=ratio, **k), "png": tf.io.decode_png, "bmp": tf.io.decode_bmp}[kind]
                x = decode(contents=data, channels=channels)
                to = f"{name}.{channels}.{ratio}"
                shape = raw(f"{to}.pixels", x)
                for k, (method, antialias) in enumerate((("bilinear", 0), ("bilinear", 1), ("bicubic", 0), ("bicubic", 1), ("area", 0), ("nearest", 0))):
                    y = tf.image.resize(x, (24, 32), method, antialias=bool(antialias))
                    raw(f"{to}.{k}", tf.cast(y, tf.float32))
                lines.append(f"{name} {channels} {ratio} {shape}")
    open(f"{folder}/list", "w").write("\n".join(lines) + "\n")
else:
    for name in ("a.png", "b.png", "c.png", "d.png"):
        x = tf.io.decode_png(tf.io.read_file(f"{folder}/{name}")).numpy()
        assert (x.reshape(-1) == numpy.fromfile(f"{folder}/{name}.pixels", "u1")).all(), name
    # The same encoder with the same settings writes the same file.
    x = numpy.fromfile(f"{folder}/e.jpg.pixels", "u1").reshape(41, 57, 3)
    assert tf.io.encode_jpeg(x, quality=95).numpy().endswith(open(f"{folder}/e.jpg", "rb").read()[20:]), "e.jpg"
