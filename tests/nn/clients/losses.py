# SPDX-License-Identifier: MIT
# losses.py > ../loss_values.hpp: losses of five samples, in double, by Keras 3.15.1.
import os

os.environ["KERAS_BACKEND"] = "torch"
import keras
import numpy as np

keras.config.set_floatx("float64")
losses = keras.losses


def numbers(seed, low, high, count=20):
    """As tests/nn/numbers.hpp makes them."""
    i = np.arange(count, dtype=np.uint64) + np.uint64(seed * 100003)
    i = i * np.uint64(2654435761) % np.uint64(2**32)
    i ^= i >> np.uint64(15)
    i = i * np.uint64(2246822519) % np.uint64(2**32)
    i ^= i >> np.uint64(13)
    return low + (high - low) * (i / 2.0**32).reshape(5, -1)


def show(name, values):
    values = np.broadcast_to(keras.ops.convert_to_numpy(values), (5,))
    print(f'    {{"{name}", {{{", ".join(repr(float(v)) for v in values)}}}}},')


y, t = numbers(1, -2, 2), numbers(2, -2, 2)
p, ones = numbers(3, 0, 1), (numbers(4, 0, 1) > 0.5).astype(float)
p[0, 0], p[1, 1] = 0, 1
shares = numbers(5, 0, 1) / numbers(5, 0, 1).sum(axis=1, keepdims=True)
labels = np.array([3, 0, 2, 2, 1])
one_hot = np.eye(4)[labels]
# Keras takes arrays of NumPy for float32.
y, t, p, ones, shares, one_hot = [keras.ops.convert_to_tensor(x, dtype="float64") for x in (y, t, p, ones, shares, one_hot)]
labels = keras.ops.convert_to_tensor(labels)

print("// SPDX-License-Identifier: MIT")
print("#pragma once")
print("// Written by clients/losses.py.")
print("namespace oracle {")
print("struct losses {\n  const char* name;\n  double values[5];\n};")
print("// clang-format off")
print("inline constexpr losses of_samples[] = {")
show("mean_squared_error", losses.mean_squared_error(t, y))
show("mean_absolute_error", losses.mean_absolute_error(t, y))
show("mean_absolute_percentage_error", losses.mean_absolute_percentage_error(t, y))
show("mean_squared_logarithmic_error", losses.mean_squared_logarithmic_error(t, y))
show("log_cosh", losses.log_cosh(t, 30 * y))
show("huber", losses.huber(t, y))
show("huber of 0.5", losses.huber(t, y, delta=0.5))
show("poisson", losses.poisson(3 * ones, p))
show("cosine_similarity", losses.cosine_similarity(t, y))
show("softmax_cross_entropy", losses.categorical_crossentropy(shares, y, from_logits=True))
show("sparse_softmax_cross_entropy", losses.sparse_categorical_crossentropy(labels, y, from_logits=True))
show("sigmoid_cross_entropy", losses.binary_crossentropy(ones, y, from_logits=True))
show("smoothed_softmax_cross_entropy", losses.categorical_crossentropy(shares, y, from_logits=True, label_smoothing=0.2))
show("smoothed_sparse_softmax_cross_entropy", losses.categorical_crossentropy(one_hot, y, from_logits=True, label_smoothing=0.2))
show("binary_cross_entropy", losses.binary_crossentropy(ones, p))
show("categorical_cross_entropy", losses.categorical_crossentropy(shares, p))
show("sparse_categorical_cross_entropy", losses.categorical_crossentropy(one_hot, p))
show("binary_focal_cross_entropy", losses.binary_focal_crossentropy(ones, p, gamma=2.0))
show("binary_focal_cross_entropy of 1.5, 0.3", losses.binary_focal_crossentropy(ones, p, True, alpha=0.3, gamma=1.5))
show("categorical_focal_cross_entropy", losses.categorical_focal_crossentropy(shares, p))
show("categorical_generalized_cross_entropy", losses.categorical_generalized_cross_entropy(labels, p, 0.7))
show("kl_divergence", losses.kl_divergence(ones * shares, p))
show("hinge", losses.hinge(ones, y))
show("hinge of signs", losses.hinge(2 * ones - 1, y))
show("squared_hinge", losses.squared_hinge(ones, y))
show("categorical_hinge", losses.categorical_hinge(one_hot, y))
show("dice", losses.dice(ones, p, axis=1))
show("tversky", losses.tversky(ones, p, alpha=0.3, beta=0.8, axis=1))
embeddings = y / keras.ops.sqrt(keras.ops.sum(y * y, axis=1, keepdims=True))
show("circle", losses.circle(labels, embeddings))
show("circle of 20, 0.2", losses.circle(labels, embeddings, gamma=20, margin=0.2))
steps = keras.ops.convert_to_tensor(4 * numbers(6, 0, 1, 150).reshape(5, 6, 5) - 2, dtype="float64")
said = keras.ops.convert_to_tensor(np.array([[1, 2, 3], [2, 2, 0], [4, 0, 0], [3, 3, 3], [0, 0, 0]]))
show("ctc", losses.ctc(said, steps))
print("};")
print("}  // namespace oracle")
