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


def training(x, shapes, convolutional=False):
    def make():
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

        compiled = jax.jit(step, donate_argnums=(0, 1, 2, 3))

        def fresh():
            k = [jnp.asarray(a) for a in w.kernels(shapes)]
            p = (k, [jnp.zeros(a.shape[-1], jnp.float32) for a in k])
            zeros = lambda: jax.tree.map(jnp.zeros_like, p)
            return [p, zeros(), zeros(), jnp.float32(0)]

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


def main():
    all = w.Worker()
    add = lambda case, make: all.add(case, LIBRARY, make)
    for n in w.SIZES:
        xy = [lambda n=n: w.element(1, (n,)), lambda n=n: w.element(2, (n,))]
        for ops in (3, 10, 30):
            add(w.chain_name(ops, n), job(lambda x, y, ops=ops: w.chain(ops, x, y), *xy))
        add(w.functions_name(n), job(lambda x, y: jnp.log(jnp.exp(x) + 0.5) * jnp.tanh(y), *xy))
    for s in w.ROWS:
        x = lambda s=s: w.element(1, s)
        add(w.row_name("sum along rows", s), job(lambda x: x.sum(1), x))
        add(w.row_name("max along rows", s), job(lambda x: x.max(1), x))
        add(w.row_name("log-sum-exp along rows", s), job(lambda x: jax.nn.logsumexp(x, 1), x))
        add(w.row_name("softmax along rows", s), job(lambda x: jax.nn.softmax(x, 1), x))
        add(w.row_name("layer norm of rows", s), job(lambda x: jax.nn.standardize(x, 1, epsilon=1e-5), x))
        add(w.row_name("argmax along rows", s), job(lambda x: x.argmax(1), x))
    s = (512, 1024)
    x = lambda s=s: w.element(1, s)
    add(w.row_name("sum along columns", s), job(lambda x: x.sum(0), x))
    add(w.row_name("max along columns", s), job(lambda x: x.max(0), x))
    add(w.row_name("argmax along columns", s), job(lambda x: x.argmax(0), x))
    add(w.row_name("variance along columns", s), job(lambda x: x.var(0), x))
    add(w.row_name("cumulative sum along columns", s), job(lambda x: jnp.cumsum(x, 0), x))
    add(w.row_name("cumulative sum along rows", s), job(lambda x: jnp.cumsum(x, 1), x))
    for s in ((2048, 2048), (1000, 300)):
        add(w.row_name("transpose + 1", s), job(lambda x: x.T + 1, lambda s=s: w.element(1, s)))
    add("P2 gather of 100,000 rows of 64",
        job(lambda table, rows: table[rows], lambda: w.element(1, (20000, 64)), w.rows_to_gather))
    matrix = lambda k, m, n: lambda: w.element(k, (m, n))
    for n in w.SQUARES:
        add(w.product_name(n, n, n), job(jnp.matmul, matrix(1, n, n), matrix(2, n, n)))
    add(w.product_name(50, 784, 100), job(jnp.matmul, matrix(1, 50, 784), matrix(2, 784, 100)))
    for batch, deep in w.NETWORKS:
        add(w.dense_name(batch, deep), training(lambda batch=batch: w.images(batch), w.dense_shapes(deep)))
    add(w.CNN, training(lambda: w.images(50).reshape(50, 28, 28, 1), w.CNN_KERNELS, True))
    all.serve()


main()
