// SPDX-License-Identifier: MIT
// error: an_eager_call_of_the_host_gives_arrays_whose_extents_are_numbers
// error: host_call_named
// error: {"row"}
#include <etch/eager.hpp>
#include <etch/host_call.hpp>

using namespace etch;

int main() {
  const tensor<float, 1> v = {1, 2};
  const auto y = host_call<"row", float, any<"n">>([](strided<float>, strided<const float>) {}, v);  // wrong
}
