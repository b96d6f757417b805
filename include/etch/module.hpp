// SPDX-License-Identifier: MIT
#pragma once
#include <etch/module/make_module.hpp>
#include <etch/module/module.hpp>
/// Modules, TensorFlow's tf.Module: classes that have variables, functions and other modules as members. See docs/models.md.
