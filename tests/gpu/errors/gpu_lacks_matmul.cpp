// SPDX-License-Identifier: MIT
// error: graph_error<etch::backend_lacks_this_op, etch::in_op<etch::matmul>, etch::on_backend<etch::gpu::backend>
#include <etch/gpu.hpp>

constexpr etch::placeholder<"a", float, 4, 5> a;
constexpr etch::placeholder<"b", float, 5, 6> b;

int main() {
  constexpr auto product = etch::matmul(a, b);
  etch::gpu::session session(product);
  const xt::xtensor<float, 2> x, y;
  session.run(product, a = x, b = y);
}
