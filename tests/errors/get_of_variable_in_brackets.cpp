// SPDX-License-Identifier: MIT
// error: a_name_stands_in_angle_brackets_the_variable_is_an_argument
// error: {"get"}
// error: {"table"}
// error: {"get(w)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr auto table = variable<"table">(zeros(shape<2, 3>{}));

int main() {
  session s(table * 2_c);
  s.get<table>();  // wrong
}
