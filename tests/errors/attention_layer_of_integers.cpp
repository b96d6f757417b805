// SPDX-License-Identifier: MIT
// error: dtype_not_accepted
// error: in_function<
// error: {"layers::multi_head_attention"}
// error: {"ids"}, int
#include <etch/etch.hpp>
#include <etch/layers/attention.hpp>

using namespace etch;
constexpr placeholder<"ids", std::int32_t, any<"batch">, 10, 3> ids;

int main() {
  constexpr auto y = layers::multi_head_attention<2, 4>(ids);  // wrong
}
