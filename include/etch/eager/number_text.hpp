// SPDX-License-Identifier: MIT
#pragma once
#include <charconv>
#include <cmath>
#include <string>

#include <etch/base/formatted.hpp>
#include <etch/core/dtype.hpp>

/// Numbers as NumPy 2.4 writes them, alone and in columns.
namespace etch::eager {

/// How the numbers of an array are written, so that their points are below one another: at most 8 digits behind the point, no more
/// than tell a number from its neighbours; with an exponent where numbers are large, small, or a thousand times as large as another.
struct number_format {
  bool has_exponent = false;
  int before = 0, behind = 0;  ///< characters on either side of the point
  int exponent_digits = 2;
  int width = 0;  ///< of integers and bools
};

namespace detail {

inline constexpr int most_digits = 8;

/// The digits, always with a point, without zeros at the end.
template <class T>
std::string digits_of(T x, std::chars_format format, int precision) {
  char text[512];
  const auto end = precision < 0 ? std::to_chars(text, text + sizeof text, x, format).ptr
                                 : std::to_chars(text, text + sizeof text, x, format, precision).ptr;
  std::string all(text, end);
  const std::size_t e = all.find('e');
  std::string mantissa = all.substr(0, e), exponent = e == std::string::npos ? "" : all.substr(e);
  if (mantissa.find('.') == std::string::npos) mantissa += '.';
  if (precision < 0 && mantissa.size() - mantissa.find('.') - 1 > most_digits) return digits_of(x, format, most_digits);
  mantissa.resize(mantissa.find_last_not_of('0') + 1);
  return mantissa + exponent;
}
template <class T>
std::string digits_of(T x, bool has_exponent) {
  return digits_of(x, has_exponent ? std::chars_format::scientific : std::chars_format::fixed, -1);
}

/// With an exponent and that many digits behind the point.
template <class T>
std::string fixed_digits_of(T x, int precision) {
  char text[64];
  std::string all(text, std::to_chars(text, text + sizeof text, x, std::chars_format::scientific, precision).ptr);
  if (precision == 0) all.insert(all.find('e'), 1, '.');
  return all;
}

template <class T>
std::string not_finite(T x) {
  return x != x ? "nan" : x > 0 ? "inf" : "-inf";
}
/// A number of less than 32 bits as ml_dtypes, and so TensorFlow and JAX, write it: six digits, and no columns.
inline std::string short_text(float x) {
  if (!std::isfinite(x)) return not_finite(x);
  return etch::detail::formatted("%g", static_cast<double>(x));
}
inline int larger(int a, std::size_t b) { return a > static_cast<int>(b) ? a : static_cast<int>(b); }

/// Above that an array of floats has exponents: what has more digits than the dtype.
template <class T>
inline constexpr double most_without_exponent = sizeof(T) == 4 ? 1e6 : 1e8;

}  // namespace detail

/// The format of these numbers; strings have none.
template <class T>
number_format format_of(const T* x, std::size_t count) {
  number_format f;
  if constexpr (std::is_same_v<T, bool>) {
    f.width = 5;
  } else if constexpr (std::is_integral_v<T>) {
    for (std::size_t i = 0; i < count; ++i) f.width = detail::larger(f.width, std::to_string(x[i]).size());
  } else if constexpr (std::is_floating_point_v<T>) {
    T highest = 0, lowest = 0;
    bool has_negative_infinity = false, has_nan = false, has_infinity = false;
    for (std::size_t i = 0; i < count; ++i) {
      has_nan = has_nan || x[i] != x[i];
      has_infinity = has_infinity || std::isinf(x[i]);
      has_negative_infinity = has_negative_infinity || (std::isinf(x[i]) && x[i] < 0);
      if (!std::isfinite(x[i]) || x[i] == 0) continue;
      const T size = std::abs(x[i]);
      highest = size > highest ? size : highest;
      lowest = lowest == 0 || size < lowest ? size : lowest;
    }
    f.has_exponent = lowest != 0 && (static_cast<double>(highest) >= detail::most_without_exponent<T> ||
                                     static_cast<double>(lowest) < 0.0001 || highest / lowest > T(1000));
    for (std::size_t i = 0; i < count; ++i) {
      if (!std::isfinite(x[i])) continue;
      const std::string text = detail::digits_of(x[i], f.has_exponent);
      const std::size_t point = text.find('.'), e = text.find('e');
      f.before = detail::larger(f.before, point);
      f.behind = detail::larger(f.behind, (e == std::string::npos ? text.size() : e) - point - 1);
      if (e != std::string::npos) f.exponent_digits = detail::larger(f.exponent_digits, text.size() - e - 2);
    }
    // NaN and infinities take the place of all of a number.
    const int right = 1 + f.behind + (f.has_exponent ? f.exponent_digits + 2 : 0);
    if (has_nan) f.before = detail::larger(f.before, right < 3 ? static_cast<std::size_t>(3 - right) : 0);
    const int infinite = has_negative_infinity ? 4 : 3;
    if (has_infinity) f.before = detail::larger(f.before, right < infinite ? static_cast<std::size_t>(infinite - right) : 0);
  }
  return f;
}

/// One number of an array.
template <class T>
std::string number_text(T x, const number_format& f) {
  const auto filled = [](const std::string& text, int width) {
    const int missing = width - static_cast<int>(text.size());
    return missing > 0 ? std::string(static_cast<std::size_t>(missing), ' ') + text : text;
  };
  if constexpr (std::is_same_v<T, bool>) {
    return filled(x ? "True" : "False", f.width);
  } else if constexpr (is_storage_number<T>) {
    return detail::short_text(x);
  } else if constexpr (std::is_integral_v<T>) {
    return filled(std::to_string(x), f.width);
  } else {
    const int right = 1 + f.behind + (f.has_exponent ? f.exponent_digits + 2 : 0);
    if (!std::isfinite(x)) return filled(detail::not_finite(x), f.before + right);
    std::string text;
    if (f.has_exponent) {
      // As many digits as the longest has: those of the number, also where fewer tell it apart.
      text = detail::fixed_digits_of(x, f.behind);
      const std::size_t digits = text.size() - text.find('e') - 2;
      text.insert(text.find('e') + 2, std::string(static_cast<std::size_t>(f.exponent_digits) - digits, '0'));
    } else {
      text = detail::digits_of(x, false);
      text += std::string(static_cast<std::size_t>(f.behind) - (text.size() - text.find('.') - 1), ' ');
    }
    const std::size_t point = text.find('.');
    return filled(text, f.before + static_cast<int>(text.size()) - static_cast<int>(point));
  }
}

/// A scalar: all digits that tell it from its neighbours.
template <class T>
std::string scalar_text(T x) {
  if constexpr (std::is_same_v<T, bool>) {
    return x ? "True" : "False";
  } else if constexpr (is_storage_number<T>) {
    return detail::short_text(x);
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(x);
  } else {
    if (!std::isfinite(x)) return detail::not_finite(x);
    const double size = std::abs(static_cast<double>(x));
    const bool has_exponent = size != 0 && (size < 1e-4 || size >= (sizeof(T) == 4 ? 1e6 : 1e16));
    char text[64];
    const auto end =
        std::to_chars(text, text + sizeof text, x, has_exponent ? std::chars_format::scientific : std::chars_format::fixed).ptr;
    std::string digits(text, end);
    return has_exponent || digits.find('.') != std::string::npos ? digits : digits + ".0";
  }
}

}  // namespace etch::eager
