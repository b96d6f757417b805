// SPDX-License-Identifier: MIT
// VAR-06.
// error: variable_is_declared_trainable_and_not_trainable
// error: {"weights"}, float, etch::shape<2>
#include <etch/etch.hpp>

using namespace etch;
constexpr auto a = variable<"weights">(zeros(shape<2>{}));                 // wrong
constexpr auto b = variable<"weights">(zeros(shape<2>{}), not_trainable);  // wrong

int main() { session s(a + b); }
