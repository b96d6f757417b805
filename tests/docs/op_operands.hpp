// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <etch/convolution.hpp>
#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/tape.hpp>

/// The operands of the examples in the reference of ops (op_examples_*.cpp), which shows those of each example above it: a line for each.
namespace op_operands {

using namespace etch::literals;

const etch::tensor<float, 1> a = {1, 2, 3};
const etch::tensor<float, 1> b = {4, 0.5f, -2};
const etch::tensor<float, 1> t = {-2, -0.5f, 0, 0.5f, 2};
const etch::tensor<float, 1> u = {0.1f, 0.5f, 0.9f};
const etch::tensor<float, 2> m = {{1, 2, 3}, {4, 5, 6}};
const etch::tensor<float, 2> n = {{0, 1, 0}, {1, 0, 2}};
const etch::tensor<bool, 1> p = {true, true, false};
const etch::tensor<bool, 1> q = {true, false, false};
const etch::tensor<std::int32_t, 1> i = {7, -7, 5};
const etch::tensor<std::int32_t, 1> j = {2, 2, 0};
const etch::tensor<std::int32_t, 1> ids = {2, 0};
const etch::tensor<std::int32_t, 2> places = {{1, 0}, {0, 2}};
const etch::tensor<float, 1> updates = {10, 20};
const etch::tensor<float, 4> image = etch::reshape(etch::tensor<float, 1>{1, 2, 3, 4, 5, 6, 7, 8, 9}, etch::shape<1, 3, 3, 1>{});
const etch::tensor<float, 4> kernel = etch::reshape(etch::tensor<float, 1>{1, 0, 0, -1}, etch::shape<2, 2, 1, 1>{});
const etch::tensor<float, 5> volume = etch::reshape(etch::tensor<float, 1>{1, 2, 3, 4, 5, 6, 7, 8}, etch::shape<1, 2, 2, 2, 1>{});
const etch::tensor<float, 5> cube = etch::reshape(etch::tensor<float, 1>{1, 0, 0, 0, 0, 0, 0, -1}, etch::shape<2, 2, 2, 1, 1>{});
const etch::tensor<float, 2> logits = {{2, 1, 0}, {0, 3, 0}};
const etch::tensor<std::int32_t, 1> labels = {0, 1};
const etch::tensor<float, 2> shares = {{0.5f, 0.5f, 0}, {0, 1, 0}};

constexpr etch::placeholder<"x", float, etch::any<"batch">, 6> x;
constexpr etch::placeholder<"words", std::int32_t, etch::any<"batch">> words;
constexpr etch::placeholder<"series", float, etch::any<"batch">, 6, 2> series;
constexpr etch::placeholder<"images", float, etch::any<"batch">, 4, 6, 1> images;
constexpr auto w = etch::variable<"w">(etch::ones(etch::shape<3>{}));

}  // namespace op_operands
