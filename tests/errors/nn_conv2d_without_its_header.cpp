// SPDX-License-Identifier: MIT
// headers: no others
// error: this_function_is_in_a_header_of_its_own_include_etch_convolution_hpp
// error: {"nn::conv2d"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"images", float, any<"batch">, 28, 28, 3> images;

int main() {
  constexpr auto y = nn::conv2d<"first", 32, 5>(images);  // wrong
}
