// SPDX-License-Identifier: MIT
// A graph of typed slots: the compiler checks it, a session runs it.
#include <cstdio>

#include <etch/etch.hpp>
#include <etch/print.hpp>

using namespace etch::literals;

int main() {
  constexpr etch::placeholder<"x", float, etch::any<"n">, 3> x;
  constexpr auto w = etch::variable<"w">(etch::ones(etch::shape<3, 2>{}));
  constexpr auto y = etch::tanh(etch::matmul(x, w) * 0.1_c);

  etch::session session(y);
  session.initialize();
  const xt::xtensor<float, 2> value = session.run(y, x = {{1, 2, 3}, {4, 5, 6}});
  std::printf("y has shape (%zu, %zu) and begins with %.6f\n", value.shape()[0], value.shape()[1],
              static_cast<double>(value(0, 0)));

  // The plan is a constant: a change that breaks the fusion breaks the build.
  constexpr auto plan = etch::plan_of(y, x);
  static_assert(plan.kernel_count == 1);
  static_assert(plan.arena_bytes(100) == 0);
  std::printf("%s", etch::to_text(plan).c_str());
  return value(1, 1) > 0.9f ? 0 : 1;
}
