// SPDX-License-Identifier: MIT
// error: the_branches_give_values_of_one_dtype_and_shape
// error: {"cond"}
#include <etch/control.hpp>
#include <etch/etch.hpp>
#include <etch/strings.hpp>

using namespace etch;
constexpr placeholder<"x", std::string> x;
constexpr placeholder<"p", bool> p;
constexpr placeholder<"k", std::int64_t> k;

constexpr auto y = cond(p, [] { return x; }, [] { return k; });  // wrong

int main() {}
