// SPDX-License-Identifier: MIT
#pragma once
#include <etch/summary/file_writer.hpp>
#include <etch/summary/svg.hpp>
/// Watching a program: `etch::summary::file_writer writer("logs/run"); writer.scalar("loss", value, step);` and TensorBoard.
