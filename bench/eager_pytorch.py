# SPDX-License-Identifier: MIT
"""What bench/eager.cpp times, in PyTorch's eager mode: python3 bench/eager_pytorch.py"""
import time

import torch

torch.set_num_threads(1)


def measure(work, call, rounds=21):
    call()
    calls = 1
    while True:
        start = time.process_time()
        for _ in range(calls):
            call()
        seconds = time.process_time() - start
        if seconds > 0.005:
            break
        calls *= 4
    samples = []
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(calls):
            call()
        samples.append((time.process_time() - start) / calls)
    print(f"{work:34s} {sorted(samples)[rounds // 2] * 1e9:10.0f} ns")


def main():
    print("PyTorch", torch.__version__, "one thread")
    a, b = torch.tensor(1.5), torch.tensor(2.25)
    x, y = torch.tensor([1.0, 2, 3, 4]), torch.tensor([5.0, 6, 7, 8])
    m, n, row = torch.rand(100, 100), torch.rand(100, 100), torch.rand(100)
    with torch.no_grad():
        measure("scalar + scalar", lambda: a + b)
        measure("4 + 4", lambda: x + y)
        measure("4 + 1", lambda: x + 1.0)
        measure("tanh of 4", lambda: torch.tanh(x))
        measure("sum of 4", lambda: torch.sum(x))
        measure("row of 100 x 100", lambda: m[7])
        measure("100 x 100 + 100 x 100", lambda: m + n)
        measure("100 x 100 + 100", lambda: m + row)
        measure("sum of 100 x 100, axis 0", lambda: torch.sum(m, 0))
        measure("matmul 100 x 100", lambda: m @ n)
    watched = x.clone().requires_grad_()
    measure("4 + 4 on a tape", lambda: watched + y)

    images, labels = torch.rand(50, 784), torch.arange(50) % 10
    variables = [torch.randn(784, 100) * 0.05, torch.zeros(100), torch.randn(100, 10) * 0.1, torch.zeros(10)]
    for v in variables:
        v.requires_grad_()

    def step():
        w1, b1, w2, b2 = variables
        logits = torch.relu(images @ w1 + b1) @ w2 + b2
        loss = torch.nn.functional.cross_entropy(logits, labels)
        gradients = torch.autograd.grad(loss, variables)
        with torch.no_grad():
            for v, slope in zip(variables, gradients):
                v.sub_(slope, alpha=0.01)
        return loss.item()

    measure("784-100-10, batch 50", step)


if __name__ == "__main__":
    main()
