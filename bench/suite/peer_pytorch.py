# SPDX-License-Identifier: MIT
"""PyTorch, eager: the suite's cases."""
import torch
import torch.nn.functional as F

import worker as w

torch.set_num_threads(w.THREADS)
LIBRARY = "PyTorch"


def tensors(*arrays):
    return [torch.from_numpy(a) for a in arrays]


def job(function, *arrays):
    def make():
        args = tensors(*[a() for a in arrays])

        def call():
            with torch.no_grad():
                return function(*args)

        return call, lambda: call().numpy()

    return make


class Network(torch.nn.Module):
    def __init__(self, shapes, convolutional):
        super().__init__()
        self.convolutional = convolutional
        self.kernels, self.biases = torch.nn.ParameterList(), torch.nn.ParameterList()
        for kernel in w.kernels(shapes):
            if kernel.ndim == 4:
                kernel = kernel.transpose(3, 2, 0, 1)
            self.kernels.append(torch.nn.Parameter(torch.from_numpy(kernel.copy())))
            self.biases.append(torch.nn.Parameter(torch.zeros(kernel.shape[0] if kernel.ndim == 4 else kernel.shape[1])))

    def forward(self, x):
        first = 0
        if self.convolutional:
            for k in range(2):
                x = F.max_pool2d(F.relu(F.conv2d(x, self.kernels[k], self.biases[k], padding=2)), 2)
            x = x.permute(0, 2, 3, 1).reshape(x.shape[0], -1)
            first = 2
        for k in range(first, len(self.kernels)):
            x = torch.addmm(self.biases[k], x, self.kernels[k])
            if k + 1 < len(self.kernels):
                x = F.relu(x)
        return x


def training(x, shapes, convolutional=False, channels_last=False):
    def make():
        labels = torch.from_numpy(w.labels(len(x())).astype("int64"))
        images = torch.from_numpy(x())
        if channels_last:
            images = images.to(memory_format=torch.channels_last)

        def fresh():
            model = Network(shapes, convolutional)
            if channels_last:
                model = model.to(memory_format=torch.channels_last)
            optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, eps=1e-7, fused=True)

            def step():
                optimizer.zero_grad(set_to_none=True)
                loss = F.cross_entropy(model(images), labels)
                loss.backward()
                optimizer.step()
                return loss

            return step

        step = fresh()

        def results():
            again = fresh()
            return [float(again().detach()) for _ in range(4)]

        return step, results

    return make


def main():
    all = w.Worker()
    add = lambda case, make, library=LIBRARY: all.add(case, library, make)
    for n in w.SIZES:
        xy = [lambda n=n: w.element(1, (n,)), lambda n=n: w.element(2, (n,))]
        for ops in (3, 10, 30):
            add(w.chain_name(ops, n), job(lambda x, y, ops=ops: w.chain(ops, x, y), *xy))
        add(w.functions_name(n), job(lambda x, y: torch.log(torch.exp(x) + 0.5) * torch.tanh(y), *xy))
    for s in w.ROWS:
        x = lambda s=s: w.element(1, s)
        add(w.row_name("sum along rows", s), job(lambda x: x.sum(1), x))
        add(w.row_name("max along rows", s), job(lambda x: x.amax(1), x))
        add(w.row_name("log-sum-exp along rows", s), job(lambda x: torch.logsumexp(x, 1), x))
        add(w.row_name("softmax along rows", s), job(lambda x: torch.softmax(x, 1), x))
        add(w.row_name("layer norm of rows", s), job(lambda x: F.layer_norm(x, x.shape[1:]), x))
        add(w.row_name("argmax along rows", s), job(lambda x: x.argmax(1), x))
    s = (512, 1024)
    x = lambda s=s: w.element(1, s)
    add(w.row_name("sum along columns", s), job(lambda x: x.sum(0), x))
    add(w.row_name("max along columns", s), job(lambda x: x.amax(0), x))
    add(w.row_name("argmax along columns", s), job(lambda x: x.argmax(0), x))
    add(w.row_name("variance along columns", s), job(lambda x: x.var(0, correction=0), x))
    add(w.row_name("cumulative sum along columns", s), job(lambda x: x.cumsum(0), x))
    add(w.row_name("cumulative sum along rows", s), job(lambda x: x.cumsum(1), x))
    for s in ((2048, 2048), (1000, 300)):
        add(w.row_name("transpose + 1", s), job(lambda x: (x.t() + 1).contiguous(), lambda s=s: w.element(1, s)))
    add("P2 gather of 100,000 rows of 64",
        job(lambda table, rows: F.embedding(rows, table), lambda: w.element(1, (20000, 64)), w.rows_to_gather))
    matrix = lambda k, m, n: lambda: w.element(k, (m, n))
    for n in w.SQUARES:
        add(w.product_name(n, n, n), job(torch.matmul, matrix(1, n, n), matrix(2, n, n)))
    add(w.product_name(50, 784, 100), job(torch.matmul, matrix(1, 50, 784), matrix(2, 784, 100)))
    add(w.product_name(1, 2048, 2048), job(torch.matmul, matrix(1, 1, 2048), matrix(2, 2048, 2048)))
    for n in (64, 512):
        add(w.product_name(n, n, n, ", left transposed"), job(lambda a, b: a.t() @ b, matrix(1, n, n), matrix(2, n, n)))
        add(w.product_name(n, n, n, ", right transposed"), job(lambda a, b: a @ b.t(), matrix(1, n, n), matrix(2, n, n)))
    for m, k, n in ((256, 256, 256), (50, 3136, 1024)):
        add(w.product_name(m, k, n, " + bias, relu"),
            job(lambda a, b, c: torch.relu_(torch.addmm(c, a, b)), matrix(1, m, k), matrix(2, k, n), lambda n=n: w.element(3, (n,))))
    add(w.product_name(256, 256, 256, " + bias, gelu"),
        job(lambda a, b, c: F.gelu(torch.addmm(c, a, b)), matrix(1, 256, 256), matrix(2, 256, 256), lambda: w.element(3, (256,))))
    for n in (4, 16, 64):
        add(f"P4 dense {n} x {n}, tanh, one sample",
            job(lambda x, k, b: torch.tanh(torch.addmm(b, x, k)), matrix(1, 1, n), lambda n=n: w.element(2, (n, n), 0.25),
                lambda n=n: w.element(3, (n,))))
    for batch, deep in w.NETWORKS:
        add(w.dense_name(batch, deep), training(lambda batch=batch: w.images(batch), w.dense_shapes(deep)))
    pixels = lambda: w.images(50).reshape(50, 1, 28, 28)
    add(w.CNN, training(pixels, w.CNN_KERNELS, True))
    add(w.CNN, training(pixels, w.CNN_KERNELS, True, True), "PyTorch, channels last")
    all.serve()


main()
