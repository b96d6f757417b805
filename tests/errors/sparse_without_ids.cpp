// SPDX-License-Identifier: MIT
// error: this_call_has_the_wrong_arguments
// error: minimize(loss, table, ids)
#include <etch/etch.hpp>
#include <etch/optimizers.hpp>

using namespace etch;
constexpr placeholder<"ids", std::int32_t, any<"n">> ids;
constexpr auto table = variable<"table">(zeros(shape<100, 4>{}));
constexpr auto loss = sum(square(gather(table, ids) - 1_c));

int main() {
  constexpr auto train = optimizers::sparse(optimizers::adam(0.1_c)).minimize(loss);  // wrong
}
