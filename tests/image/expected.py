# SPDX-License-Identifier: MIT
# expected.py > expected.hpp: what tf.image makes of a small image, by TensorFlow 2.21.
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
import tensorflow as tf

bytes_ = [(i * i * 7 + i * 13) % 256 for i in range(36)]
u = tf.reshape(tf.constant(bytes_, tf.uint8), (4, 3, 3))
f = tf.image.convert_image_dtype(u, tf.float32)
image = tf.image
colours = {
    "brightness": lambda x: image.adjust_brightness(x, 0.23),
    "contrast": lambda x: image.adjust_contrast(x, 1.7),
    "gamma": lambda x: image.adjust_gamma(x, 0.6, 1.2),
    "saturation": lambda x: image.adjust_saturation(x, 1.6),
    "saturation_less": lambda x: image.adjust_saturation(x, 0.3),
    "hue": lambda x: image.adjust_hue(x, 0.31),
    "hue_back": lambda x: image.adjust_hue(x, -0.17),
    "grayscale": image.rgb_to_grayscale,
    "random_flip": lambda x: image.stateless_random_flip_left_right(x, (1, 2)),
    "random_flip_not": lambda x: image.stateless_random_flip_up_down(x, (1, 3)),
    "random_brightness": lambda x: image.stateless_random_brightness(x, 0.4, (5, 6)),
    "random_contrast": lambda x: image.stateless_random_contrast(x, 0.4, 1.8, (5, 6)),
    "random_saturation": lambda x: image.stateless_random_saturation(x, 0.4, 1.8, (5, 7)),
    "random_hue": lambda x: image.stateless_random_hue(x, 0.4, (-5, 7)),
    "random_crop": lambda x: image.stateless_random_crop(x, (2, 2, 3), tf.constant((123456789012, 7), tf.int64)),
}
floats = {
    "hsv": image.rgb_to_hsv,
    "rgb": lambda x: image.hsv_to_rgb(image.rgb_to_hsv(x)),
    "standard": image.per_image_standardization,
    "standard_flat": lambda x: image.per_image_standardization(tf.cast(tf.reshape(tf.range(36) % 3 % 2, (4, 3, 3)), tf.uint8)),
}
# Bytes of pictures::noise(20, 5, 3), five images of which none is its own mirror image, and for each seed whether an image is flipped.
state, noise = 9, []
for i in range(5 * 60):
    state = (state * 1664525 + 1013904223) % 2**32
    noise.append(state >> 24)
pictures = tf.reshape(tf.constant(noise, tf.uint8), (5, 4, 5, 3))


def flips(function, mirror, x):
    """Of the seeds (0, 7) to (31, 7), of each image."""
    batch = x if x.shape.rank == 4 else x[None]
    all_ = []
    for i in range(32):
        y = tf.reshape(function(x, (i, 7)), batch.shape)
        all_ += [int(tf.reduce_all(y[n] == mirror(batch[n]))) for n in range(len(batch))]
    return tf.constant(all_, tf.int32)


for name, method, antialias in (
    ("nearest", "nearest", False),
    ("bilinear", "bilinear", False),
    ("bilinear_smooth", "bilinear", True),
    ("bicubic", "bicubic", False),
    ("bicubic_smooth", "bicubic", True),
    ("area", "area", False),
):
    for size in ((3, 5), (2, 2)):
        floats[f"{name}_{size[0]}x{size[1]}"] = lambda x, s=size, m=method, a=antialias: image.resize(x, s, m, antialias=a)

print("// SPDX-License-Identifier: MIT\n#pragma once\n#include <cstdint>\n#include <vector>\n")
print("/// What TensorFlow 2.21 makes of the image (4, 3, 3) whose byte i is (7 i^2 + 13 i) mod 256, and of the same as floats from 0 to 1.")
print("/// Written by expected.py.\nnamespace tensorflow {\n\n// clang-format off")


def write(name, y):
    kind = {tf.uint8: "std::uint8_t", tf.int32: "int", tf.float32: "float"}[y.dtype]
    values = ", ".join(f"{v:.9g}" + ("f" if set(f"{v:.9g}") & set(".e") else "") if kind == "float" else str(v) for v in y.numpy().reshape(-1))
    line = f"inline const std::vector<{kind}> {name}{{"
    for value in values.split(", "):
        if len(line) + len(value) > 136:
            print(line)
            line = "    "
        line += value + ", "
    print(line[:-2] + "};")


for prefix, x, functions in (("bytes_", u, colours), ("", f, colours | floats)):
    for name, function in functions.items():
        write(prefix + name, function(x))
for name, function, mirror in (
    ("flips_left_right", image.stateless_random_flip_left_right, image.flip_left_right),
    ("flips_up_down", image.stateless_random_flip_up_down, image.flip_up_down),
):
    for suffix, x in (("", pictures[0]), ("_batch", pictures)):
        write(name + suffix, flips(function, mirror, x))
print("// clang-format on\n\n}  // namespace tensorflow")
