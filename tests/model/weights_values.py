# SPDX-License-Identifier: MIT
"""weights_values.py: what tests/model/weights.cpp expects, by Keras."""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import keras
import numpy as np

x = np.array([[1, 2], [3, -1], [0, 4], [-2, 1], [5, 0], [1, 1]], "float32")
y = np.array([[1], [0], [3], [-1], [2], [4]], "float32")
weights = np.array([1, 0, 2.5, 0.5, 1, 3], "float32")

model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1, kernel_initializer="ones")])
model.compile(optimizer=keras.optimizers.SGD(0.05), loss="mse", metrics=["mae"])
print("evaluate", model.evaluate(x, y, sample_weight=weights, batch_size=4, verbose=0))
print("train_on_batch", model.train_on_batch(x, y, sample_weight=weights))
print("kernel, bias", [v.numpy().ravel().tolist() for v in model.weights])
print("fit", model.fit(x, y, sample_weight=weights, batch_size=4, epochs=2, shuffle=False, verbose=0).history)
print("kernel, bias", [v.numpy().ravel().tolist() for v in model.weights])

labels = np.array([[0, 1, 2, 1], [2, 2, 0, 1]], "int32")
sequences = np.arange(24, dtype="float32").reshape(2, 4, 3) % 5 - 2
model = keras.Sequential([keras.Input((4, 3)), keras.layers.Dense(3, kernel_initializer="ones", bias_initializer="ones")])
model.compile(optimizer=keras.optimizers.SGD(0.05), loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
print("sequences", model.train_on_batch(sequences, labels, sample_weight=np.array([[1], [3]], "float32")))
print("kernel, bias", [v.numpy().ravel().tolist() for v in model.weights])
