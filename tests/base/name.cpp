// SPDX-License-Identifier: MIT
#include <string>
#include <type_traits>

#include <doctest/doctest.h>

#include <etch/base/name.hpp>

/// Texts as template arguments.
namespace user {
struct batch;
template <class A, int N>
struct pair;
}  // namespace user

namespace {

using etch::name;
using etch::name_of;

template <class T>
std::string text_of_type() {
  constexpr auto view = etch::type_name<T>();
  return std::string(view.text, view.size);
}

TEST_CASE("name: a text becomes a pack of characters") {
  static_assert(std::is_same_v<name_of<"abc">, name<'a', 'b', 'c'>>);
  static_assert(std::is_same_v<name_of<"">, name<>>);
  static_assert(!std::is_same_v<name_of<"abc">, name_of<"abd">>);
  CHECK(std::string(name_of<"layer/kernel">::text) == "layer/kernel");
  CHECK(name_of<"layer/kernel">::size == 12);
  CHECK(std::string(name_of<"">::text).empty());
}

TEST_CASE("name: a name's hash is that of its text") {
  static_assert(name_of<"images">::hash == etch::hash_of("images"));
  static_assert(name_of<"">::hash == etch::hash_of(""));
}

TEST_CASE("name: joined names are the name of the joined text") {
  static_assert(std::is_same_v<etch::join<name_of<"h1">, name_of<"/weights">>, name_of<"h1/weights">>);
  static_assert(std::is_same_v<etch::join<name_of<"">, name_of<"x">>, name_of<"x">>);
}

template <etch::fixed_string Scope>
constexpr auto layer() {
  return name_of<Scope / "kernel">{};
}

TEST_CASE("name: texts that are template arguments concatenate; digits<N> writes a number") {
  static_assert(std::is_same_v<decltype(layer<"h1">()), name_of<"h1/kernel">>);
  static_assert(std::is_same_v<decltype(layer<"block" / etch::digits<10>>()), name_of<"block/10/kernel">>);
  static_assert(std::is_same_v<decltype(layer<"a" + etch::fixed_string("b") + "c">()), name_of<"abc/kernel">>);
  CHECK(std::string(etch::digits<0>.text) == "0");
  CHECK(std::string(etch::digits<18446744073709551615ULL>.text) == "18446744073709551615");
}

TEST_CASE("name: a type's name is what the compiler prints, brackets and all") {
  CHECK(text_of_type<int>() == "int");
  CHECK(text_of_type<user::batch>() == "user::batch");
  const std::string pair = text_of_type<user::pair<int[3], 4>>();
  // clang writes int[3] without a space.
  CHECK((pair.substr(0, 15) == "user::pair<int " || pair.substr(0, 15) == "user::pair<int["));
  CHECK(pair.substr(pair.size() - 5) == "], 4>");
}

}  // namespace
