// SPDX-License-Identifier: MIT
// error: the_loss_must_read_this_table_by_gather_of_these_ids_alone
// error: in_function<
// error: optimizers::sparse
#include <etch/etch.hpp>
#include <etch/optimizers.hpp>

using namespace etch;
constexpr placeholder<"ids", std::int32_t, any<"n">> ids;
constexpr auto table = variable<"table">(zeros(shape<100, 4>{}));
constexpr auto loss = sum(square(gather(table, ids) - 1_c)) + 0.1_c * sum(square(table));

int main() {
  constexpr auto train = optimizers::sparse(optimizers::adam(0.1_c)).minimize(loss, table, ids);  // wrong
}
