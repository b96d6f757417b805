# SPDX-License-Identifier: MIT
# metrics.py > ../values.hpp: metrics of 300 samples, in double, by Keras 3.15.1 and scikit-learn 1.9.1, of build/clients.
import os

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
import keras
import numpy as np
import sklearn.metrics as sk

keras.config.set_floatx("float64")
keras.config.set_dtype_policy("float64")
metrics = keras.metrics


def numbers(seed, width):
    """As tests/nn/numbers.hpp makes them."""
    i = np.arange(300 * width, dtype=np.uint64) + np.uint64(seed * 100003)
    i = i * np.uint64(2654435761) % np.uint64(2**32)
    i ^= i >> np.uint64(15)
    i = i * np.uint64(2246822519) % np.uint64(2**32)
    i ^= i >> np.uint64(13)
    return (i / 2.0**32).reshape(300, width)


def show(name, value):
    print(f"inline constexpr double {name} = {float(value)!r};")


def by_keras(name, metric, t, y, dtype="float64"):
    # Keras takes arrays of NumPy for float32.
    metric.update_state(*[keras.ops.convert_to_tensor(x, dtype=None if x is labels else dtype) for x in (t, y)])
    show(name, metric.result())


p = numbers(1, 1)
so = (numbers(2, 1) < 0.2 + 0.6 * p).astype(float)
scores = 4 * numbers(3, 6) - 2
labels = np.argmax(scores + 3 * numbers(4, 6), axis=1)
y = 4 * numbers(5, 2) - 1
t = y + numbers(6, 2) - 0.4

print("// SPDX-License-Identifier: MIT")
print("#pragma once")
print("// Written by clients/metrics.py.")
print("// clang-format off")
print("namespace oracle {")
by_keras("binary_accuracy", metrics.BinaryAccuracy(), so, p)
by_keras("binary_accuracy_at_3", metrics.BinaryAccuracy(threshold=0.3), so, p)
by_keras("precision", metrics.Precision(), so, p)
by_keras("precision_at_8", metrics.Precision(thresholds=0.8), so, p)
by_keras("recall", metrics.Recall(), so, p)
by_keras("recall_at_2", metrics.Recall(thresholds=0.2), so, p)
by_keras("f1", metrics.F1Score(average="micro", threshold=0.5), so, p)
show("precision_by_sklearn", sk.precision_score(so, p > 0.5))
show("recall_by_sklearn", sk.recall_score(so, p > 0.5))
show("f1_by_sklearn", sk.f1_score(so, p > 0.5))
by_keras("auc", metrics.AUC(), so, p)
by_keras("auc_of_50", metrics.AUC(num_thresholds=50), so, p)
show("auc_by_sklearn", sk.roc_auc_score(so, p))
by_keras("precision_recall_auc", metrics.AUC(curve="PR"), so, p)
by_keras("accuracy", metrics.SparseCategoricalAccuracy(), labels, scores)
# TensorFlow's in_top_k has float32 alone.
by_keras("top_3_accuracy", metrics.SparseTopKCategoricalAccuracy(k=3), labels, scores, "float32")
by_keras("top_3_accuracy_of_one_hot", metrics.TopKCategoricalAccuracy(k=3), np.eye(6)[labels], scores, "float32")
by_keras("macro_f1", metrics.F1Score(average="macro"), np.eye(6)[labels], scores)
show("macro_f1_by_sklearn", sk.f1_score(labels, np.argmax(scores, axis=1), average="macro"))
by_keras("cross_entropy", metrics.SparseCategoricalCrossentropy(from_logits=True), labels, scores)
by_keras("mean_squared_error", metrics.MeanSquaredError(), t, y)
by_keras("mean_absolute_error", metrics.MeanAbsoluteError(), t, y)
by_keras("root_mean_squared_error", metrics.RootMeanSquaredError(), t, y)
by_keras("mean_absolute_percentage_error", metrics.MeanAbsolutePercentageError(), t, y)
by_keras("log_cosh", metrics.LogCoshError(), t, y)
by_keras("r2", metrics.R2Score(), t, y)
show("r2_by_sklearn", sk.r2_score(t, y))
show("r2_of_first", sk.r2_score(t[:, 0], y[:, 0]))
show("mean", metrics.Mean()(keras.ops.convert_to_tensor(scores, dtype="float64")))
matrix = sk.confusion_matrix(labels, np.argmax(scores, axis=1))
print(f"inline constexpr double confusion_matrix[] = {{{', '.join(str(int(v)) for v in matrix.ravel())}}};")
print("}  // namespace oracle")
