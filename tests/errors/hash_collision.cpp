// SPDX-License-Identifier: MIT
// Two definitions under one hash are a redefinition: a collision stops the compiler, it cannot give a wrong result.
// error(gcc): redefinition of 'constexpr auto etch::definitions::part_7::definition_of(slot<etch::expression_key<7> >)'
// error(clang): redefinition of 'definition_of'
#include <etch/core/definition.hpp>

struct first {};
struct second {};

constexpr etch::hash_t a = etch::define<etch::expression_key, 7, first>::hash;
constexpr etch::hash_t b = etch::define<etch::expression_key, 7, second>::hash;  // wrong

int main() {}
