// SPDX-License-Identifier: MIT
// error: an_expression_has_no_elements_take_a_part_of_it_by_slice_or_gather
// error: {"names"}
#include <etch/etch.hpp>
#include <etch/strings.hpp>

using namespace etch;
constexpr placeholder<"names", std::string, any<"n">> names;

constexpr auto y = names[0];  // wrong

int main() {}
