// SPDX-License-Identifier: MIT
#pragma once
#include <etch/strings/calls.hpp>
#include <etch/strings/host_call.hpp>
#include <etch/strings/print.hpp>
#include <etch/strings/session.hpp>
#include <etch/strings/tensor_text.hpp>
/// Strings: eager tensors, constants, expressions of graphs. Not in etch.hpp: programs of numbers do not compile them.
