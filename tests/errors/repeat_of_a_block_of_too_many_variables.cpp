// SPDX-License-Identifier: MIT
// error: a_repeated_block_has_at_most_256_variables
// error: {"repeat"}
// error: literal_value<257>
#include <etch/control.hpp>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"x", float> x;

template <fixed_string Name, int... I>
constexpr auto sum_of(std::integer_sequence<int, I...>) {
  return (variable<Name / digits<I>>(zeros(shape<>{})) + ...);
}
/// Of 128 variables and some more.
template <int Others>
constexpr auto block = [](auto in, auto h) {
  const auto a = sum_of<in / "a">(std::make_integer_sequence<int, 128>{});
  return h + a + sum_of<in / "b">(std::make_integer_sequence<int, Others>{});
};

int main() {
  const auto most = repeat<2, "block">(block<128>, x);
  const auto more = repeat<2, "block">(block<129>, x);  // wrong
}
