// SPDX-License-Identifier: MIT
#pragma once
#include <etch/data/slices.hpp>
/// Datasets: `for (auto [x, y] : etch::data::slices(images, labels).shuffle(60000).batch(50)) step();`
