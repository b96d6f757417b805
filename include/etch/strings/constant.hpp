// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

#include <etch/core/refusal.hpp>

/// Strings that the compiler knows: `"hello"_c`.
namespace etch {

namespace detail {
struct string_constant_base : host_value_base {};
/// Not by its template argument: nvcc deduces no texts.
template <class A>
inline constexpr bool is_string_constant = std::is_base_of_v<string_constant_base, A>;
}  // namespace detail

/// A string as a type: a scalar that stands in eager code and in graphs alike, and converts to a std::string.
template <fixed_string Text>
struct string_constant : detail::string_constant_base {
  using value_type = std::string;
  using shape_type = shape<>;
  static constexpr int rank = 0;
  static constexpr auto text = Text;
  /// Zeros in it are part of it.
  static constexpr std::string_view value{Text.text, Text.size};

  constexpr operator std::string_view() const { return value; }
  operator std::string() const { return std::string(value); }
};

namespace detail {
template <class A>
  requires is_string_constant<A>
struct shown_argument<A> {
  using type = A;
};

template <class Separator, class First, class... Rest>
constexpr auto joined_texts(Separator separator, First first, Rest... rest) {
  if constexpr (sizeof...(Rest) == 0)
    return first;
  else
    return first + separator + joined_texts(separator, rest...);
}
}  // namespace detail

inline namespace literals {
/// `"hello"_c`: a string that the compiler sees.
template <fixed_string Text>
constexpr auto operator""_c() {
  return string_constant<Text>{};
}
}  // namespace literals

}  // namespace etch
