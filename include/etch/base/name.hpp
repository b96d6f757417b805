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

/// Names that are made of others: `variable<Name + "/scale">(...)`; `Name / "scale"` is the same with the slash between them.
template <std::size_t N, std::size_t M>
constexpr fixed_string<N + M - 1> operator+(const fixed_string<N>& a, const fixed_string<M>& b) {
  char text[N + M - 1]{};
  for (std::size_t i = 0; i + 1 < N; ++i) text[i] = a.text[i];
  for (std::size_t i = 0; i < M; ++i) text[N - 1 + i] = b.text[i];
  return text;
}
template <std::size_t N, std::size_t M>
constexpr auto operator+(const fixed_string<N>& a, const char (&b)[M]) {
  return a + fixed_string<M>(b);
}
template <std::size_t N, std::size_t M>
constexpr auto operator+(const char (&a)[N], const fixed_string<M>& b) {
  return fixed_string<N>(a) + b;
}
template <std::size_t N, std::size_t M>
constexpr auto operator/(const fixed_string<N>& a, const char (&b)[M]) {
  return a + "/" + fixed_string<M>(b);
}
template <std::size_t N, std::size_t M>
constexpr auto operator/(const fixed_string<N>& a, const fixed_string<M>& b) {
  return a + "/" + b;
}
template <std::size_t N, std::size_t M>
constexpr auto operator/(const char (&a)[N], const fixed_string<M>& b) {
  return fixed_string<N>(a) / b;
}

namespace detail {
template <unsigned long long N>
constexpr auto decimal_digits() {
  constexpr std::size_t count = [] {
    std::size_t n = 1;
    for (unsigned long long rest = N; rest > 9; rest /= 10) ++n;
    return n;
  }();
  char text[count + 1]{};
  unsigned long long rest = N;
  for (std::size_t i = count; i-- > 0; rest /= 10) text[i] = static_cast<char>('0' + rest % 10);
  return fixed_string<count + 1>(text);
}
}  // namespace detail
/// A number in a name: `Name / digits<Layer> / "kernel"`.
template <unsigned long long N>
inline constexpr auto digits = detail::decimal_digits<N>();

template <char... Characters>
struct name {
  static constexpr char text[sizeof...(Characters) + 1] = {Characters..., '\0'};
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
