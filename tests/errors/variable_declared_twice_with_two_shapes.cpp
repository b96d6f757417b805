// SPDX-License-Identifier: MIT
// SCO-05.
// error: variable_is_declared_twice
// error: {"weights"}, float, etch::shape<2>
// error: {"weights"}, float, etch::shape<3>
#include <etch/etch.hpp>

using namespace etch;
constexpr auto a = variable<"weights">(zeros(shape<2>{}));  // wrong
constexpr auto b = variable<"weights">(zeros(shape<3>{}));  // wrong
constexpr auto loss = sum(square(a)) + sum(square(b));

int main() { session s(loss); }
