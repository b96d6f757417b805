// SPDX-License-Identifier: MIT
#include <type_traits>

#include <doctest/doctest.h>

#include <etch/base/plain_tuple.hpp>
#include <etch/base/type_list.hpp>

namespace etch {
namespace {

using detail::chosen_types;
using detail::type_list;

static_assert(std::is_same_v<chosen_types<type_list<int, float, char>, true, false, true>, type_list<int, char>>);
static_assert(std::is_same_v<chosen_types<type_list<int, int, float>, false, true, false>, type_list<int>>);
static_assert(std::is_same_v<chosen_types<type_list<int>, false>, type_list<>>);
static_assert(std::is_same_v<chosen_types<type_list<>>, type_list<>>);

TEST_CASE("a plain_tuple has structured bindings and get") {
  plain_tuple<int, double, int> t{{{1}, {2.5}, {3}}};
  auto& [a, b, c] = t;
  CHECK(a == 1);
  CHECK(b == 2.5);
  c = 4;
  CHECK(get<2>(t) == 4);
  const plain_tuple<int, double, int>& constant = t;
  CHECK(get<1>(constant) == 2.5);
  static_assert(std::is_same_v<decltype(get<0>(constant)), const int&>);
  static_assert(std::is_same_v<decltype(get<0>(plain_tuple<int>{})), int&&>);
}

}  // namespace
}  // namespace etch
