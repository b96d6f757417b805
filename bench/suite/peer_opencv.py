# SPDX-License-Identifier: MIT
"""OpenCV: the suite's cases of pictures."""
import cv2
import numpy as np

import worker as w

cv2.setNumThreads(w.THREADS)


def job(function, *arrays):
    def make():
        args = [a() for a in arrays]
        return lambda: function(*args), lambda: function(*args)

    return make


def normalised(picture, mean, factor):
    """In place."""
    cv2.subtract(picture, (*map(float, mean), 0), picture)
    return cv2.multiply(picture, (*map(float, factor), 0), picture)


def to_planes(picture, mean, factor):
    return np.stack(cv2.split(normalised(picture.astype(np.float32), mean, factor)))


def resized(picture, mean, factor):
    return normalised(cv2.resize(picture.astype(np.float32), (224, 224), interpolation=cv2.INTER_LINEAR), mean, factor)


def resized_as_bytes(picture, mean, factor):
    """Rounded to bytes before it is normalised, which is less exact by up to half a step of a byte."""
    return normalised(cv2.resize(picture, (224, 224), interpolation=cv2.INTER_LINEAR).astype(np.float32), mean, factor)


def main():
    all = w.Worker()
    all.add_functions("OpenCV", job, {"picture to planes": to_planes, "picture resized": resized})
    all.add_functions("OpenCV, of bytes", job, {"picture resized": resized_as_bytes})
    all.serve()


main()
