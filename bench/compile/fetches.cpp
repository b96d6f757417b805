// SPDX-License-Identifier: MIT
// ETCH_SIZE fetches of one run. Exits with 0 if they are right.
#include <utility>

#include <etch/etch.hpp>

constexpr etch::placeholder<"x", float, 8> x;

template <int... I>
bool run(std::integer_sequence<int, I...>) {
  etch::session session((x * etch::literal<I>)...);
  const auto all = session.run((x * etch::literal<I>)..., x = {1, 2, 3, 4, 5, 6, 7, 8});
  using std::get;
  const bool right[] = {(get<static_cast<std::size_t>(I)>(all)(7) == 8.0f * I)...};
  for (const bool r : right)
    if (!r) return false;
  return true;
}

int main() { return run(std::make_integer_sequence<int, ETCH_SIZE>{}) ? 0 : 1; }
