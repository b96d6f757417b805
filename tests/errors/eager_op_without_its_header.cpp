// SPDX-License-Identifier: MIT
// headers: no others
// error: ops_of_tensors_are_in_a_header_of_their_own_include_etch_eager_hpp
// error: in_op<etch::sum
#include <etch/data.hpp>

using namespace etch;

int main() {
  const xt::xtensor<float, 2> x = {{1, 2}, {3, 4}};
  auto doubled = data::slices(x).map([](const auto& row) { return sum(row); });  // wrong
}
