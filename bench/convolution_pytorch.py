# SPDX-License-Identifier: MIT
"""What bench/convolution.cpp times, in PyTorch: python3 bench/convolution_pytorch.py"""
import time

import torch

torch.set_num_threads(1)


def measure(work, call, flop, rounds=11):
    for _ in range(3):
        call()
    samples = []
    for _ in range(rounds):
        start = time.process_time()
        call()
        samples.append(time.process_time() - start)
    seconds = sorted(samples)[rounds // 2]
    print(f"  {work:28s} {seconds * 1e3:8.2f} ms  {flop / seconds * 1e-9:5.1f} GFLOP/s")


def time_layer(batch, size, channels, filters, window, layout):
    x = torch.rand(batch, channels, size, size).to(memory_format=layout)
    w = torch.rand(filters, channels, window, window).to(memory_format=layout)
    bias = torch.rand(filters)
    dy = torch.rand(batch, filters, size, size).to(memory_format=layout)
    flop = 2.0 * batch * size * size * window * window * channels * filters
    print(f"{batch} images {size} x {size} x {channels}, {filters} windows {window} x {window}, {layout}")
    around = window // 2
    gradients = torch.ops.aten.convolution_backward
    with torch.no_grad():
        measure("forward, bias, relu", lambda: torch.relu_(torch.nn.functional.conv2d(x, w, bias, padding=around)), flop)
        for work, mask in (("gradient of the image", [True, False, False]), ("gradient of the kernel", [False, True, False])):
            measure(work, lambda: gradients(dy, x, w, None, [1, 1], [around] * 2, [1, 1], False, [0, 0], 1, mask), flop)


def main():
    print("PyTorch", torch.__version__, "one thread")
    for layer in ((50, 28, 1, 32, 5), (50, 14, 32, 64, 5), (8, 56, 64, 64, 3), (8, 14, 256, 256, 3), (8, 28, 128, 256, 1)):
        for layout in (torch.contiguous_format, torch.channels_last):
            time_layer(*layer, layout)


main()
