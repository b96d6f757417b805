// SPDX-License-Identifier: MIT
// error: a_name_stands_in_angle_brackets_the_variable_is_an_argument
// error: {"set"}
// error: {"table"}
// error: {"set(w, values)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr auto table = variable<"table">(zeros(shape<2, 3>{}));
xt::xtensor<float, 2> data = {{1, 2, 3}, {4, 5, 6}};

int main() {
  session s(table * 2_c);
  s.set<table>(data);  // wrong
}
