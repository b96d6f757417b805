// SPDX-License-Identifier: MIT
// error: graph_error<etch::backend_lacks_this_op, etch::in_op<etch::normal_draw>, etch::on_backend<etch::gpu::backend>
#include <etch/gpu.hpp>

constexpr auto w = etch::variable<"w">(etch::random_normal<"start", float>(etch::shape<3>{}));

int main() {
  etch::gpu::session session(w);
  session.initialize();
}
