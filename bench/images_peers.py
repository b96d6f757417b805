# SPDX-License-Identifier: MIT
# images_peers.py FOLDER tensorflow|pytorch: what bench/images does, by tf.data or PyTorch's DataLoader (with Pillow and torchvision), on two
# processors: of a processor an image, of all threads and processes, and images a second; the least of three rounds.
import os
import resource
import sys
import time

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
folder, peer = sys.argv[1:]


def processor():
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def measure(name, images, run):
    rounds = []
    for _ in range(3):
        begin, clock = processor(), time.monotonic()
        run()
        rounds.append((processor() - begin, time.monotonic() - clock))
    print(f"{name:44} {1e6 * min(r[0] for r in rounds) / images:7.0f} us of a processor an image, "
          f"{images / min(r[1] for r in rounds):6.0f} images/s")


if peer == "tensorflow":
    import glob

    import tensorflow as tf

    files = sorted(glob.glob(folder + "/*/*.jpg"))
    labels = [int(f.split("/")[-2] != "a") for f in files]

    def load(path, label, **how):
        return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path), channels=3), (64, 64), **how), label

    base = tf.data.Dataset.from_tensor_slices((files, labels))
    for name, threads, how in (("one thread", None, {}), ("one thread, antialias", None, {"antialias": True}), ("two threads", 2, {})):
        pipeline = base.map(lambda p, l: load(p, l, **how), num_parallel_calls=threads).shuffle(1000).batch(32).prefetch(1)
        measure("tf.data, " + name, len(files), lambda: [None for _ in pipeline])
else:
    import torch
    from torchvision import datasets, transforms

    torch.set_num_threads(1)
    steps = transforms.Compose([transforms.Resize((64, 64)), transforms.ToTensor()])
    images = datasets.ImageFolder(folder, steps)
    for workers in (0, 2):
        loader = torch.utils.data.DataLoader(images, batch_size=32, shuffle=True, num_workers=workers)
        measure(f"DataLoader, {workers} workers", len(images), lambda: [None for _ in loader])
