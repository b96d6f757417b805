// SPDX-License-Identifier: MIT
// A training step of ETCH_SIZE variables, each of four elements. Exits with 0 if that many have gone one step down their gradient.
// ETCH_PLAN_ONLY: the plan alone, no kernels.
#include <etch/etch.hpp>

using namespace etch::literals;

constexpr etch::placeholder<"x", float, 4> x;

/// The sum of terms First to Last - 1, as a tree.
template <int First, int Last>
constexpr auto total() {
  if constexpr (Last - First == 1)
    return etch::variable<"v" / etch::digits<First>>(etch::full(etch::shape<4>{}, etch::literal<First>)) * x - 1_c;
  else
    return total<First, (First + Last) / 2>() + total<(First + Last) / 2, Last>();
}

int main() {
  constexpr auto loss = etch::sum(total<0, ETCH_SIZE>());
  constexpr auto train = etch::optimizers::sgd(1_c).minimize(loss);
#ifdef ETCH_PLAN_ONLY
  return etch::plan_of(loss, train, x).kernel_count == 0;
#else
  etch::session session(loss, train);
  session.initialize();
  session.run(train, x = {1, 2, 3, 4});
  int at = 0, right = 0;
  for (const auto& v : session.variables()) {
    const auto values = v.get<float>();
    bool moved = values.size() == 4;
    for (std::size_t i = 1; i < 4; ++i) moved = moved && values[i] == values[0] - static_cast<float>(i);
    right += moved;
    ++at;
  }
  return at == ETCH_SIZE && right == ETCH_SIZE ? 0 : 1;
#endif
}
