#!/usr/bin/env python3
# Computes what layers of Keras give, with weights and inputs that a formula makes, and their gradients: what keras_values.txt writes down.
#   tests/layers/keras_values.py > tests/layers/keras_values.txt
# (TensorFlow 2.21, Keras 3.15)
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

keras = tf.keras
layers = keras.layers


def filled(shape, k, scale=0.4):
    """scale * sin(0.37 i + k) for element i"""
    n = int(np.prod(shape))
    return (scale * np.sin(0.37 * np.arange(n) + k)).astype(np.float32).reshape(shape)


def line(word, a):
    print(word, *("%.8g" % v for v in np.ravel(a)))


def case(name, make, shape, call=None, ids=None):
    """Writes, of inputs filled(shape, 100) or of integers: outputs, and gradients of the sum of their squares; weights are filled(shape, place).
    Of what is not trained: its values behind the call."""
    keras.utils.clear_session()
    layer = make()
    call = (lambda x: call_of(layer, x)) if (call_of := call) else layer
    x = tf.Variable(filled(shape, 100, 1.0)) if ids is None else tf.constant(ids, tf.int32)
    call(x)
    weights = [w for w in layer.weights if "seed" not in w.path] if layer is not None else []
    for k, w in enumerate(weights):
        w.assign(filled(w.shape, k) + (1 if "variance" in w.path or "gamma" in w.path else 0))
    with tf.GradientTape() as tape:
        y = call(x)
        ys = y if isinstance(y, (list, tuple)) else [y]
        loss = sum(tf.reduce_sum(v * v) for v in ys)
    trained = [w for w in weights if w.trainable]
    gradients = tape.gradient(loss, [x] * (ids is None) + [w.value for w in trained])
    gradients = [g if g is None else tf.convert_to_tensor(g) for g in gradients]
    print("case", name)
    line("shape", shape)
    if ids is not None:
        line("ids", x)
    for v in ys:
        line("output", v)
    if ids is None:
        line("input", gradients.pop(0))
    of = {w.path: g for w, g in zip(trained, gradients)}
    for w in weights:
        line("weight " + w.path.removeprefix("sequential/"), of.get(w.path, []))
        if w.path not in of:
            line("afterwards", w)


R = (2, 4, 3)
case("simple_rnn", lambda: layers.SimpleRNN(3), R)
case("simple_rnn_relu", lambda: layers.SimpleRNN(3, activation="relu", return_sequences=True), R)
case("gru", lambda: layers.GRU(3), R)
case("gru_reset_before", lambda: layers.GRU(3, reset_after=False, return_sequences=True), R)
case("gru_backwards", lambda: layers.GRU(3, return_sequences=True, go_backwards=True), R)
case("lstm", lambda: layers.LSTM(3), R)
case("lstm_sequences", lambda: layers.LSTM(3, return_sequences=True, return_state=True), R)
case("lstm_hard", lambda: layers.LSTM(2, activation="softsign", recurrent_activation="hard_sigmoid"), R)
case("lstm_first_state", lambda: layers.LSTM(3, return_state=True), R,
     lambda lstm, x: lstm(x, initial_state=[filled((2, 3), 50), filled((2, 3), 51)]))
case("bidirectional_lstm", lambda: layers.Bidirectional(layers.LSTM(2, return_sequences=True)), R)
case("bidirectional_gru", lambda: layers.Bidirectional(layers.GRU(2)), R)
case("bidirectional_sum", lambda: layers.Bidirectional(layers.SimpleRNN(2), merge_mode="sum"), R)
steps_mask = np.array([[True, True, False, True], [True, False, True, False]])
case("lstm_masked", lambda: layers.LSTM(3, return_sequences=True, return_state=True), R, lambda l, x: l(x, mask=tf.constant(steps_mask)))
case("bidirectional_masked", lambda: layers.Bidirectional(layers.GRU(2)), R, lambda l, x: l(x, mask=tf.constant(steps_mask)))
case("bidirectional_masked_sequences", lambda: layers.Bidirectional(layers.LSTM(2, return_sequences=True)), R,
     lambda l, x: l(x, mask=tf.constant(steps_mask)))
case("stacked", lambda: keras.Sequential([layers.LSTM(3, return_sequences=True), layers.LSTM(2), layers.Dense(2)]), R)
# Steps that are zeros: what a Masking layer hides from those behind it.
def masked(name, behind):
    case(name, lambda: keras.Sequential([layers.Masking(), *behind()]), R, lambda net, x: net(x * steps_mask[:, :, None].astype(np.float32)))


masked("mask_through_lstm", lambda: [layers.LSTM(3, return_sequences=True), layers.Dense(2, activation="tanh"), layers.GRU(2)])
masked("mask_through_bidirectional", lambda: [layers.Bidirectional(layers.GRU(2, return_sequences=True)), layers.LayerNormalization(),
                                              layers.GlobalAveragePooling1D()])
masked("mask_ended", lambda: [layers.Dense(3), layers.Conv1D(2, 2, padding="same"), layers.LSTM(2)])


def masked_branches():
    i = keras.Input(R[1:])
    m = layers.Masking()(i)
    a = layers.Dense(4, name="add_dense")(m)
    b = layers.GRU(4, return_sequences=True, name="add_gru")(m)
    h = layers.Add()([a, b])
    h = layers.Add()([h, layers.MultiHeadAttention(2, 3, name="residual_multi_head_attention")(h, h)])
    return keras.Model(i, layers.SimpleRNN(2, name="simple_rnn")(h))


case("mask_in_branches", masked_branches, R, lambda net, x: net(x * steps_mask[:, :, None].astype(np.float32)))

A = (2, 4, 6)
attention = lambda: layers.MultiHeadAttention(2, 3)
mask = np.array([[[(b + 2 * q + 3 * k) % 4 != 0 for k in range(4)] for q in range(4)] for b in range(2)])
mask[1, 2] = False
case("attention_itself", attention, A, lambda a, x: a(x, x))
case("attention_causal", attention, A, lambda a, x: a(x, x, use_causal_mask=True))
case("attention_masked", attention, A, lambda a, x: a(x, x, attention_mask=mask, use_causal_mask=True))
case("attention_crossed", attention, A, lambda a, x: a(x, filled((2, 5, 4), 60), key=filled((2, 5, 3), 61)))

I = (2, 5, 4, 2)
case("conv1d", lambda: layers.Conv1D(3, 2, padding="same", activation="relu"), R)
case("conv2d", lambda: layers.Conv2D(3, (3, 2)), I)
case("conv2d_same", lambda: layers.Conv2D(3, 3, strides=(2, 1), padding="same", activation="relu"), I)
case("conv2d_dilated", lambda: layers.Conv2D(2, 2, dilation_rate=(2, 3), activation="tanh"), I)
case("conv2d_groups", lambda: layers.Conv2D(4, 3, groups=2, use_bias=False), I)
case("dense_without_bias", lambda: layers.Dense(2, use_bias=False, activation="tanh"), R)
case("conv1d_without_bias", lambda: layers.Conv1D(3, 2, use_bias=False, activation="relu"), R)
case("conv2d_transpose_without_bias", lambda: layers.Conv2DTranspose(3, 3, strides=2, use_bias=False), I)
case("depthwise_conv2d_without_bias", lambda: layers.DepthwiseConv2D(3, depth_multiplier=2, use_bias=False, strides=2), I)
case("separable_conv2d_without_bias", lambda: layers.SeparableConv2D(3, 2, padding="same", use_bias=False), I)
case("conv3d", lambda: layers.Conv3D(2, (2, 1, 2), strides=(1, 2, 1)), (1, 3, 4, 3, 2))
case("conv2d_transpose", lambda: layers.Conv2DTranspose(3, 3, strides=2), I)
case("conv2d_transpose_same", lambda: layers.Conv2DTranspose(3, (3, 2), strides=2, padding="same", activation="elu"), I)
case("conv2d_transpose_gaps", lambda: layers.Conv2DTranspose(3, (2, 1), strides=(3, 2)), I)
case("conv1d_transpose_gaps", lambda: layers.Conv1DTranspose(2, 1, strides=2), R)
V = (2, 2, 3, 2, 2)
case("conv3d_transpose", lambda: layers.Conv3DTranspose(3, 2), V)
case("conv3d_transpose_same", lambda: layers.Conv3DTranspose(2, (2, 3, 1), strides=(2, 2, 1), padding="same", activation="elu"), V)
case("depthwise_conv2d", lambda: layers.DepthwiseConv2D(3, depth_multiplier=2), I)
case("depthwise_conv1d", lambda: layers.DepthwiseConv1D(2, padding="same"), R)
case("separable_conv2d", lambda: layers.SeparableConv2D(3, 2, strides=2, padding="same", depth_multiplier=2), I)
case("separable_conv1d", lambda: layers.SeparableConv1D(2, 2), R)
case("max_pool2d", lambda: layers.MaxPool2D(3, strides=2, padding="same"), I)
case("average_pool1d", lambda: layers.AveragePooling1D(2, padding="same"), R)
case("max_pool1d", lambda: layers.MaxPool1D(2), R)
case("max_pool1d_same", lambda: layers.MaxPool1D(3, strides=2, padding="same"), R)
case("max_pool2d_valid", lambda: layers.MaxPool2D((2, 3)), I)
case("average_pool1d_valid", lambda: layers.AveragePooling1D(3, strides=1), R)
case("average_pool2d", lambda: layers.AveragePooling2D(2), I)
case("average_pool2d_same", lambda: layers.AveragePooling2D((3, 2), strides=(2, 1), padding="same"), I)
W = (2, 3, 4, 3, 2)
case("max_pool3d", lambda: layers.MaxPool3D(2), W)
case("max_pool3d_same", lambda: layers.MaxPool3D((2, 3, 1), strides=2, padding="same"), W)
case("average_pool3d", lambda: layers.AveragePooling3D((1, 2, 3)), W)
case("average_pool3d_same", lambda: layers.AveragePooling3D((2, 3, 1), strides=2, padding="same"), W)
case("global_average_pool1d", lambda: layers.GlobalAveragePooling1D(), R)
case("global_average_pool3d", lambda: layers.GlobalAveragePooling3D(), W)
case("global_max_pool2d", lambda: layers.GlobalMaxPooling2D(), I)
case("global_max_pool3d", lambda: layers.GlobalMaxPooling3D(), W)
case("embedding", lambda: layers.Embedding(7, 3), (2, 4), ids=[[0, 6, 2, 2], [5, 2, 0, 1]])
case("embedding_flat", lambda: layers.Embedding(5, 4), (3,), ids=[4, 0, 4])
case("batch_norm", lambda: layers.BatchNormalization(), R, lambda norm, x: norm(x, training=False))
case("batch_norm_training", lambda: layers.BatchNormalization(), R, lambda norm, x: norm(x, training=True))
case("batch_norm_of_images", lambda: layers.BatchNormalization(momentum=0.75), I, lambda norm, x: norm(x, training=True))
case("layer_norm", lambda: layers.LayerNormalization(), R)
case("group_norm", lambda: layers.GroupNormalization(2), A)
case("rms_norm", lambda: layers.RMSNormalization(), R)
case("unit_norm", lambda: layers.UnitNormalization(), R)
case("global_average_pool", lambda: layers.GlobalAveragePooling2D(), I)
case("global_max_pool", lambda: layers.GlobalMaxPooling1D(), R)
case("reshape", lambda: layers.Reshape((-1, 4)), I)
case("permute", lambda: layers.Permute((2, 1)), R)
case("repeat_vector", lambda: layers.RepeatVector(3), (2, 4))
case("zero_padding", lambda: layers.ZeroPadding2D(((1, 0), (2, 1))), I)
case("cropping", lambda: layers.Cropping2D(((1, 0), (2, 1))), I)
case("up_sampling", lambda: layers.UpSampling2D((2, 3)), I)
case("time_distributed", lambda: layers.TimeDistributed(layers.Dense(2, activation="tanh")), R)
case("time_distributed_pool", lambda: layers.TimeDistributed(layers.GlobalAveragePooling1D()), I)


def branches():
    i = keras.Input(A[1:])
    a = layers.Dense(3, name="concatenate_dense")(i)
    b = layers.Dense(2, activation="relu", name="concatenate_dense_1")(i)
    c = layers.Concatenate()([a, b])
    d = layers.Dense(5, name="residual_dense")(layers.LayerNormalization(name="residual_layer_norm")(c))
    return keras.Model(i, layers.Add()([c, d]))


case("branches", branches, A)

for name in ("elu celu exponential gelu hard_sigmoid hard_silu hard_tanh hard_shrink soft_shrink leaky_relu log_sigmoid log_softmax "
             "mish relu6 selu sigmoid silu softmax softplus softsign sparse_plus sparse_sigmoid squareplus tanh tanh_shrink").split():
    case("activation_" + name, lambda: layers.Activation(name), (3, 7))
case("activation_elu_half", lambda: layers.ELU(0.5), (3, 7))
case("activation_leaky_relu_tenth", lambda: layers.LeakyReLU(0.1), (3, 7))
case("activation_glu", lambda: layers.Activation("glu"), (3, 8))
case("activation_threshold", lambda: layers.Activation(lambda x: keras.activations.threshold(x, 0.25, 2.0)), (3, 7))
case("prelu", lambda: layers.PReLU(), R)
case("branches_average", lambda: keras.Sequential([layers.Lambda(lambda x: (x + keras.ops.tanh(x)) / 2)]), R)
case("branches_maximum", lambda: keras.Sequential([layers.Lambda(lambda x: keras.ops.maximum(-x, keras.ops.tanh(x)))]), R)
case("branches_multiply", lambda: keras.Sequential([layers.Lambda(lambda x: x * keras.ops.tanh(x))]), R)
