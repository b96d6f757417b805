# SPDX-License-Identifier: MIT
"""mask_values.py: what tests/model/masks.cpp expects, by Keras 3.15."""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import keras
import numpy as np


def filled(shape, k):
    return (0.4 * np.sin(0.37 * np.arange(int(np.prod(shape))) + k)).astype(np.float32).reshape(shape)


words = np.array([[3, 1, 0, 0], [2, 0, 4, 1], [1, 1, 2, 3]], "int32")
labels = np.array([[1, 0, 2, 2], [0, 1, 2, 1], [2, 1, 0, 0]], "int32")
model = keras.Sequential([keras.Input((4,), dtype="int32"), keras.layers.Embedding(5, 3, mask_zero=True),
                          keras.layers.GRU(2, return_sequences=True), keras.layers.Dropout(0.0), keras.layers.Dense(3)])
for k, w in enumerate(model.weights):
    w.assign(filled(w.shape, k))
model.compile(optimizer=keras.optimizers.SGD(0.5), loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
print("evaluate", model.evaluate(words, labels, batch_size=3, verbose=0), model.evaluate(words, labels, batch_size=2, verbose=0))
print("train_on_batch", model.train_on_batch(words, labels), model.train_on_batch(words, labels))
for w in model.weights:
    print(w.path, ["%.7g" % v for v in w.numpy().ravel()])
print("weighted", model.test_on_batch(words, labels, sample_weight=np.array([[1], [3], [0.5]], "float32")))

# Losses of elements: a target for each class of each step.
target = np.eye(3, dtype="float32")[[i * i % 3 for i in range(12)]].reshape(3, 4, 3)
for loss in ("MeanSquaredError()", "CategoricalCrossentropy(from_logits=True)", "BinaryCrossentropy(from_logits=True)", "CosineSimilarity()"):
    model = keras.Sequential([keras.Input((4,), dtype="int32"), keras.layers.Embedding(5, 3, mask_zero=True), keras.layers.Dense(3)])
    for k, w in enumerate(model.weights):
        w.assign(filled(w.shape, k))
    model.compile(optimizer=keras.optimizers.SGD(0.5), loss=eval("keras.losses." + loss))
    print(loss, model.train_on_batch(words, target), model.test_on_batch(words, target))
    print(loss, "weighted", model.test_on_batch(words, target, sample_weight=np.array([[1], [3], [0.5]], "float32")))
