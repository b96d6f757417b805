// SPDX-License-Identifier: MIT
#pragma once
#include <etch/checkpoint/manager.hpp>
/// Checkpoints: what a program saves and goes on from, in TensorFlow's format or as safetensors. docs/checkpoints.md.
