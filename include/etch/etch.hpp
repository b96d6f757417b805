// SPDX-License-Identifier: MIT
#pragma once
#include <etch/nn/layers.hpp>
#include <etch/nn/losses.hpp>
#include <etch/nn/optimizers.hpp>
#include <etch/ops.hpp>
#include <etch/session.hpp>
/// Everything but the GPU backend.
