// SPDX-License-Identifier: MIT
#pragma once
#include <etch/nn/adaptive_optimizers.hpp>
#include <etch/nn/schedules.hpp>
#include <etch/nn/sparse.hpp>
/// All optimizers and schedules. `<etch/etch.hpp>` has sgd, momentum, nesterov, adam and adamw.
