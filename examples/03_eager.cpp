// SPDX-License-Identifier: MIT
// Eager mode: each call computes at once. A generic function serves eager tensors and expressions alike.
#include <iostream>
#include <stdexcept>

#include <etch/eager.hpp>
#include <etch/etch.hpp>

using namespace etch::literals;

namespace {

const auto spread = [](auto x) { return etch::sqrt(etch::variance(x, etch::axis<1>)); };

void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

}  // namespace

int main() {
  const etch::tensor<float, 2> values = {{1, 2, 3}, {4, 8, 12}};
  const auto now = spread(values);
  std::cout << now << "\n";

  // The same function in a session.
  constexpr etch::placeholder<"x", float, etch::any<"n">, 3> x;
  etch::session session(spread(x));
  const xt::xtensor<float, 1> fed_and_fetched = session.run(spread(x), x = xt::xtensor<float, 2>(values));
  require(fed_and_fetched(1) == now(1), "eager is as in a session");

  // Ordinary control flow, parts and elements.
  etch::tensor<int, 0> steps = 0;
  while (steps < 1000) steps += 1;
  float sum = 0;
  for (const auto row : values)
    if (row[0] > 1_c) sum += etch::sum(row).item();
  require(steps.item() == 1000 && sum == 24, "scalars in conditions, rows in loops");
  require(values[0](2) == 3 && values(1, -1) == 12, "parts and elements");

  // Makers of arrays and random draws are evaluated where they meet tensors.
  etch::eager::seed(42);
  const etch::tensor<float, 2> noise = etch::random_normal<"noise">(etch::shape<2, 3>{});
  const auto ones = values * 0_c + etch::ones(etch::shape<3>{});
  require(etch::reduce_all(ones == 1_c).item() && noise(0, 0) != noise(1, 2), "expressions of constants");

  // A changed tensor leaves those that shared its elements alone.
  etch::tensor<float, 2> moved = values;
  moved += noise;
  require(values(0, 0) == 1, "values stay");

  // Mistakes that the compiler cannot see are thrown by the call that makes them.
  try {
    etch::matmul(values, values);
    return 1;
  } catch (const etch::error& e) {
    std::cout << e.what() << "\n";
  }
}
