# SPDX-License-Identifier: MIT
# checkpoint_client.py restore|save|safetensors|npz FOLDER: the checkpoints of tests/checkpoint/client.cpp, by tf.train, safetensors
# or NumPy, which write them again as theirs.safetensors and theirs.npz.
import os
import sys

import numpy

mode, folder = sys.argv[1:]
values = {
    "first/kernel": numpy.array([[0, 0.5, 1, 1.5]], numpy.float32),
    "first/bias": numpy.array([-1, -2, -3, -4], numpy.float32),
}

if mode in ("safetensors", "npz"):
    path = os.path.join(folder, "ckpt-3." + mode)
    theirs = os.path.join(folder, "theirs." + mode)
    scalars = {"step": numpy.array(41), "save_counter": numpy.array(3), "losses": numpy.array([3, 2, 1], numpy.float32)}
    all_values = scalars | {"model/" + name: value for name, value in values.items()}
    if mode == "npz":
        found = numpy.load(path)
        assert found["note"] == b"a note", found["note"]
        numpy.savez(theirs, **all_values)
    else:
        from safetensors.numpy import load_file, save_file

        found = load_file(path)
        save_file(all_values, theirs)
    for name, value in values.items():
        assert (found["model/" + name] == value).all(), name
    assert found["step"] == 41 and found["losses"].tolist() == [3, 2, 1], found
    sys.exit()

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
import tensorflow as tf


class model(tf.Module):
    def __init__(self, scale):
        super().__init__()
        self.first = tf.Module()
        self.first.kernel = tf.Variable(values["first/kernel"] * scale)
        self.first.bias = tf.Variable(values["first/bias"] * scale)


m = model(0 if mode == "restore" else 1)
step = tf.Variable(0 if mode == "restore" else 41, dtype=tf.int64)
losses = tf.Variable(tf.zeros(3) if mode == "restore" else [3.0, 2.0, 1.0])
checkpoint = tf.train.Checkpoint(model=m, step=step, losses=losses)
if mode == "save":
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    for _ in range(3):
        manager.save()
else:
    latest = tf.train.latest_checkpoint(folder)
    assert latest == os.path.join(folder, "ckpt-3"), latest
    checkpoint.restore(latest).assert_existing_objects_matched().expect_partial()
    assert (m.first.kernel.numpy() == values["first/kernel"]).all() and (m.first.bias.numpy() == values["first/bias"]).all()
    assert step.numpy() == 41 and losses.numpy().tolist() == [3, 2, 1] and checkpoint.save_counter.numpy() == 3
    state = tf.train.get_checkpoint_state(folder)
    assert [os.path.basename(p) for p in state.all_model_checkpoint_paths] == ["ckpt-2", "ckpt-3"], state
    # Its manager goes on from etch's.
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    assert os.path.basename(manager.latest_checkpoint) == "ckpt-3"
    assert os.path.basename(manager.save()) == "ckpt-4"
    assert not os.path.exists(os.path.join(folder, "ckpt-2.index"))
