// SPDX-License-Identifier: MIT
// error: a_session_is_made_of_expressions_name_at_least_one
// error: {"session"}
// error: {"session s(y)"}
#include <etch/gpu.hpp>

constexpr etch::placeholder<"y", float, 4> y;

int main() { etch::gpu::session session({y, y}); }
