// SPDX-License-Identifier: MIT
// One hash may be defined again as the same thing, and may stand for an op and an expression at once.
#include <type_traits>

#include <etch/core/definition.hpp>

struct first {};
struct second {};

constexpr etch::hash_t a = etch::define<etch::expression_key, 7, first>::hash;
constexpr etch::hash_t again = etch::define<etch::expression_key, 7, first>::hash;
constexpr etch::hash_t b = etch::define<etch::op_key, 7, second>::hash;

static_assert(std::is_same_v<etch::defined<etch::expression_key, 7>, first>);
static_assert(std::is_same_v<etch::defined<etch::op_key, 7>, second>);

int main() {}
