// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include <etch/base/decimal.hpp>
#include <etch/core/constant.hpp>
#include <etch/core/number.hpp>

/// Numbers in expressions: `2_c`, `1e-3_c`, `literal<rate>`.
namespace etch {

/// What a literal was written as, or computed from. Of two that meet the later one counts.
enum class literal_kind : std::uint8_t { boolean, integer, floating };

/// A number without a dtype: it takes that of the tensor it meets, and must be a value of it. Where an expression ends without
/// one it is a bool, an int32 or a float32. `Bits` are those of a double where it is floating, else the number itself: nvcc
/// names no type by a double. `Origin` is void, or the op and literals whose result it is: a node that can be fetched and fed.
template <literal_kind Kind, std::int64_t Bits, class Origin = void>
struct literal_number : expression_base {
  static constexpr bool has_dtype = false;
  static constexpr literal_kind kind = Kind;
  static constexpr bool floating = Kind == literal_kind::floating;
  using value_type = std::conditional_t<floating, float, std::conditional_t<Kind == literal_kind::boolean, bool, std::int32_t>>;
  using shape_type = shape<>;
  static constexpr int rank = 0;
  static constexpr bool is_written = std::is_void_v<Origin>;

  static constexpr auto value = [] {
    if constexpr (floating)
      return std::bit_cast<double>(Bits);
    else if constexpr (Kind == literal_kind::boolean)
      return Bits != 0;
    else
      return Bits;
  }();

  /// Whether it is a value of T: a float takes what does not overflow it, an integer no fraction and nothing beyond its range,
  /// a bool every whole number.
  template <class T>
  static constexpr bool fits() {
    if constexpr (std::is_same_v<T, bool>)
      return !floating || is_whole();
    else if constexpr (!etch::is_floating(dtype_of<T>) && floating)
      return is_whole() && detail::is_value_of<T>(static_cast<std::int64_t>(value));
    else
      return detail::is_value_of<T>(value);
  }
  template <class T>
  static constexpr T as() {
    return static_cast<T>(value);
  }
  /// An error where this literal is no value of T.
  template <class T>
  static constexpr void check_fits() {
    if constexpr (!fits<T>())
      raise<this_literal_is_no_value_of_the_other_operands_dtype_cast_that_first, literal_value<value>, expected<T>>();
  }
  /// In a dtype that is known as a value, of a graph under construction.
  static constexpr scalar as_scalar(dtype type) {
    return etch::is_floating(type) ? scalar{type, as<double>(), 0} : scalar{type, 0, as<std::int64_t>()};
  }
  /// This literal as a node of dtype T.
  template <class T>
  static constexpr auto node() {
    if constexpr (fits<T>()) {
      return node_of<T, as<T>()>();
    } else {
      check_fits<T>();
      return node_of<T, T{}>();
    }
  }
  static constexpr auto node() { return node<value_type>(); }
  /// What a cast to T gives: without a fraction, an integer modulo the width of T.
  template <class T>
  static constexpr auto cast_node() {
    constexpr scalar from{floating ? dtype::float64 : dtype::int64, as<double>(), floating ? 0 : as<std::int64_t>()};
    if constexpr (etch::is_floating(dtype_of<T>))
      return node<T>();
    else
      return node_of<T, from.template as<T>()>();
  }
  /// Where nothing else takes it: a constant, or the op on constants of their own dtypes, so that each of them can be fed.
  static constexpr auto self() {
    if constexpr (std::is_void_v<Origin>) {
      return node<value_type>();
    } else {
      check_fits<value_type>();
      return Origin::node();
    }
  }
  static constexpr hash_t hash = decltype(literal_number::self())::hash;

  constexpr auto operator+() const { return *this; }
  constexpr auto operator-() const
    requires(std::is_void_v<Origin> && Kind != literal_kind::boolean)
  {
    if constexpr (floating)
      return literal_number<Kind, std::bit_cast<std::int64_t>(-value)>{};
    else
      return literal_number<Kind, -value>{};
  }
  /// Feeds this node, as of any other expression.
  template <detail::other_than<literal_number> Value>
    requires(!std::is_void_v<Origin>)
  constexpr auto operator=(Value&& fed) const {
    return detail::bind_value<decltype(literal_number::self()), Value>(fed);
  }
  explicit constexpr operator bool() const { return detail::refuse_to_be<literal_number, bool>(); }

 private:
  static constexpr bool is_whole() {
    if constexpr (floating)
      return value >= -0x1p63 && value < 0x1p63 && value == static_cast<double>(static_cast<std::int64_t>(value));
    else
      return true;
  }
  template <class T, T Value>
  static constexpr auto node_of() {
    constexpr std::int64_t word = constant.encode(scalar::of<T>(Value));
    return make_node_of<struct constant, T, shape<>, attributes<word>>();
  }
};

namespace detail {

template <class>
inline constexpr bool is_literal = false;
template <literal_kind Kind, std::int64_t Bits, class Origin>
inline constexpr bool is_literal<literal_number<Kind, Bits, Origin>> = true;

/// The literal of a number that is a template argument.
template <auto Value>
constexpr auto literal_of() {
  using T = std::remove_cvref_t<decltype(Value)>;
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, long double>,
                "literal: it takes a bool, an integer, a float or a double");
  if constexpr (std::is_floating_point_v<T>) {
    return literal_number<literal_kind::floating, std::bit_cast<std::int64_t>(static_cast<double>(Value))>{};
  } else if constexpr (std::is_same_v<T, bool>) {
    return literal_number<literal_kind::boolean, Value ? 1 : 0>{};
  } else {
    static_assert(is_value_of<std::int64_t>(Value), "literal: the integer is beyond the range of int64");
    return literal_number<literal_kind::integer, static_cast<std::int64_t>(Value)>{};
  }
}

struct parsed_literal {
  std::int64_t mantissa = 0;
  int exponent = 0;
  bool floating = false;
  bool valid = true;

  /// The nearest double. Of mantissas up to 2^53 and exponents from -22 to 22 by one operation on exact numbers (Clinger 1990).
  constexpr double value() const {
    if (mantissa > std::int64_t{1} << 53 || exponent < -22 || exponent > 22)
      return nearest_double(static_cast<std::uint64_t>(mantissa), exponent);
    double power = 1;
    for (int i = 0; i < (exponent < 0 ? -exponent : exponent); ++i) power *= 10;
    return exponent < 0 ? static_cast<double>(mantissa) / power : static_cast<double>(mantissa) * power;
  }
};
template <char... C>
constexpr parsed_literal parse_literal() {
  constexpr char text[] = {C..., '\0'};
  parsed_literal r;
  bool point = false;
  int i = 0;
  for (; text[i] != '\0' && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '.') {
      point = r.floating = true;
    } else if (text[i] >= '0' && text[i] <= '9') {
      r.mantissa = r.mantissa * 10 + (text[i] - '0');
      if (point) --r.exponent;
      if (r.mantissa >= 900000000000000000) r.valid = false;
    } else if (text[i] != '\'') {
      r.valid = false;
    }
    if (!r.valid) return {.valid = false};
  }
  if (text[i] != '\0') {
    r.floating = true;
    ++i;
    const bool negative = text[i] == '-';
    if (text[i] == '-' || text[i] == '+') ++i;
    int e = 0;
    constexpr int most = 100000;  // beyond each double, whatever the digits
    for (; text[i] != '\0'; ++i)
      if (text[i] != '\'' && e < most) e = e * 10 + (text[i] - '0');
    r.exponent += negative ? -e : e;
  }
  while (r.exponent < 0 && r.mantissa % 10 == 0 && r.mantissa != 0) {
    r.mantissa /= 10;
    ++r.exponent;
  }
  return r;
}

}  // namespace detail

/// A number from a constant of C++, `literal<3>`, `literal<0.1>`, `literal<rate>`: a literal like those with `_c`.
template <auto Value>
inline constexpr auto literal = detail::literal_of<Value>();

inline namespace literals {
/// `2_c`, `0.5_c`, `1e-3_c`: a number that the compiler sees. Decimal, of at most 17 digits; one with a point or an exponent is the
/// double that C++ makes of it.
template <char... C>
constexpr auto operator""_c() {
  constexpr detail::parsed_literal p = detail::parse_literal<C...>();
  static_assert(p.valid, "literal: _c takes a decimal number of at most 17 digits");
  if constexpr (p.floating) {
    constexpr double value = p.value();
    static_assert(value <= std::numeric_limits<double>::max(), "literal: the number is beyond the range of a double");
    return literal_number<literal_kind::floating, std::bit_cast<std::int64_t>(value)>{};
  } else {
    return literal_number<literal_kind::integer, p.mantissa>{};
  }
}
}  // namespace literals

}  // namespace etch
