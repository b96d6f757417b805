// SPDX-License-Identifier: MIT
#pragma once
#include <etch/losses/classification.hpp>
#include <etch/losses/regression.hpp>
#include <etch/losses/weighted.hpp>
/// Losses as objects: `losses::log_cosh(y, target)` has one value for each sample.
