// SPDX-License-Identifier: MIT
#pragma once
#include <etch/nn/layers.hpp>
#include <etch/nn/losses.hpp>
#include <etch/nn/optimizers.hpp>
#include <etch/nn/without_convolution.hpp>
#include <etch/ops.hpp>
#include <etch/session.hpp>
/// Graphs and sessions. Eager mode, tapes and the GPU backend have headers of their own: programs of graphs compile 0.2 s faster without.
