# SPDX-License-Identifier: MIT
# plateau.py: the rates behind each of 16 epochs of the losses of tests/model/callbacks.cpp, by Keras 3.15.1's ReduceLROnPlateau.
import os

os.environ["KERAS_BACKEND"] = "torch"
import keras

losses = [1, 0.9, 0.9, 0.9, 0.89, 0.895, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8]


class Model:
    optimizer = keras.optimizers.SGD(0.5)


for name, keywords in (("plain", {"patience": 2, "factor": 0.5}), ("cooling", {"patience": 2, "factor": 0.5, "cooldown": 3, "min_lr": 0.2, "min_delta": 0.02})):
    Model.optimizer.learning_rate = 0.5
    callback = keras.callbacks.ReduceLROnPlateau(monitor="val_loss", **keywords)
    callback.set_model(Model)
    callback.on_train_begin()
    rates = []
    for epoch, loss in enumerate(losses):
        callback.on_epoch_end(epoch, {"val_loss": loss})
        rates.append(float(Model.optimizer.learning_rate))
    print(name, rates)
