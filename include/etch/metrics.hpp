// SPDX-License-Identifier: MIT
#pragma once
#include <etch/metrics/counts.hpp>
#include <etch/metrics/curves.hpp>
#include <etch/metrics/means.hpp>
/// Metrics as sums in a graph: `constexpr auto auc = metrics::auc(probabilities, labels);` has `update()`, `result()`, `reset()`.
