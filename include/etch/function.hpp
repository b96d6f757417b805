// SPDX-License-Identifier: MIT
#pragma once
#include <etch/control.hpp>
#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/function/function.hpp>
/// Traced functions: `etch::function f([](auto x) { return etch::tanh(x); }); f(etch::tensor(1.f));`
