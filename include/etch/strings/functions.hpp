// SPDX-License-Identifier: MIT
#pragma once
#include <charconv>
#include <cstdint>
#include <string>

#include <etch/core/diagnostics.hpp>
#include <etch/core/dtype.hpp>
#include <etch/host/output.hpp>

/// What functions of strings do with the elements of their operands: said once for eager tensors and graphs. `name` identifies the
/// function among the ops of a program.
namespace etch::strings::detail {

/// The texts one after another, with the separator between them.
template <fixed_string Separator>
struct join_function {
  static constexpr auto whole_name = "strings::join \"" + etch::detail::text_in_a_name<Separator>() + "\"";
  static constexpr const char* name = whole_name.text;
  template <class First, class... Rest>
  static std::string of(const First& first, const Rest&... rest) {
    std::string joined;
    joined.reserve(first.size() + (rest.size() + ... + (sizeof...(Rest) * Separator.size)));
    joined += first;
    ((joined.append(Separator.text, Separator.size) += rest), ...);
    return joined;
  }
};

/// The number of bytes, an error above 2^31 - 1.
struct length_function {
  static constexpr const char* name = "strings::length";
  static std::int32_t of(const std::string& text) { return counted(text.size()); }
  static std::int32_t counted(std::size_t bytes) {
    if (bytes > INT32_MAX) fail("strings::length: %zu bytes, an int32 counts up to 2147483647", bytes);
    return static_cast<std::int32_t>(bytes);
  }
};

struct equal_function {
  static constexpr const char* name = "strings::equal";
  static bool of(const std::string& a, const std::string& b) { return a == b; }
};

/// A number as prints write it.
struct as_string_function {
  static constexpr const char* name = "strings::as_string";
  static constexpr bool takes_numbers = true;
  template <class T>
  static std::string of(T number) {
    return etch::detail::element_text(number);
  }
};

/// The number that the whole text is.
template <class T>
struct to_number_function {
  static constexpr auto whole_name = [] {
    constexpr auto letters = [] {
      std::size_t n = 0;
      while (name_of_dtype(dtype_of<T>)[n] != '\0') ++n;
      return n;
    }();
    char text[letters + 1]{};
    for (std::size_t i = 0; i < letters; ++i) text[i] = name_of_dtype(dtype_of<T>)[i];
    return "strings::to_number " + fixed_string<letters + 1>(text);
  }();
  static constexpr const char* name = whole_name.text;
  static T of(const std::string& text) {
    T number{};
    const char* const end = text.data() + text.size();
    const auto [last, failure] = std::from_chars(text.data(), end, number);
    if (failure != std::errc() || last != end || text.empty())
      fail("strings::to_number: \"%s\" is no %s", text.c_str(), name_of_dtype(dtype_of<T>));
    return number;
  }
};

}  // namespace etch::strings::detail
