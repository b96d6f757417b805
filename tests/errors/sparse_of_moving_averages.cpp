// SPDX-License-Identifier: MIT
// error: a_sparse_optimizer_has_no_moving_average_and_accumulates_nothing
// error: in_function<
// error: optimizers::sparse
#include <etch/etch.hpp>
#include <etch/optimizers.hpp>

using namespace etch;
constexpr placeholder<"ids", std::int32_t, any<"n">> ids;
constexpr auto table = variable<"table">(zeros(shape<100, 4>{}));
constexpr auto loss = sum(square(gather(table, ids) - 1_c));

int main() {
  constexpr auto optimizer = optimizers::sparse(optimizers::adam(0.1_c).moving_average());  // wrong
  constexpr auto train = optimizer.minimize(loss, table, ids);
}
