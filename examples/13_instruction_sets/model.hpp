// SPDX-License-Identifier: MIT
#pragma once

/// What a library of the model gives. Plain C, so that programs share no inline function with it, which might be compiled for another
/// instruction set than theirs.
extern "C" {
struct model_functions {
  int floats_in_a_register;
  /// 64 samples of 32 numbers each; 10 numbers for each.
  void (*predict)(const float* samples, float* to);
};
const model_functions* etch_model();
}
