# SPDX-License-Identifier: MIT
# bundle_client.py write|read|restore|theirs PREFIX: the tensors of tests/format/tensor_bundle.cpp, by TensorFlow.
import os
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
import numpy
import tensorflow as tf

tensors = {
    "dense/kernel": numpy.arange(6, dtype=numpy.float32).reshape(2, 3) / 2,
    "dense/kernel/adam/m": numpy.array([1.5, -2.5]),
    "empty": numpy.zeros((0, 4), dtype=numpy.uint16),
    "flags": numpy.array([True, False, True]),
    "half": numpy.array([1.5, -2], dtype=tf.bfloat16.as_numpy_dtype),
    "step": numpy.array(-7, dtype=numpy.int64),
    "texts": numpy.array([[b"", b"abc"], [b"\0\xff", b"x" * 300]], dtype=object),
}
for bits in (8, 16, 32):
    tensors[f"i{bits}"] = numpy.array([-(2 ** (bits - 1)), 1], dtype=f"int{bits}")
for bits in (8, 32, 64):
    tensors[f"u{bits}"] = numpy.array([2**bits - 1], dtype=f"uint{bits}")
mode, prefix = sys.argv[1:]


def save(to):
    all_tensors = dict(sorted(tensors.items()))
    values = [tf.constant(t) for t in all_tensors.values()]
    tf.raw_ops.SaveV2(prefix=to, tensor_names=list(all_tensors), shape_and_slices=[""] * len(values), tensors=values)


class objects(tf.Module):
    """Variables by names with slashes, all zero."""

    def __init__(self):
        super().__init__()

        def zero(name):
            return tf.Variable(tf.zeros_like(tensors[name]))

        self.step = zero("step")
        self.dense = tf.Module()
        self.dense.kernel = zero("dense/kernel")
        self.dense.texts = tf.Variable([["", ""], ["", ""]])


if mode == "write":
    save(prefix)
elif mode == "objects":
    module = objects()
    module.step.assign(tensors["step"])
    module.dense.kernel.assign(tensors["dense/kernel"])
    tf.train.Checkpoint(model=module, **{"a.b": tf.Variable([1, 2])}).write(prefix)
elif mode == "read":
    reader = tf.train.load_checkpoint(prefix)
    names = set(reader.get_variable_to_shape_map())
    assert names == set(tensors), names
    for name, expected in tensors.items():
        found = reader.get_tensor(name)
        found = numpy.array(found, dtype=object) if expected.dtype == object else found
        assert found.dtype == expected.dtype and found.shape == expected.shape, name
        assert (found == expected).all(), name
    # Bytes: all but the end of the index, where TensorFlow writes a shorter key.
    if os.path.exists(prefix + ".data-00000-of-00001"):
        save(prefix + ".theirs")
        for end in (".data-00000-of-00001", ".index"):
            ours, theirs = (open(p + end, "rb").read() for p in (prefix, prefix + ".theirs"))
            same = ours == theirs if end != ".index" else ours[:-90] == theirs[: len(ours) - 90]
            assert same, (ours, theirs)
elif mode == "restore":
    module = objects()
    status = tf.train.Checkpoint(model=module).restore(prefix)
    status.assert_existing_objects_matched().expect_partial()
    assert module.step.numpy() == -7, module.step
    assert (module.dense.kernel.numpy() == tensors["dense/kernel"]).all(), module.dense.kernel
    assert (module.dense.texts.numpy() == tensors["texts"]).all(), module.dense.texts
