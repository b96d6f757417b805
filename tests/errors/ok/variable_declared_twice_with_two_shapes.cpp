// SPDX-License-Identifier: MIT
// The same name, dtype, shape and initial value are the same variable.
#include <etch/etch.hpp>

using namespace etch;
constexpr auto a = variable<"weights">(zeros(shape<2>{}));
constexpr auto b = variable<"weights">(zeros(shape<2>{}));
constexpr auto loss = sum(square(a)) + sum(square(b));
static_assert(std::is_same_v<decltype(a), decltype(b)>);

int main() { session s(loss, optimizers::sgd(0.1_c).minimize(loss)); }
