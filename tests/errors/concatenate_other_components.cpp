// SPDX-License-Identifier: MIT
// error: both_datasets_have_components_of_the_same_dtypes_and_ranks
// error: in_function<
// error: {"concatenate"}
#include <vector>

#include <etch/data.hpp>

int main() {
  std::vector<float> x;
  auto d = etch::data::range(3).concatenate(etch::data::slices(x));  // wrong
}
