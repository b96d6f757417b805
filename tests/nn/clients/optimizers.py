# SPDX-License-Identifier: MIT
# optimizers.py > ../optimizer_values.hpp: the weights of a small regression after some of 200 steps, in double, and schedules at some steps, by Keras
# and PyTorch. It was run with Keras 3.15.1 on PyTorch 2.15.0.
import os

os.environ["KERAS_BACKEND"] = "torch"
import keras
import numpy as np
import torch

keras.config.set_floatx("float64")
optimizers = keras.optimizers
schedules = optimizers.schedules
marks = (1, 2, 10, 50, 200)
first_kernel = np.array([[0.5, -1.0], [0.25, 2.0], [-0.75, 1.5]])
first_bias = np.array([0.1, -0.2])


def batch(step):
    x = np.sin(1.0 + 0.7 * np.arange(12).reshape(4, 3) + 0.3 * step)
    y = np.cos(0.5 + 0.9 * np.arange(8).reshape(4, 2) - 0.2 * step)
    return x, y


def line(name, step, *weights):
    numbers = ", ".join(repr(float(v)) for w in weights for v in np.ravel(w))
    print(f'    {{"{name}", {step}, {{{numbers}}}}},')


def by_keras(name, optimizer, excluded=None, average=False):
    kernel = keras.Variable(first_kernel, name="kernel")
    bias = keras.Variable(first_bias, name="bias")
    if excluded:
        optimizer.exclude_from_weight_decay(var_names=[excluded])
    optimizer.build([kernel, bias])
    for step in range(200):
        x, y = batch(step)
        loss = ((torch.tensor(x) @ kernel.value + bias.value - torch.tensor(y)) ** 2).mean()
        optimizer.apply(torch.autograd.grad(loss, [kernel.value, bias.value]), [kernel, bias])
        if step + 1 in marks:
            shown = optimizer._model_variables_moving_average if average else [kernel, bias]
            line(name, step + 1, *[keras.ops.convert_to_numpy(v) for v in shown])


def by_torch(name, optimizer_of, scheduler_of=None):
    kernel = torch.tensor(first_kernel, requires_grad=True)
    bias = torch.tensor(first_bias, requires_grad=True)
    optimizers = optimizer_of([kernel, bias])
    if not isinstance(optimizers, list):
        optimizers = [optimizers]
    scheduler = scheduler_of(optimizers[0]) if scheduler_of else None
    for step in range(200):
        x, y = batch(step)
        for optimizer in optimizers:
            optimizer.zero_grad()
        loss = ((torch.tensor(x) @ kernel + bias - torch.tensor(y)) ** 2).mean()
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()
        if scheduler:
            scheduler.step()
        if step + 1 in marks:
            line(name, step + 1, kernel.detach().numpy(), bias.detach().numpy())


steps = (0, 1, 2, 5, 9, 10, 11, 24, 25, 29, 30, 31, 49, 50, 51, 69, 70, 71, 99, 100, 101, 150, 151, 199)


def rates(name, values):
    line(name, 0, *values)


def rates_by_keras(name, schedule):
    rates(name, [keras.ops.convert_to_numpy(schedule(np.float64(s))) for s in steps])


def rates_by_torch(name, scheduler_of, rate=0.1):
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], rate)
    scheduler = scheduler_of(optimizer)
    seen = []
    for _ in range(200):
        seen.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    rates(name, [seen[s] for s in steps])


class OfChanges(schedules.LearningRateSchedule):
    """Keras counts each step of an accumulation for a schedule."""

    def __init__(self, schedule, steps):
        self.schedule = schedule
        self.steps = steps

    def __call__(self, step):
        return self.schedule(step // self.steps)


print("// SPDX-License-Identifier: MIT")
print("#pragma once")
print("// Written by clients/optimizers.py.")
print("namespace oracle {")
print("/// The weights of a 3 x 2 kernel and a bias after so many steps.")
print("struct weights {\n  const char* name;\n  int step;\n  double values[8];\n};")
print("// clang-format off")
print("inline constexpr weights trained[] = {")
by_keras("sgd", optimizers.SGD(0.05))
by_torch("momentum", lambda w: torch.optim.SGD(w, 0.02, momentum=0.9))
by_torch("nesterov", lambda w: torch.optim.SGD(w, 0.02, momentum=0.8, nesterov=True))
by_keras("nesterov of keras", optimizers.SGD(0.02, momentum=0.8, nesterov=True))
by_keras("rmsprop", optimizers.RMSprop(0.01))
by_keras("rmsprop with momentum", optimizers.RMSprop(0.01, rho=0.8, momentum=0.7, epsilon=1e-3))
by_keras("adagrad", optimizers.Adagrad(0.1))
by_torch("adagrad of torch", lambda w: torch.optim.Adagrad(w, 0.1, initial_accumulator_value=0.5, eps=0))
by_keras("adadelta", optimizers.Adadelta(1.0))
by_torch("adadelta of torch", lambda w: torch.optim.Adadelta(w, 0.5, rho=0.9, eps=1e-6))
by_keras("adam", optimizers.Adam(0.01))
by_keras("adamw", optimizers.AdamW(0.01, weight_decay=0.1))
by_keras("adamax", optimizers.Adamax(0.02))
by_keras("nadam", optimizers.Nadam(0.01))
by_torch("nadam of torch", lambda w: torch.optim.NAdam(w, 0.01, eps=1e-8, momentum_decay=0.5))
by_keras("lion", optimizers.Lion(0.003))
by_keras("lamb", optimizers.Lamb(0.02, weight_decay=0.1))
by_keras("ftrl", optimizers.Ftrl(0.1))
by_keras("ftrl with penalties", optimizers.Ftrl(0.1, initial_accumulator_value=0.2, l1_regularization_strength=0.05, l2_regularization_strength=0.01))
by_keras("clip_by_value", optimizers.Adam(0.01, clipvalue=0.05))
by_keras("clip_by_norm", optimizers.SGD(0.1, clipnorm=0.2))
by_keras("clip_by_global_norm", optimizers.SGD(0.1, global_clipnorm=0.3))
by_keras("weight_decay", optimizers.RMSprop(0.01, weight_decay=0.5), excluded="bias")
by_keras("moving_average", optimizers.SGD(0.1, use_ema=True, ema_momentum=0.9), average=True)
by_keras("accumulate", optimizers.Adam(0.02, gradient_accumulation_steps=5))
by_keras("schedule", optimizers.Adam(schedules.ExponentialDecay(0.05, 20, 0.7)))
by_torch("schedule of torch", lambda w: torch.optim.SGD(w, 0.1, momentum=0.9, nesterov=True), lambda o: torch.optim.lr_scheduler.OneCycleLR(o, 0.05, 201, cycle_momentum=False))
by_torch("two at once", lambda w: [torch.optim.SGD(w[:1], 0.02, momentum=0.9), torch.optim.Adadelta(w[1:], 0.5, rho=0.9)])
by_keras(
    "all of it",
    optimizers.Nadam(OfChanges(schedules.CosineDecay(0.05, 30), 4), weight_decay=0.2, global_clipnorm=0.5, gradient_accumulation_steps=4),
    excluded="kernel",
)
print("};")
print("/// Rates at some steps.")
print(f"inline constexpr int steps[] = {{{', '.join(map(str, steps))}}};")
print(f"struct rates {{\n  const char* name;\n  int of;\n  double values[{len(steps)}];\n}};")
print("inline constexpr rates scheduled[] = {")
rates_by_keras("exponential_decay", schedules.ExponentialDecay(0.1, 30, 0.5))
rates_by_keras("exponential_decay in stairs", schedules.ExponentialDecay(0.1, 30, 0.5, staircase=True))
rates_by_torch("exponential_decay of torch", lambda o: torch.optim.lr_scheduler.ExponentialLR(o, 0.97))
rates_by_torch("steps of torch", lambda o: torch.optim.lr_scheduler.StepLR(o, 30, 0.5))
rates_by_keras("inverse_time_decay", schedules.InverseTimeDecay(0.1, 30, 0.5))
rates_by_keras("inverse_time_decay in stairs", schedules.InverseTimeDecay(0.1, 30, 0.5, staircase=True))
rates_by_keras("cosine_decay", schedules.CosineDecay(0.1, 100, alpha=0.2))
rates_by_torch("cosine_decay of torch", lambda o: torch.optim.lr_scheduler.CosineAnnealingLR(o, 199))
rates_by_keras("cosine_decay_restarts", schedules.CosineDecayRestarts(0.1, 10, t_mul=2.0, m_mul=0.8, alpha=0.1))
rates_by_keras("cosine_decay_restarts of 1", schedules.CosineDecayRestarts(0.1, 10, t_mul=1.0, m_mul=0.9))
rates_by_torch("cosine_decay_restarts of torch", lambda o: torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(o, 10, 2))
rates_by_keras("polynomial_decay", schedules.PolynomialDecay(0.1, 100, 0.01, 2.0))
rates_by_keras("polynomial_decay cycled", schedules.PolynomialDecay(0.1, 30, 0.01, 1.0, cycle=True))
rates_by_torch("polynomial_decay of torch", lambda o: torch.optim.lr_scheduler.PolynomialLR(o, 100, 0.5))
rates_by_keras("piecewise_constant_decay", schedules.PiecewiseConstantDecay([10, 50, 100], [0.1, 0.05, 0.02, 0.01]))
rates_by_keras("warm_up", schedules.CosineDecay(0.01, 100, warmup_target=0.1, warmup_steps=25))
rates_by_torch(
    "warm_up of torch",
    lambda o: torch.optim.lr_scheduler.SequentialLR(
        o,
        [torch.optim.lr_scheduler.LinearLR(o, 0.1, 1.0, 25), torch.optim.lr_scheduler.ExponentialLR(o, 0.97)],
        [25],
    ),
)
rates_by_torch("one_cycle", lambda o: torch.optim.lr_scheduler.OneCycleLR(o, 0.1, 201))
rates_by_torch("one_cycle with shares", lambda o: torch.optim.lr_scheduler.OneCycleLR(o, 0.1, 201, pct_start=0.4, div_factor=10, final_div_factor=100))
print("};")
print("}  // namespace oracle")
