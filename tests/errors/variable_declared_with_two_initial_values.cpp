// SPDX-License-Identifier: MIT
// SCO-05.
// error: variable_is_declared_with_two_initial_values
// error: {"weights"}, float, etch::shape<2>
#include <etch/etch.hpp>

using namespace etch;
constexpr auto a = variable<"weights">(zeros(shape<2>{}));  // wrong
constexpr auto b = variable<"weights">(ones(shape<2>{}));   // wrong

int main() { session s(a + b); }
