#!/usr/bin/env python3
# Computes what layers of Keras give, with weights and inputs that a formula makes, and their gradients: what keras_values.hpp writes down.
#   tests/layers/keras_values.py | clang-format-19 --style=file --assume-filename=tests/layers/x.hpp > tests/layers/keras_values.hpp
# (TensorFlow 2.21, Keras 3.15)
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

keras = tf.keras
layers = keras.layers


def filled(shape, k, scale=0.4):
    """scale * sin(0.37 i + k) for element i"""
    n = int(np.prod(shape))
    return (scale * np.sin(0.37 * np.arange(n) + k)).astype(np.float32).reshape(shape)


def numbers(a):
    return "{" + ", ".join("%.8gf" % v if v != int(v) or abs(v) > 1e6 else "%d" % v for v in np.ravel(a)) + "}"


def case(name, make, shape, call=None):
    """Of inputs filled(shape, 100): outputs, and gradients of the sum of their squares; weights are filled(shape, place)."""
    keras.utils.clear_session()
    layer = make()
    call = (lambda x: call_of(layer, x)) if (call_of := call) else layer
    x = tf.Variable(filled(shape, 100, 1.0))
    call(x)
    weights = [w for w in layer.weights if "seed" not in w.path] if layer is not None else []
    for k, w in enumerate(weights):
        w.assign(filled(w.shape, k) + (1 if "variance" in w.path or "gamma" in w.path else 0))
    with tf.GradientTape() as tape:
        y = call(x)
        ys = y if isinstance(y, (list, tuple)) else [y]
        loss = sum(tf.reduce_sum(v * v) for v in ys)
    trained = [w for w in weights if w.trainable]
    gradients = tape.gradient(loss, [x] + [w.value for w in trained])
    print("/// %s" % name)
    print("inline const values %s{" % name)
    print("{%s}, {%s}, " % (", ".join(map(str, shape)), ", ".join(numbers(v) for v in ys)))
    print("%s, " % numbers(gradients[0]))
    print("{")
    of = {w.path: g for w, g in zip(trained, gradients[1:])}
    for w in weights:
        print('{"%s", %s},' % (w.path.removeprefix("sequential/"), numbers(of[w.path]) if w.path in of else "{}"))
    print("}};")


print("// SPDX-License-Identifier: MIT")
print("// Made by keras_values.py; do not edit.")
print("#pragma once")
print("#include <string>")
print("#include <vector>")
print("namespace keras {")
print("struct weight { std::string name; std::vector<float> gradient; };")
print("/// Of one call: outputs, the gradient of the inputs, and the weights.")
print("struct values { std::vector<std::size_t> shape; std::vector<std::vector<float>> outputs; std::vector<float> input_gradient; "
      "std::vector<weight> weights; };")

R = (2, 4, 3)
case("simple_rnn", lambda: layers.SimpleRNN(3), R)
case("simple_rnn_relu", lambda: layers.SimpleRNN(3, activation="relu", return_sequences=True), R)
case("gru", lambda: layers.GRU(3), R)
case("gru_backwards", lambda: layers.GRU(3, return_sequences=True, go_backwards=True), R)
case("lstm", lambda: layers.LSTM(3), R)
case("lstm_sequences", lambda: layers.LSTM(3, return_sequences=True, return_state=True), R)
case("lstm_hard", lambda: layers.LSTM(2, activation="softsign", recurrent_activation="hard_sigmoid"), R)
case("lstm_first_state", lambda: layers.LSTM(3, return_state=True), R,
     lambda lstm, x: lstm(x, initial_state=[filled((2, 3), 50), filled((2, 3), 51)]))
case("bidirectional_lstm", lambda: layers.Bidirectional(layers.LSTM(2, return_sequences=True)), R)
case("bidirectional_gru", lambda: layers.Bidirectional(layers.GRU(2)), R)
case("bidirectional_sum", lambda: layers.Bidirectional(layers.SimpleRNN(2), merge_mode="sum"), R)
case("stacked", lambda: keras.Sequential([layers.LSTM(3, return_sequences=True), layers.LSTM(2), layers.Dense(2)]), R)

A = (2, 4, 6)
attention = lambda: layers.MultiHeadAttention(2, 3)
mask = np.array([[[(b + 2 * q + 3 * k) % 4 != 0 for k in range(4)] for q in range(4)] for b in range(2)])
mask[1, 2] = False
case("attention_itself", attention, A, lambda a, x: a(x, x))
case("attention_causal", attention, A, lambda a, x: a(x, x, use_causal_mask=True))
case("attention_masked", attention, A, lambda a, x: a(x, x, attention_mask=mask, use_causal_mask=True))
case("attention_crossed", attention, A, lambda a, x: a(x, filled((2, 5, 4), 60), key=filled((2, 5, 3), 61)))
print("}  // namespace keras")
