// SPDX-License-Identifier: MIT
// error: nested_containers_cannot_be_fed_feed_an_array_or_one_flat_range
// error: {"set"}
// error: vector
#include <vector>

#include <etch/etch.hpp>

using namespace etch;
constexpr auto w = variable<"w">(zeros(shape<2, 3>{}));

int main() {
  session session(w);
  const std::vector<std::vector<float>> rows = {{1, 2, 3}, {4, 5, 6}};
  session.variables().at("w").set(rows);  // wrong
}
