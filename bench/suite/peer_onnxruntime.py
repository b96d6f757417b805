# SPDX-License-Identifier: MIT
"""ONNX Runtime: models of one or some nodes, for the suite's cases. Operands and results are bound to memory; weights of layers are constants."""
import functools

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

import worker as w

LIBRARY = "ONNX Runtime"
TYPES = {np.dtype(np.float32): TensorProto.FLOAT, np.dtype(np.int32): TensorProto.INT32, np.dtype(np.int64): TensorProto.INT64}


class Graph:
    """A model that grows node by node: a method's name is the operator's."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def __getattr__(self, operator):
        return functools.partial(self.add, operator)

    def add(self, operator, *operands, **attributes):
        names = [self.constant(x) if isinstance(x, np.ndarray) else x for x in operands]
        result = f"value{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, names, [result], **attributes))
        return result

    def constant(self, array):
        name = f"constant{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def model(self, inputs, result, result_type):
        feeds = [helper.make_tensor_value_info(name, TYPES[a.dtype], a.shape) for name, a in inputs.items()]
        fetch = helper.make_tensor_value_info(result, result_type, None)
        graph = helper.make_graph(self.nodes, "case", feeds, [fetch], self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def job(function, *arrays):
    """function(graph, operands...) gives the result's name; operands behind `function.given` are constants of the model. What
    `function.prepare` makes of the operands is fed, what `function.finish` makes of the result is compared."""
    given = getattr(function, "given", len(arrays))
    prepare, finish = getattr(function, "prepare", lambda *values: values), getattr(function, "finish", lambda result: result)

    def make():
        values = [np.ascontiguousarray(a) for a in prepare(*[a() for a in arrays])]
        inputs = {f"input{i}": a for i, a in enumerate(values[:given])}
        graph = Graph()
        result = function(graph, *inputs, *values[given:])
        model = graph.model(inputs, result, getattr(function, "result_type", TensorProto.FLOAT))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = w.THREADS, 1
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        binding = session.io_binding()
        for name, a in inputs.items():
            binding.bind_ortvalue_input(name, onnxruntime.OrtValue.ortvalue_from_numpy(a))
        binding.bind_output(result)
        session.run_with_iobinding(binding)
        to = binding.get_outputs()[0]
        binding.bind_ortvalue_output(result, to)

        def results():
            session.run_with_iobinding(binding)
            return finish(to.numpy())

        return lambda: session.run_with_iobinding(binding), results

    return make


def attributes(function, **values):
    for name, value in values.items():
        setattr(function, name, value)
    return function


def number(value):
    return np.array(value, np.float32)


def axis(value):
    return np.array([value], np.int64)


def chain(ops):
    def build(g, x, y):
        half = g.constant(number(0.5))
        if ops == 3:
            return g.Sub(g.Mul(g.Add(x, y), half), x)
        for _ in range(ops // 2):
            x = g.Add(g.Mul(x, half), y)
        return x

    return build


def layer_norm(columns):
    return lambda g, x: g.LayerNormalization(x, np.ones(columns, np.float32), axis=-1, epsilon=1e-5)


def variance(g, x):
    return g.ReduceMean(g.Pow(g.Sub(x, g.ReduceMean(x, axis(0), keepdims=1)), number(2)), axis(0), keepdims=0)


def reduction(operator, along):
    return lambda g, x: g.add(operator, x, axis(along), keepdims=0)


def argmax(along):
    return attributes(lambda g, x: g.ArgMax(x, axis=along, keepdims=0), result_type=TensorProto.INT64)


def dense_network(g, x, first, second, last):
    for kernel in first, second:
        x = g.Relu(g.Gemm(x, kernel, np.zeros(kernel.shape[1], np.float32)))
    return g.Gemm(x, last, np.zeros(10, np.float32))


def channels_first(x, *weights):
    """Of images, kernels and biases, channels where ONNX has them, before the clock starts."""
    return x.transpose(0, 3, 1, 2), *[a.transpose(3, 2, 0, 1) if a.ndim == 4 else a for a in weights]


def of_images(function, given=1):
    return attributes(function, given=given, prepare=channels_first, finish=lambda y: y.transpose(0, 2, 3, 1))


def relu6(g, x):
    return g.Clip(x, number(0), number(6))


def depthwise(stride, pads):
    return lambda g, x, k, b: relu6(g, g.Conv(x, k, b, pads=pads, strides=[stride, stride], group=len(b)))


def mobilenet_blocks(g, x, *weights):
    for expand, expand_bias, kernel, bias, project, project_bias in zip(*[iter(weights)] * 6):
        y = relu6(g, g.Conv(x, expand, expand_bias))
        y = relu6(g, g.Conv(y, kernel, bias, pads=[1, 1, 1, 1], group=len(bias)))
        x = g.Add(x, g.Conv(y, project, project_bias))
    return x


def residual_block(g, x, first, first_bias, second, second_bias):
    y = g.Relu(g.Conv(x, first, first_bias, pads=[1, 1, 1, 1]))
    return g.Relu(g.Add(x, g.Conv(y, second, second_bias, pads=[1, 1, 1, 1])))


FUNCTIONS = {
    **{f"chain of {ops}": chain(ops) for ops in w.LENGTHS},
    "log(exp(x) + 0.5) * tanh(y)": lambda g, x, y: g.Mul(g.Log(g.Add(g.Exp(x), number(0.5))), g.Tanh(y)),
    "sum along rows": reduction("ReduceSum", 1),
    "max along rows": reduction("ReduceMax", 1),
    "log-sum-exp along rows": reduction("ReduceLogSumExp", 1),
    "softmax along rows": lambda g, x: g.Softmax(x, axis=1),
    "argmax along rows": argmax(1),
    "sum along columns": reduction("ReduceSum", 0),
    "max along columns": reduction("ReduceMax", 0),
    "argmax along columns": argmax(0),
    "variance along columns": variance,
    "cumulative sum along columns": lambda g, x: g.CumSum(x, np.array(0, np.int64)),
    "cumulative sum along rows": lambda g, x: g.CumSum(x, np.array(1, np.int64)),
    "transpose + 1": lambda g, x: g.Add(g.Transpose(x, perm=[1, 0]), number(1)),
    "gather": lambda g, table, rows: g.Gather(table, rows),
    "product of squares": lambda g, a, b: g.MatMul(a, b),
    "product of a batch": lambda g, a, b: g.MatMul(a, b),
    "product of a row": lambda g, a, b: g.MatMul(a, b),
    "product, left transposed": lambda g, a, b: g.Gemm(a, b, transA=1),
    "product, right transposed": lambda g, a, b: g.Gemm(a, b, transB=1),
    "product + bias, relu": lambda g, a, b, c: g.Relu(g.Gemm(a, b, c)),
    "product + bias, gelu": lambda g, a, b, c: g.Gelu(g.Add(g.MatMul(a, b), c)),
    "attention": lambda g, q, k, v: g.MatMul(g.Softmax(g.Mul(g.MatMul(q, g.Transpose(k, perm=[0, 2, 1])), number(0.125)), axis=-1), v),
    "dense layer, tanh": attributes(lambda g, x, k, b: g.Tanh(g.Gemm(x, k, b)), given=1),
    "convolution + bias, relu": of_images(lambda g, x, k, b: g.Relu(g.Conv(x, k, b, pads=[2, 2, 2, 2]))),
    "dense network": attributes(dense_network, given=1),
    "depthwise": of_images(depthwise(1, [1, 1, 1, 1])),
    "depthwise, stride 2": of_images(depthwise(2, [0, 0, 1, 1])),
    "MobileNet blocks": of_images(mobilenet_blocks),
    "residual block": of_images(residual_block),
    "max pool of 2": of_images(lambda g, x: g.MaxPool(x, kernel_shape=[2, 2], strides=[2, 2])),
    "max pool of 3": of_images(lambda g, x: g.MaxPool(x, kernel_shape=[3, 3], strides=[2, 2])),
}


def main():
    all = w.Worker()
    all.add_functions(LIBRARY, job, FUNCTIONS)
    for what, case, arrays in w.cases():
        if what == "layer norm of rows":
            all.add(case, LIBRARY, lambda arrays=arrays: job(layer_norm(arrays[0]().shape[1]), *arrays)())
    all.serve()


main()
