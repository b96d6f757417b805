// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <utility>

#include <etch/base/hash.hpp>

/// Texts as template arguments: `fixed_string` at the surface, where users write "images", and `name<'i', ...>` inside,
/// since nvcc can neither deduce a string parameter nor put one into a kernel's stub.
namespace etch {

template <std::size_t N>
struct fixed_string {
  char text[N]{};
  static constexpr std::size_t size = N - 1;
  constexpr fixed_string(const char (&s)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = s[i];
  }
};

template <char... Characters>
struct name {
  static constexpr char text[] = {Characters..., '\0'};
  static constexpr std::size_t size = sizeof...(Characters);
  static constexpr hash_t hash = hash_of(text, size);
};

namespace detail {
template <fixed_string Text, std::size_t... I>
constexpr auto make_name(std::index_sequence<I...>) {
  return name<Text.text[I]...>{};
}
template <class A, class B>
struct joined_name;
template <char... A, char... B>
struct joined_name<name<A...>, name<B...>> {
  using type = name<A..., B...>;
};
}  // namespace detail

template <fixed_string Text>
using name_of = decltype(detail::make_name<Text>(std::make_index_sequence<Text.size>{}));

/// The name of one name written after another: `join<name_of<"hidden">, name_of<"/kernel">>`.
template <class A, class B>
using join = typename detail::joined_name<A, B>::type;

/// The spelling of a type as the compiler prints it, without its namespaces' `etch::`.
template <class T>
constexpr auto type_name() {
  struct view {
    const char* text;
    std::size_t size;
  };
  const char* text = __PRETTY_FUNCTION__;
  std::size_t begin = 0;
  while (!(text[begin] == 'T' && text[begin + 1] == ' ' && text[begin + 2] == '=')) ++begin;
  begin += 4;
  std::size_t end = begin;
  int depth = 0;
  while (text[end] != '\0' && !(depth == 0 && (text[end] == ']' || text[end] == ';'))) {
    if (text[end] == '<' || text[end] == '[' || text[end] == '(') ++depth;
    if (text[end] == '>' || text[end] == ']' || text[end] == ')') --depth;
    ++end;
  }
  return view{text + begin, end - begin};
}

}  // namespace etch
