// SPDX-License-Identifier: MIT
#pragma once
#include <etch/convolution.hpp>
#include <etch/eager.hpp>
#include <etch/image/files.hpp>
#include <etch/image/random.hpp>
#include <etch/image/resized_files.hpp>
/// Images, as tf.image: files in and out (with the target `etch::images`), resized, cut, coloured. docs/images.md.
