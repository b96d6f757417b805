# SPDX-License-Identifier: MIT
"""JAX, jitted: the suite's cases."""
import os

import worker as w

os.environ["XLA_FLAGS"] = (os.environ.get("XLA_FLAGS", "") + f" --xla_cpu_multi_thread_eigen={'true' if w.THREADS > 1 else 'false'}"
                           f" intra_op_parallelism_threads={w.THREADS}")
import jax
import jax.numpy as jnp

LIBRARY = "JAX"


def job(function, *arrays):
    def make():
        compiled = jax.jit(function)
        args = [jnp.asarray(a()) for a in arrays]
        call = lambda: compiled(*args).block_until_ready()
        return call, call

    return make


def forward(p, x, convolutional):
    k, b = p
    first = 0
    if convolutional:
        for i in range(2):
            x = jax.lax.conv_general_dilated(x, k[i], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) + b[i]
            x = jax.lax.reduce_window(jax.nn.relu(x), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        x = x.reshape(x.shape[0], -1)
        first = 2
    for i in range(first, len(k)):
        x = x @ k[i] + b[i]
        if i + 1 < len(k):
            x = jax.nn.relu(x)
    return x


def training_step(x, shapes, convolutional):
    """A jitted step, and a function that gives what it begins with."""
    images, labels = jnp.asarray(x()), jnp.asarray(w.labels(len(x())))

    def loss_of(p):
        log_p = jax.nn.log_softmax(forward(p, images, convolutional))
        return -jnp.mean(jnp.take_along_axis(log_p, labels[:, None], 1))

    def step(p, m, v, t):
        loss, g = jax.value_and_grad(loss_of)(p)
        t = t + 1
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
        v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, g)
        rate = 1e-3 * jnp.sqrt(1 - 0.999**t) / (1 - 0.9**t)
        p = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-7), p, m, v)
        return loss, p, m, v, t

    def fresh():
        k = [jnp.asarray(a) for a in w.kernels(shapes)]
        p = (k, [jnp.zeros(a.shape[-1], jnp.float32) for a in k])
        zeros = lambda: jax.tree.map(jnp.zeros_like, p)
        return [p, zeros(), zeros(), jnp.float32(0)]

    return jax.jit(step, donate_argnums=(0, 1, 2, 3)), fresh


def training(x, shapes, convolutional):
    def make():
        compiled, fresh = training_step(x, shapes, convolutional)
        state = fresh()

        def call():
            loss, *state[:] = compiled(*state)
            loss.block_until_ready()
            return loss

        def results():
            state[:] = fresh()
            return [float(call()) for _ in range(4)]

        return call, results

    return make


def transformer():
    x, y, t = jnp.asarray(w.transformer.x()), jnp.asarray(w.transformer.y()), w.transformer

    def norm(x, p):
        return jax.nn.standardize(x, -1, epsilon=t.epsilon) * p[0] + p[1]

    def loss_of(p):
        (q, k, v, mix, wide, narrow), b, norms = p
        h = norm(x, norms[0])
        split = lambda a: a.reshape(t.batch, t.length, t.heads, -1).transpose(0, 2, 1, 3)
        query, key, value = (split(h @ m + c) for m, c in zip((q, k, v), b))
        scores = jax.nn.softmax(query @ key.transpose(0, 1, 3, 2) * t.scale)
        a = x + (scores @ value).transpose(0, 2, 1, 3).reshape(x.shape) @ mix + b[3]
        result = a + jax.nn.gelu(norm(a, norms[1]) @ wide + b[4], approximate=False) @ narrow + b[5]
        return jnp.mean((result - y) ** 2)

    def fresh():
        kernels = [jnp.asarray(a) for a in w.kernels(t.shapes)]
        norms = [(jnp.ones(t.width), jnp.zeros(t.width)) for _ in range(2)]
        return kernels, [jnp.zeros(a.shape[-1]) for a in kernels], norms

    def step(p):
        loss, g = jax.value_and_grad(loss_of)(p)
        return loss, jax.tree.map(lambda p, g: p - t.rate * g, p, g)

    compiled, state = jax.jit(step, donate_argnums=0), [fresh()]

    def call():
        loss, state[0] = compiled(state[0])
        loss.block_until_ready()
        return loss

    def results():
        state[0] = fresh()
        return [float(call()) for _ in range(4)]

    return call, results


def memory(x, shapes, convolutional):
    """XLA plans what a step needs beside what it is given and gives back."""
    def make():
        compiled, state = training_step(x, shapes, convolutional)
        return {"step": compiled.lower(*state()).compile().memory_analysis().temp_size_in_bytes}

    return make


def conv(x, kernel, bias, stride=1, groups=1):
    return jax.lax.conv_general_dilated(x, kernel, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"),
                                        feature_group_count=groups) + bias


def mobilenet_blocks(x, *weights):
    for expand, expand_bias, kernel, bias, project, project_bias in zip(*[iter(weights)] * 6):
        y = jax.nn.relu6(conv(x, expand, expand_bias))
        x = x + conv(jax.nn.relu6(conv(y, kernel, bias, groups=len(bias))), project, project_bias)
    return x


def residual_block(x, first, first_bias, second, second_bias):
    return jax.nn.relu(x + conv(jax.nn.relu(conv(x, first, first_bias)), second, second_bias))


def max_pool(size):
    return lambda x: jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, size, size, 1), (1, 2, 2, 1), "VALID")


def k_means(points, centres):
    nearest = ((centres * centres).sum(1) - 2 * points @ centres.T).argmin(1)
    sums = jnp.zeros_like(centres).at[nearest].add(points)
    return sums / jnp.maximum(jnp.bincount(nearest, length=len(centres)), 1)[:, None]


def attention(q, k, v):
    return jax.nn.softmax(q @ k.transpose(0, 2, 1) * 0.125) @ v


def resized(picture, mean, factor):
    return (jax.image.resize(picture.astype(jnp.float32), (224, 224, 3), "linear", antialias=False) - mean) * factor


def heat(n):
    """From one array to another."""
    def make():
        @jax.jit
        def next(u):
            p = jnp.pad(u, 1, mode="edge")
            return u + 0.125 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4 * u)

        now = [jnp.asarray(w.array(1, n, n)())]

        def step():
            now[0] = next(now[0]).block_until_ready()

        def results():
            now[0] = jnp.asarray(w.array(1, n, n)())
            step()
            return now[0]

        return step, results

    return make


def paths():
    @jax.jit
    def price(key):
        key, now = jax.random.split(key)
        z = jax.random.normal(now, 1000000)
        return key, jnp.maximum(100 * jnp.exp(0.03 + 0.2 * z) - 105, 0).mean() * 0.951229425

    key = [jax.random.key(1)]

    def call():
        key[0], y = price(key[0])
        return y.block_until_ready()

    return call, lambda: [round(2 * float(call())) / 2]


FUNCTIONS = {
    **w.CHAINS,
    "log(exp(x) + 0.5) * tanh(y)": lambda x, y: jnp.log(jnp.exp(x) + 0.5) * jnp.tanh(y),
    "sum along rows": lambda x: x.sum(1),
    "max along rows": lambda x: x.max(1),
    "log-sum-exp along rows": lambda x: jax.nn.logsumexp(x, 1),
    "softmax along rows": lambda x: jax.nn.softmax(x, 1),
    "layer norm of rows": lambda x: jax.nn.standardize(x, 1, epsilon=1e-5),
    "argmax along rows": lambda x: x.argmax(1),
    "sum along columns": lambda x: x.sum(0),
    "max along columns": lambda x: x.max(0),
    "argmax along columns": lambda x: x.argmax(0),
    "variance along columns": lambda x: x.var(0),
    "cumulative sum along columns": lambda x: jnp.cumsum(x, 0),
    "cumulative sum along rows": lambda x: jnp.cumsum(x, 1),
    "transpose + 1": lambda x: x.T + 1,
    "gather": lambda table, rows: table[rows],
    "product of squares": jnp.matmul,
    "product of a batch": jnp.matmul,
    "product of a row": jnp.matmul,
    "product, left transposed": lambda a, b: a.T @ b,
    "product, right transposed": lambda a, b: a @ b.T,
    "product + bias, relu": lambda a, b, c: jax.nn.relu(a @ b + c),
    "product + bias, gelu": lambda a, b, c: jax.nn.gelu(a @ b + c, approximate=False),
    "dense layer, tanh": lambda x, k, b: jnp.tanh(x @ k + b),
    "convolution + bias, relu": lambda x, k, b: jax.nn.relu(conv(x, k, b)),
    "picture to planes": lambda picture, mean, factor: ((picture.astype(jnp.float32) - mean) * factor).transpose(2, 0, 1),
    "picture resized": resized,
    "bias, relu": lambda x, b: jax.nn.relu(x + b),
    "dense network": lambda x, first, second, last: jax.nn.relu(jax.nn.relu(x @ first) @ second) @ last,
    "depthwise": lambda x, k, b: jax.nn.relu6(conv(x, k, b, groups=len(b))),
    "depthwise, stride 2": lambda x, k, b: jax.nn.relu6(conv(x, k, b, stride=2, groups=len(b))),
    "MobileNet blocks": mobilenet_blocks,
    "residual block": residual_block,
    "max pool of 2": max_pool(2),
    "max pool of 3": max_pool(3),
    "k-means": k_means,
    "attention": attention,
}


def main():
    all = w.Worker()
    all.add_functions(LIBRARY, job, FUNCTIONS)
    for case, *network in w.networks():
        all.add(case, LIBRARY, training(*network))
    all.add(w.transformer.case, LIBRARY, transformer)
    all.add(w.PATHS, LIBRARY, paths)
    for n, case in w.HEAT.items():
        all.add(case, LIBRARY, heat(n))
    for case, *network in w.networks_of_memory():
        all.add_figures(case, LIBRARY, memory(*network))
    all.serve()


main()
