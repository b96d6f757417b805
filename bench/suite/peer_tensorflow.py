# SPDX-License-Identifier: MIT
"""TensorFlow: traced functions, with and without XLA, and models of TensorFlow Lite; the suite's cases."""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

import worker as w

tf.config.threading.set_intra_op_parallelism_threads(w.THREADS)
tf.config.threading.set_inter_op_parallelism_threads(1)


def forward(k, b, x, convolutional):
    first = 0
    if convolutional:
        for i in range(2):
            x = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(x, k[i], 1, "SAME") + b[i]), 2, 2, "VALID")
        x = tf.reshape(x, (x.shape[0], -1))
        first = 2
    for i in range(first, len(k)):
        x = x @ k[i] + b[i]
        if i + 1 < len(k):
            x = tf.nn.relu(x)
    return x


def training(x, shapes, convolutional, xla):
    def make():
        images, labels = tf.constant(x()), tf.constant(w.labels(len(x())))
        k = [tf.Variable(a) for a in w.kernels(shapes)]
        b = [tf.Variable(tf.zeros(a.shape[-1])) for a in k]
        p = k + b
        m, v = [tf.Variable(tf.zeros_like(a)) for a in p], [tf.Variable(tf.zeros_like(a)) for a in p]
        t = tf.Variable(0.0)

        @tf.function(jit_compile=xla)
        def step():
            with tf.GradientTape() as tape:
                logits = forward(k, b, images, convolutional)
                loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
            t.assign_add(1.0)
            rate = 1e-3 * tf.sqrt(1 - 0.999**t) / (1 - 0.9**t)
            for q, a, c, g in zip(p, m, v, tape.gradient(loss, p)):
                if xla:
                    a.assign(0.9 * a + 0.1 * g)
                    c.assign(0.999 * c + 0.001 * g * g)
                    q.assign_sub(rate * a / (tf.sqrt(c) + 1e-7))
                else:
                    tf.raw_ops.ResourceApplyAdam(var=q.handle, m=a.handle, v=c.handle, beta1_power=0.9**t, beta2_power=0.999**t,
                                                 lr=1e-3, beta1=0.9, beta2=0.999, epsilon=1e-7, grad=g)
            return loss

        step = step.get_concrete_function()

        def results():
            for a, values in zip(k, w.kernels(shapes)):
                a.assign(values)
            for a in b + m + v + [t]:
                a.assign(tf.zeros_like(a))
            return [float(step()) for _ in range(4)]

        return lambda: float(step()), results

    return make


def transformer(xla):
    def make():
        t, x, y = w.transformer, tf.constant(w.transformer.x()), tf.constant(w.transformer.y())
        k = [tf.Variable(a) for a in w.kernels(t.shapes)]
        b = [tf.Variable(tf.zeros(a.shape[-1])) for a in k]
        norms = [tf.Variable(make([t.width])) for _ in range(2) for make in (tf.ones, tf.zeros)]
        p = k + b + norms

        def norm(x, scale, offset):
            mean, variance = tf.nn.moments(x, -1, keepdims=True)
            return (x - mean) * tf.math.rsqrt(variance + t.epsilon) * scale + offset

        def dense(i, x):
            return tf.nn.bias_add(tf.reshape(x, (t.batch * t.length, -1)) @ k[i], b[i])

        def split(a):
            return tf.transpose(tf.reshape(a, (t.batch, t.length, t.heads, -1)), (0, 2, 1, 3))

        @tf.function(jit_compile=xla)
        def step():
            with tf.GradientTape() as tape:
                h = norm(x, *norms[:2])
                query, key, value = (split(dense(i, h)) for i in range(3))
                scores = tf.nn.softmax(tf.matmul(query, key, transpose_b=True) * t.scale)
                a = x + tf.reshape(dense(3, tf.transpose(scores @ value, (0, 2, 1, 3))), x.shape)
                result = a + tf.reshape(dense(5, tf.nn.gelu(dense(4, norm(a, *norms[2:])))), x.shape)
                loss = tf.reduce_mean(tf.math.squared_difference(result, y))
            for q, g in zip(p, tape.gradient(loss, p)):
                q.assign_sub(t.rate * g)
            return loss

        step = step.get_concrete_function()
        first = [tf.identity(a) for a in p]

        def results():
            for a, value in zip(p, first):
                a.assign(value)
            return [float(step()) for _ in range(4)]

        return lambda: float(step()), results

    return make


def job(xla):
    def of(function, *arrays):
        def make():
            args = [tf.constant(a()) for a in arrays]
            # A call by the function itself takes 50 us more; one of a concrete function whose Python has default arguments prints the tensors
            # into a text each time.
            f = tf.function(lambda *given: function(*given), jit_compile=xla).get_concrete_function(*args)
            return lambda: f(*args), lambda: f(*args).numpy()

        return make

    return of


def lite(function, *arrays):
    """A model, what it reads behind x are its constants. Its interpreter gives products and convolutions to XNNPACK."""
    def make():
        x, *weights = [a() for a in arrays]
        constants = [tf.constant(a) for a in weights]
        f = tf.function(lambda x: function(x, *constants)).get_concrete_function(tf.TensorSpec(x.shape, x.dtype))
        model = tf.lite.TFLiteConverter.from_concrete_functions([f], f).convert()
        interpreter = tf.lite.Interpreter(model_content=model, num_threads=w.THREADS)
        interpreter.allocate_tensors()
        given, result = interpreter.get_input_details()[0]["index"], interpreter.get_output_details()[0]["index"]
        interpreter.set_tensor(given, x)

        def results():
            interpreter.invoke()
            return interpreter.get_tensor(result)

        return interpreter.invoke, results

    return make


def depthwise(stride):
    def of(x, kernel, bias):
        y = tf.nn.depthwise_conv2d(x, tf.transpose(kernel, (0, 1, 3, 2)), (1, stride, stride, 1), "SAME")
        return tf.nn.relu6(tf.nn.bias_add(y, bias))

    return of


def mobilenet_blocks(x, *weights):
    for expand, expand_bias, kernel, bias, project, project_bias in zip(*[iter(weights)] * 6):
        y = tf.nn.relu6(tf.nn.bias_add(tf.nn.conv2d(x, expand, 1, "SAME"), expand_bias))
        x = x + tf.nn.bias_add(tf.nn.conv2d(depthwise(1)(y, kernel, bias), project, 1, "SAME"), project_bias)
    return x


def residual_block(x, first, first_bias, second, second_bias):
    y = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(x, first, 1, "SAME"), first_bias))
    return tf.nn.relu(x + tf.nn.bias_add(tf.nn.conv2d(y, second, 1, "SAME"), second_bias))


LITE_FUNCTIONS = {
    "dense network": lambda x, first, second, last: tf.nn.relu(tf.nn.relu(x @ first) @ second) @ last,
    "depthwise": depthwise(1),
    "depthwise, stride 2": depthwise(2),
    "MobileNet blocks": mobilenet_blocks,
    "residual block": residual_block,
}


def layer_norm(x):
    mean, variance = tf.nn.moments(x, 1, keepdims=True)
    return (x - mean) * tf.math.rsqrt(variance + 1e-5)


FUNCTIONS = {
    **w.CHAINS,
    "log(exp(x) + 0.5) * tanh(y)": lambda x, y: tf.math.log(tf.exp(x) + 0.5) * tf.tanh(y),
    "sum along rows": lambda x: tf.reduce_sum(x, 1),
    "max along rows": lambda x: tf.reduce_max(x, 1),
    "log-sum-exp along rows": lambda x: tf.reduce_logsumexp(x, 1),
    "softmax along rows": lambda x: tf.nn.softmax(x, 1),
    "layer norm of rows": layer_norm,
    "argmax along rows": lambda x: tf.argmax(x, 1),
    "sum along columns": lambda x: tf.reduce_sum(x, 0),
    "max along columns": lambda x: tf.reduce_max(x, 0),
    "argmax along columns": lambda x: tf.argmax(x, 0),
    "variance along columns": lambda x: tf.math.reduce_variance(x, 0),
    "cumulative sum along columns": lambda x: tf.cumsum(x, 0),
    "cumulative sum along rows": lambda x: tf.cumsum(x, 1),
    "transpose + 1": lambda x: tf.transpose(x) + 1,
    "gather": tf.gather,
    "product of squares": tf.matmul,
    "product of a batch": tf.matmul,
    "product of a row": tf.matmul,
    "product, left transposed": lambda a, b: tf.matmul(a, b, transpose_a=True),
    "product, right transposed": lambda a, b: tf.matmul(a, b, transpose_b=True),
    "product + bias, relu": lambda a, b, c: tf.nn.relu(tf.nn.bias_add(a @ b, c)),
    "product + bias, gelu": lambda a, b, c: tf.nn.gelu(tf.nn.bias_add(a @ b, c)),
    "dense layer, tanh": lambda x, k, b: tf.tanh(tf.nn.bias_add(x @ k, b)),
    "convolution + bias, relu": lambda x, k, b: tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(x, k, 1, "SAME"), b)),
}


def main():
    all = w.Worker()
    for library, xla in (("TensorFlow", False), ("TensorFlow with XLA", True)):
        all.add_functions(library, job(xla), FUNCTIONS)
        for case, *network in w.networks():
            all.add(case, library, training(*network, xla))
        all.add(w.transformer.case, library, transformer(xla))
    all.add_functions("TensorFlow Lite", lite, LITE_FUNCTIONS)
    all.serve()


main()
