// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>
#include <xtensor/xtensor.hpp>

#include <etch/etch.hpp>

#include "../session/executors.hpp"

/// Steps of one plan share kernels: whatever they are compiled beside, values are the same to the last bit.
namespace laws {

/// The bytes of a result.
template <class R>
std::vector<char> bytes_of(const R& r) {
  if constexpr (std::is_arithmetic_v<R>) {
    const char* const at = reinterpret_cast<const char*>(&r);
    return {at, at + sizeof r};
  } else {
    const char* const at = reinterpret_cast<const char*>(r.data());
    return {at, at + r.size() * sizeof *r.data()};
  }
}
using values = std::vector<std::vector<char>>;

/// Of a tuple of results, or of one.
template <class R>
values bytes_of_all(const R& r) {
  if constexpr (requires { std::tuple_size<R>::value; })
    return std::apply([](const auto&... one) { return values{bytes_of(one)...}; }, r);
  else
    return {bytes_of(r)};
}

/// Expressions that are fetched.
template <class... E>
struct fetched {
  template <std::size_t... I>
  static constexpr auto reversed(std::index_sequence<I...>) {
    return fetched<std::tuple_element_t<sizeof...(I) - 1 - I, std::tuple<E...>>...>{};
  }
};

/// All by one plan.
template <class Session, class... E, class... Feeds>
values together(Session& s, fetched<E...>, const Feeds&... feeds) {
  return bytes_of_all(s.run(E{}..., feeds...));
}

/// Compares each value of one plan with that of the plan that gives nothing else.
inline void compare(const values& got, const values& alone, bool is_reversed, const std::string& how) {
  REQUIRE(got.size() == alone.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::size_t at = is_reversed ? got.size() - 1 - i : i;
    CHECK_MESSAGE(got[i] == alone[at], "value " << at << how);
  }
}

/// Each value alone, all together, in reverse order, and by two threads that share the smallest steps. Gives those alone.
template <class Session, class... E, class... Feeds>
values check_sharing(Session& s, const std::tuple<E...>&, const Feeds&... feeds) {
  const values alone = {together(s, fetched<E>{}, feeds...)[0]...};
  constexpr fetched<E...> all;
  constexpr auto reversed = fetched<E...>::reversed(std::index_sequence_for<E...>{});
  compare(together(s, all, feeds...), alone, false, ", together");
  compare(together(s, reversed, feeds...), alone, true, ", in reverse order");
  executors::eager_pool threads(2);
  s.set_executor(&threads);
  compare(together(s, all, feeds...), alone, false, ", by two threads");
  compare(together(s, reversed, feeds...), alone, true, ", in reverse order by two threads");
  s.set_executor(nullptr);
  return alone;
}

}  // namespace laws
