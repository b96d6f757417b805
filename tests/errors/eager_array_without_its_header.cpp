// SPDX-License-Identifier: MIT
// headers: no others
// error: this_function_is_in_a_header_of_its_own_include_etch_eager_xtensor_hpp
// error: {"array"}
// error: tensor<float, 2>
#include <etch/eager.hpp>

using namespace etch;

int main() {
  const tensor<float, 2> t = {{1, 2}, {3, 4}};
  const auto a = t.array();  // wrong
}
