// SPDX-License-Identifier: MIT
// error: an_extent_is_negative_name_one_that_is_not_known_by_any
// error: {"x"}, float, etch::shape<-4294967292
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float, -4294967292> x;  // wrong

int main() {}
