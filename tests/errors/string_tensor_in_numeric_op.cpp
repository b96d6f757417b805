// SPDX-License-Identifier: MIT
// error: a_string_is_no_number_convert_it_by_strings_to_number
// error: in_op<etch::tanh>
#include <etch/eager.hpp>
#include <etch/strings.hpp>

using namespace etch;

int main() {
  const tensor<std::string, 1> names = {"a", "b"};
  const auto y = etch::tanh(names);  // wrong
}
