# SPDX-License-Identifier: MIT
"""PyTorch, eager and compiled: the suite's cases."""
import json
import os
import tempfile

os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # no pool of processes that stays
import torch
import torch.nn.functional as F

import worker as w

torch.set_num_threads(w.THREADS)
LIBRARY, COMPILED = "PyTorch", "PyTorch, compiled"


def tensors(*arrays):
    return [torch.from_numpy(a) for a in arrays]


def compiled(function):
    torch._dynamo.reset()  # what was compiled for other shapes counts against a limit
    return torch.compile(function, dynamic=False, fullgraph=True)


def job(compile):
    def of(function, *arrays):
        def make():
            args = tensors(*[a() for a in arrays])
            f = compile(function)

            def call():
                with torch.no_grad():
                    return f(*args)

            return call, lambda: call().numpy()

        return make

    return of


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


def step_of(optimizer, loss_of):
    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of()
        loss.backward()
        optimizer.step()
        return loss

    return step


def training_step(x, shapes, convolutional, channels_last, compile):
    """A function that gives a step, from new weights."""
    labels = torch.from_numpy(w.labels(len(x())).astype("int64"))
    images = torch.from_numpy(x())
    if channels_last:
        images = images.to(memory_format=torch.channels_last)

    def fresh():
        model = Network(shapes, convolutional)
        if channels_last:
            model = model.to(memory_format=torch.channels_last)
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, eps=1e-7, fused=True)
        return step_of(optimizer, compile(lambda: F.cross_entropy(model(images), labels)))

    return fresh


def ready(fresh):
    """A step of new weights, and its results: the losses of the first four steps of others."""
    again = fresh()
    expected = [float(again().detach()) for _ in range(4)]  # before the step that is timed is compiled: compiling forgets other steps
    return fresh(), lambda: expected


def training(x, shapes, convolutional, channels_last=False, compile=lambda f: f):
    return lambda: ready(training_step(x, shapes, convolutional, channels_last, compile))


class Transformer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kernels = torch.nn.ParameterList([torch.nn.Parameter(torch.from_numpy(a.copy())) for a in w.kernels(w.transformer.shapes)])
        self.biases = torch.nn.ParameterList([torch.nn.Parameter(torch.zeros(a.shape[1])) for a in self.kernels])
        self.norms = torch.nn.ModuleList([torch.nn.LayerNorm(w.transformer.width, eps=w.transformer.epsilon) for _ in range(2)])

    def dense(self, k, x):
        return F.linear(x, self.kernels[k].t(), self.biases[k])

    def forward(self, x):
        t = w.transformer
        h = self.norms[0](x)
        q, k, v = (self.dense(i, h).view(t.batch, t.length, t.heads, -1).transpose(1, 2) for i in range(3))
        mixed = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(x.shape)
        a = x + self.dense(3, mixed)
        return a + self.dense(5, F.gelu(self.dense(4, self.norms[1](a))))


def transformer(compile):
    def make():
        x, y = tensors(w.transformer.x(), w.transformer.y())

        def fresh():
            model = Transformer()
            optimizer = torch.optim.SGD(model.parameters(), lr=w.transformer.rate, fused=True)
            return step_of(optimizer, compile(lambda: F.mse_loss(model(x), y)))

        return ready(fresh)

    return make


def memory(x, shapes, convolutional):
    """The most that is allocated in a step beside what lives on between steps; not what libraries under PyTorch take for themselves."""
    def make():
        step = training_step(x, shapes, convolutional, False, lambda f: f)()
        for _ in range(3):
            step()
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profile:
            step()
        with tempfile.NamedTemporaryFile(suffix=".json") as f:
            profile.export_chrome_trace(f.name)
            events = json.load(open(f.name))["traceEvents"]
        return {"step": max(e["args"]["Total Allocated"] for e in events if e["name"] == "[memory]")}

    return make


def of_images(function):
    """Channels last; kernels and biases as it has them."""
    def of(*arrays):
        def make():
            x, *weights = tensors(*[a() for a in arrays])
            x = x.permute(0, 3, 1, 2)
            weights = [a.permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last) if a.ndim == 4 else a for a in weights]

            def call():
                with torch.no_grad():
                    return function(x, *weights)

            return call, lambda: call().permute(0, 2, 3, 1).numpy()

        return make

    return of


def mobilenet_blocks(x, *weights):
    for expand, expand_bias, kernel, bias, project, project_bias in zip(*[iter(weights)] * 6):
        y = F.relu6(F.conv2d(x, expand, expand_bias), inplace=True)
        y = F.relu6(F.conv2d(y, kernel, bias, padding=1, groups=len(bias)), inplace=True)
        x = x + F.conv2d(y, project, project_bias)
    return x


def residual_block(x, first, first_bias, second, second_bias):
    y = torch.relu_(F.conv2d(x, first, first_bias, padding=1))
    return torch.relu_(F.conv2d(y, second, second_bias, padding=1) + x)


IMAGES = {
    "convolution + bias, relu": lambda x, k, b: torch.relu_(F.conv2d(x, k, b, padding=2)),
    "depthwise": lambda x, k, b: F.relu6(F.conv2d(x, k, b, padding=1, groups=len(b)), inplace=True),
    "depthwise, stride 2": lambda x, k, b: F.relu6(F.conv2d(F.pad(x, (0, 1, 0, 1)), k, b, stride=2, groups=len(b)), inplace=True),
    "MobileNet blocks": mobilenet_blocks,
    "residual block": residual_block,
    "max pool of 2": lambda x: F.max_pool2d(x, 2, 2),
    "max pool of 3": lambda x: F.max_pool2d(x, 3, 2),
}


def dense_network(x, first, second, last):
    return torch.relu_(torch.relu_(x @ first) @ second) @ last


def k_means(points, centres):
    nearest = ((centres * centres).sum(1) - 2 * points @ centres.t()).argmin(1)
    sums = torch.zeros_like(centres).index_add_(0, nearest, points)
    return sums / torch.bincount(nearest, minlength=len(centres)).clamp(min=1)[:, None]


def decoder():
    def make():
        d = w.decoder
        x, keys, values, query, key, value, out = tensors(*[a() for a in (d.x, d.keys, d.values, *d.kernels)])
        position, visible = torch.tensor([d.position]), torch.arange(len(keys)) <= d.position
        by_head = lambda a: a.view(len(a), d.heads, -1).transpose(0, 1)

        def call():
            with torch.no_grad():
                keys.index_copy_(0, position, x @ key)
                values.index_copy_(0, position, x @ value)
                mixed = F.scaled_dot_product_attention(by_head(x @ query), by_head(keys), by_head(values), attn_mask=visible)
                return mixed.transpose(0, 1).reshape(1, -1) @ out

        return call, lambda: call().numpy()

    return make


def embedding(optimizer, steps=1):
    """Of rows alone: `sparse` gradients."""
    def make():
        ids, target = torch.from_numpy(w.embedding.ids()), torch.from_numpy(w.embedding.target())

        def fresh():
            table = torch.nn.Embedding.from_pretrained(torch.from_numpy(w.embedding.table()), freeze=False, sparse=True)
            return table, step_of(optimizer(table.parameters()), lambda: 0.5 * ((table(ids) - target) ** 2).sum())

        def results():
            table, step = fresh()
            for _ in range(steps):
                step()
            return table.weight.detach().numpy()[::1000]

        return fresh()[1], results

    return make


def paths(compile):
    def make():
        @compile
        def price():
            return torch.clamp(100 * torch.exp(0.03 + 0.2 * torch.randn(1000000)) - 105, min=0).mean() * 0.951229425

        return price, lambda: [round(2 * float(price())) / 2]

    return make


def heat(n, compile):
    """From one array to another, which are exchanged."""
    def make():
        @compile
        def next(u):
            p = F.pad(u[None], (1, 1, 1, 1), mode="replicate")[0]
            return u + 0.125 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4 * u)

        now = [torch.from_numpy(w.array(1, n, n)())]

        def step():
            now[0] = next(now[0])

        def results():
            now[0] = torch.from_numpy(w.array(1, n, n)())
            step()
            return now[0].numpy()

        return step, results

    return make


FUNCTIONS = {
    **w.CHAINS,
    "log(exp(x) + 0.5) * tanh(y)": lambda x, y: torch.log(torch.exp(x) + 0.5) * torch.tanh(y),
    "sum along rows": lambda x: x.sum(1),
    "max along rows": lambda x: x.amax(1),
    "log-sum-exp along rows": lambda x: torch.logsumexp(x, 1),
    "softmax along rows": lambda x: torch.softmax(x, 1),
    "layer norm of rows": lambda x: F.layer_norm(x, x.shape[1:]),
    "argmax along rows": lambda x: x.argmax(1),
    "sum along columns": lambda x: x.sum(0),
    "max along columns": lambda x: x.amax(0),
    "argmax along columns": lambda x: x.argmax(0),
    "variance along columns": lambda x: x.var(0, correction=0),
    "cumulative sum along columns": lambda x: x.cumsum(0),
    "cumulative sum along rows": lambda x: x.cumsum(1),
    "transpose + 1": lambda x: (x.t() + 1).contiguous(),
    "gather": lambda table, rows: F.embedding(rows, table),
    "product of squares": torch.matmul,
    "product of a batch": torch.matmul,
    "product of a row": torch.matmul,
    "product, left transposed": lambda a, b: a.t() @ b,
    "product, right transposed": lambda a, b: a @ b.t(),
    "product + bias, relu": lambda a, b, c: torch.relu_(torch.addmm(c, a, b)),
    "product + bias, gelu": lambda a, b, c: F.gelu(torch.addmm(c, a, b)),
    "dense layer, tanh": lambda x, k, b: torch.tanh(torch.addmm(b, x, k)),
    "picture to planes": lambda picture, mean, factor: ((picture.float() - mean) * factor).permute(2, 0, 1).contiguous(),
    "picture resized": lambda picture, mean, factor: ((F.interpolate(picture.permute(2, 0, 1)[None].float(), (224, 224), mode="bilinear")[0]
                                                       .permute(1, 2, 0) - mean) * factor).contiguous(),
    "bias, relu": lambda x, b: torch.relu(x + b),
    "dense network": dense_network,
    "k-means": k_means,
    "attention": lambda q, k, v: F.scaled_dot_product_attention(q[None], k[None], v[None])[0],
}


COMPILED_FUNCTIONS = {what: f for what, f in FUNCTIONS.items() if what not in (
    "gather", "product of squares", "product of a batch", "product of a row", "product, left transposed", "product, right transposed", "dense network", "k-means", "attention")}


def main():
    all = w.Worker()
    all.add_functions(LIBRARY, job(lambda f: f), FUNCTIONS)
    all.add_functions(COMPILED, job(compiled), COMPILED_FUNCTIONS)
    all.add_functions(f"{LIBRARY}, channels last", lambda f, *arrays: of_images(f)(*arrays), IMAGES)
    for case, *network in w.networks(image=(1, 28, 28)):
        all.add(case, LIBRARY, training(*network))
        all.add(case, COMPILED, training(*network, compile=compiled))
        if network[2]:
            all.add(case, f"{LIBRARY}, channels last", training(*network, channels_last=True))
    all.add(w.embedding.case, f"{LIBRARY}, sparse", embedding(lambda p: torch.optim.SGD(p, lr=w.embedding.rate)))
    all.add(w.embedding.adam_case, f"{LIBRARY}, sparse",
            embedding(lambda p: torch.optim.SparseAdam(list(p), lr=w.embedding.rate, eps=1e-7), steps=2))
    all.add(w.decoder.case, LIBRARY, decoder())
    all.add(w.PATHS, LIBRARY, paths(lambda f: f))
    all.add(w.PATHS, COMPILED, paths(compiled))
    for n, case in w.HEAT.items():
        all.add(case, LIBRARY, heat(n, lambda f: f))
        all.add(case, COMPILED, heat(n, compiled))
    all.add(w.transformer.case, LIBRARY, transformer(lambda f: f))
    all.add(w.transformer.case, COMPILED, transformer(compiled))
    for case, *network in w.networks_of_memory(image=(1, 28, 28)):
        all.add_figures(case, LIBRARY, memory(*network))
    all.serve()


main()
