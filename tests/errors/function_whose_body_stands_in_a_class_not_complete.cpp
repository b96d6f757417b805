// SPDX-License-Identifier: MIT
// error: the_body_of_this_function_does_not_take_these_arguments_or_the_class_around_it_is_not_complete_yet
#include <etch/function.hpp>

using namespace etch;
using namespace etch::literals;

struct model {
  struct body {
    auto operator()(auto x) const { return x * 2_c; }
  };
  function<body> doubled{body{}};
  // In a member function, whose own body is compiled later, it may be called.
  auto right(tensor<float, 0> x) { return doubled(x); }
  using result = decltype(std::declval<function<body>&>()(tensor(1.f)));  // wrong
};

int main() { model().right(tensor(1.f)); }
