// SPDX-License-Identifier: MIT
// error: a_session_is_made_of_expressions_name_at_least_one
// error: {"session"}
// error: {"session s(y)"}
#include <etch/gpu.hpp>

int main() {
  const xt::xtensor<float, 2> values{{1, 2}, {3, 4}};
  etch::gpu::session session(values);
}
