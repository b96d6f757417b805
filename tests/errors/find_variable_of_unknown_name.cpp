// SPDX-License-Identifier: MIT
// error: no_variable_of_this_expression_has_this_name
// error: hidden/kernal
#include <etch/etch.hpp>

constexpr etch::placeholder<"images", float, etch::any<"batch">, 784> images;

int main() {
  constexpr auto hidden = etch::nn::dense<"hidden", 100>(images);
  constexpr auto kernel = etch::find_variable<"hidden/kernal">(hidden);  // wrong
}
