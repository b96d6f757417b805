// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/change.hpp>
#include <etch/eager/evaluate.hpp>
#include <etch/eager/given_shape.hpp>
#include <etch/eager/mode.hpp>
#include <etch/eager/print.hpp>
#include <etch/eager/steps.hpp>
#include <etch/eager/variable.hpp>
#include <etch/nn/initializers.hpp>
#include <etch/ops.hpp>
/// Eager mode: `etch::tensor<float, 2> w = {{1, 2}, {3, 4}}; auto y = etch::matmul(w, w);`
