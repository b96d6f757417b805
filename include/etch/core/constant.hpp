// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstdint>
#include <limits>

#include <etch/core/expression.hpp>

/// Numbers that are known to the compiler: literals (`2_c`, `1e-3_c`) and the constant nodes they become.
namespace etch {

/// A scalar in a graph. Its one attribute word holds the bits of a double where the dtype is floating, else the integer.
inline constexpr struct constant : op_defaults {
  static constexpr const char* name = "constant";
  static constexpr op_role role = op_role::constant;
  static constexpr op_kind kind = op_kind::source;
  static constexpr attribute_names names = {{"value", attribute_kind::scalar}};
  static constexpr int arity = 0;
  static constexpr bool differentiable = false;
  static constexpr tensor_type infer(inference&, const tensor_type*, int, const words&) { return {}; }

  static constexpr std::int64_t encode(const scalar& s) {
    return is_floating(s.type) ? std::bit_cast<std::int64_t>(s.real) : s.integer;
  }
  static constexpr scalar decode(dtype type, std::int64_t word) {
    if (is_floating(type)) return {type, std::bit_cast<double>(word), 0};
    return {type, 0, word};
  }
} constant;

/// A decimal literal: Mantissa * 10^Exponent. It takes the dtype of the operand it meets; alone it is an int32, or a
/// float32 if it was written with a point or an exponent.
template <std::int64_t Mantissa, int Exponent, bool Floating>
struct literal : expression_base {
  static constexpr bool floating = Floating;
  using value_type = std::conditional_t<Floating, float, std::int32_t>;
  using shape_type = shape<>;

  /// Correctly rounded for mantissas below 2^53 and exponents from -22 to 22: both powers are exact (Clinger 1990).
  static constexpr double value = [] {
    double power = 1;
    for (int i = 0; i < (Exponent < 0 ? -Exponent : Exponent); ++i) power *= 10;
    return Exponent < 0 ? static_cast<double>(Mantissa) / power : static_cast<double>(Mantissa) * power;
  }();
  static constexpr bool is_integer = Exponent >= 0 || value == static_cast<double>(static_cast<std::int64_t>(value));

  template <class T>
  static constexpr T as() {
    if constexpr (!Floating && Exponent == 0)
      return static_cast<T>(Mantissa);
    else
      return static_cast<T>(value);
  }
  /// Whether it is a value of T: an integer takes no fraction, and nothing beyond its range.
  template <class T>
  static constexpr bool fits() {
    if constexpr (std::is_floating_point_v<T>)
      return true;
    else if constexpr (std::is_same_v<T, bool>)
      return is_integer;
    else
      return is_integer && value >= static_cast<double>(std::numeric_limits<T>::min()) &&
             value < static_cast<double>(std::numeric_limits<T>::max() / 2 + 1) * 2;
  }
  /// An error where this literal is no value of T.
  template <class T>
  static constexpr void check_fits() {
    if constexpr (!fits<T>())
      raise<this_literal_is_no_value_of_the_other_operands_dtype_cast_that_first, literal_value<Mantissa, Exponent>,
            expected<T>>();
  }
  /// This literal as a node of dtype T.
  template <class T>
  static constexpr auto node() {
    check_fits<T>();
    constexpr std::int64_t word = constant.encode(scalar::of<T>(as<T>()));
    return make_node_of<struct constant, T, shape<>, attributes<word>>();
  }
  static constexpr auto node() { return node<value_type>(); }
  static constexpr hash_t hash = decltype(literal::template node<value_type>())::hash;

  constexpr auto operator-() const { return literal<-Mantissa, Exponent, Floating>{}; }
  constexpr auto operator+() const { return *this; }
  explicit constexpr operator bool() const { return detail::refuse_to_be_bool<literal>(); }
};

namespace detail {
template <class>
inline constexpr bool is_literal = false;
template <std::int64_t M, int E, bool F>
inline constexpr bool is_literal<literal<M, E, F>> = true;

struct parsed_literal {
  std::int64_t mantissa = 0;
  int exponent = 0;
  bool floating = false;
  bool valid = true;
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
  }
  if (text[i] != '\0') {
    r.floating = true;
    ++i;
    const bool negative = text[i] == '-';
    if (text[i] == '-' || text[i] == '+') ++i;
    int e = 0;
    for (; text[i] != '\0'; ++i) e = e * 10 + (text[i] - '0');
    r.exponent += negative ? -e : e;
  }
  while (r.exponent < 0 && r.mantissa % 10 == 0 && r.mantissa != 0) {
    r.mantissa /= 10;
    ++r.exponent;
  }
  return r;
}
}  // namespace detail

inline namespace literals {
/// `2_c`, `0.5_c`, `1e-3_c`: a number that the compiler sees. Decimal only.
template <char... C>
constexpr auto operator""_c() {
  constexpr detail::parsed_literal p = detail::parse_literal<C...>();
  static_assert(p.valid, "literal: _c takes a decimal number of at most 17 digits");
  return literal<p.mantissa, p.exponent, p.floating>{};
}
}  // namespace literals

}  // namespace etch
