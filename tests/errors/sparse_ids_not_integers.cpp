// SPDX-License-Identifier: MIT
// error: indices_are_not_integers
// error: optimizers::sparse
#include <etch/etch.hpp>
#include <etch/optimizers.hpp>

using namespace etch;
constexpr placeholder<"ids", float, any<"n">> ids;
constexpr auto table = variable<"table">(zeros(shape<100, 4>{}));
constexpr auto loss = sum(square(gather(table, astype<std::int32_t>(ids)) - 1_c));

int main() {
  constexpr auto train = optimizers::sparse(optimizers::adam(0.1_c)).minimize(loss, table, ids);  // wrong
}
