// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include <etch/base/scalar_math.hpp>

namespace etch {

/// A number that the compiler computes with. What no constant expression may do (a float's overflow, a division by zero, a
/// conversion to an integer that does not hold it) gives an unknown number instead of an error: the machine computes that.
/// Integers wrap around.
template <class T>
struct folded {
  using value_type = T;
  T value{};
  bool known = true;

  constexpr folded() = default;
  /// From a number: one that T does not hold is unknown.
  template <class N>
    requires std::is_arithmetic_v<N>
  ETCH_HOST_DEVICE constexpr folded(N number) : folded(converted(number)) {}
  ETCH_HOST_DEVICE constexpr folded(T number, bool is_known) : value(number), known(is_known) {}
  template <class U>
    requires(!std::is_same_v<U, T>)
  ETCH_HOST_DEVICE constexpr explicit folded(const folded<U>& other) : folded(converted(other.value)) {
    known = known && other.known;
  }

  ETCH_HOST_DEVICE friend constexpr folded operator+(const folded& a, const folded& b) { return apply<plus>(a, b); }
  ETCH_HOST_DEVICE friend constexpr folded operator-(const folded& a, const folded& b) { return apply<minus>(a, b); }
  ETCH_HOST_DEVICE friend constexpr folded operator*(const folded& a, const folded& b) { return apply<times>(a, b); }
  ETCH_HOST_DEVICE friend constexpr folded operator/(const folded& a, const folded& b) { return apply<over>(a, b); }
  ETCH_HOST_DEVICE constexpr folded operator-() const { return {math::negative(value), known}; }

  ETCH_HOST_DEVICE friend constexpr folded<bool> operator==(const folded& a, const folded& b) { return math::equal(a, b); }
  ETCH_HOST_DEVICE friend constexpr folded<bool> operator!=(const folded& a, const folded& b) { return math::not_equal(a, b); }
  ETCH_HOST_DEVICE friend constexpr folded<bool> operator<(const folded& a, const folded& b) { return math::less(a, b); }
  ETCH_HOST_DEVICE friend constexpr folded<bool> operator<=(const folded& a, const folded& b) { return math::less_equal(a, b); }
  ETCH_HOST_DEVICE friend constexpr folded<bool> operator>(const folded& a, const folded& b) { return math::greater(a, b); }
  ETCH_HOST_DEVICE friend constexpr folded<bool> operator>=(const folded& a, const folded& b) { return math::greater_equal(a, b); }

  ETCH_HOST_DEVICE friend constexpr folded operator&&(const folded& a, const folded& b) { return {T(a.value && b.value), a.known && b.known}; }
  ETCH_HOST_DEVICE friend constexpr folded operator||(const folded& a, const folded& b) { return {T(a.value || b.value), a.known && b.known}; }
  ETCH_HOST_DEVICE friend constexpr folded operator&(const folded& a, const folded& b) { return {T(a.value & b.value), a.known && b.known}; }
  ETCH_HOST_DEVICE friend constexpr folded operator|(const folded& a, const folded& b) { return {T(a.value | b.value), a.known && b.known}; }
  ETCH_HOST_DEVICE friend constexpr folded operator^(const folded& a, const folded& b) { return {T(a.value ^ b.value), a.known && b.known}; }
  ETCH_HOST_DEVICE constexpr folded operator!() const { return {T(!value), known}; }
  ETCH_HOST_DEVICE constexpr folded operator~() const { return {math::bitwise_not(value), known}; }

 private:
  enum operation { plus, minus, times, over };

  // Variables, since std::numeric_limits has no device functions.
  template <class N>
  static constexpr N highest = std::numeric_limits<N>::max();
  static constexpr T lowest = std::numeric_limits<T>::lowest();

  template <class N>
  ETCH_HOST_DEVICE static constexpr folded converted(N number) {
    if constexpr (std::is_floating_point_v<N> && std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      // Below 2^63 (or what else is 1 more than the highest), which floats hold, not up to 2^63 - 1, which they round.
      constexpr N past = static_cast<N>(highest<T> / 2 + 1) * 2;
            if (!(number > static_cast<N>(lowest) - 1 || number >= static_cast<N>(lowest)) || !(number < past)) return {T{}, false};
    } else if constexpr (std::is_same_v<N, double> && std::is_same_v<T, float>) {
      if (math::isfinite(number) && !fits_float(number)) return {T{}, false};
    }
    return {static_cast<T>(number), true};
  }
  /// Doubles from the middle between the largest float and 2^128 on round to infinity.
  ETCH_HOST_DEVICE static constexpr bool fits_float(double x) { return x < 0x1.ffffffp+127 && x > -0x1.ffffffp+127; }

  template <operation Which, class N>
  ETCH_HOST_DEVICE static constexpr N computed(N a, N b) {
    if constexpr (Which == plus) return static_cast<N>(a + b);
    if constexpr (Which == minus) return static_cast<N>(a - b);
    if constexpr (Which == times) return static_cast<N>(a * b);
    if constexpr (Which == over) return static_cast<N>(a / b);
  }
  /// Whether a operation b is finite, for finite doubles.
  template <operation Which>
  ETCH_HOST_DEVICE static constexpr bool is_finite(double a, double b) {
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    if constexpr (Which == times) return b <= 1 || a <= highest<double> / b;
    if constexpr (Which == over) return b >= 1 || (b > 0 && a <= highest<double> * b);
    return a <= highest<double> - b;
  }

  template <operation Which>
  ETCH_HOST_DEVICE static constexpr folded apply(const folded& x, const folded& y) {
    const T a = x.value, b = y.value;
    const bool both = x.known && y.known;
    if constexpr (std::is_floating_point_v<T>) {
      // Also a NaN that is none of the operands'.
      if (!both || !math::isfinite(a) || !math::isfinite(b) || !is_finite<Which>(a, b)) return {T{}, false};
      if constexpr (std::is_same_v<T, float>)
        return {fits_float(computed<Which, double>(a, b)) ? computed<Which>(a, b) : 0, fits_float(computed<Which, double>(a, b))};
      else
        return {computed<Which>(a, b), true};
    } else if constexpr (Which == over) {
      const bool divides = both && b != 0 && (!std::is_signed_v<T> || a != lowest || b + 1 != 0);
      return {divides ? computed<Which>(a, b) : T{}, divides};
    } else {
      return {static_cast<T>(computed<Which>(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b))), both};
    }
  }
};

}  // namespace etch

namespace etch::math {

/// Those of the number; unknown where an operand is.
template <class T>
struct functions<folded<T>> {
  using mask = folded<bool>;
  using V = folded<T>;
  using of = functions<T>;

#define ETCH_FOLDED_UNARY(NAME) \
  ETCH_HOST_DEVICE static constexpr V NAME(const V& x) requires requires { of::NAME(x.value); } { return {x.known ? of::NAME(x.value) : T{}, x.known}; }
  ETCH_FOLDED_UNARY(negative)
  ETCH_FOLDED_UNARY(abs)
  ETCH_FOLDED_UNARY(sign)
  ETCH_FOLDED_UNARY(floor)
  ETCH_FOLDED_UNARY(ceil)
  ETCH_FOLDED_UNARY(round)
  ETCH_FOLDED_UNARY(trunc)
  ETCH_FOLDED_UNARY(sqrt)
  ETCH_FOLDED_UNARY(rsqrt)
  ETCH_FOLDED_UNARY(cbrt)
  ETCH_FOLDED_UNARY(exp)
  ETCH_FOLDED_UNARY(exp2)
  ETCH_FOLDED_UNARY(expm1)
  ETCH_FOLDED_UNARY(log)
  ETCH_FOLDED_UNARY(log2)
  ETCH_FOLDED_UNARY(log10)
  ETCH_FOLDED_UNARY(log1p)
  ETCH_FOLDED_UNARY(sin)
  ETCH_FOLDED_UNARY(cos)
  ETCH_FOLDED_UNARY(tan)
  ETCH_FOLDED_UNARY(asin)
  ETCH_FOLDED_UNARY(acos)
  ETCH_FOLDED_UNARY(atan)
  ETCH_FOLDED_UNARY(sinh)
  ETCH_FOLDED_UNARY(cosh)
  ETCH_FOLDED_UNARY(tanh)
  ETCH_FOLDED_UNARY(asinh)
  ETCH_FOLDED_UNARY(acosh)
  ETCH_FOLDED_UNARY(atanh)
  ETCH_FOLDED_UNARY(sigmoid)
  ETCH_FOLDED_UNARY(erf)
  ETCH_FOLDED_UNARY(bitwise_not)
#undef ETCH_FOLDED_UNARY

#define ETCH_FOLDED_BINARY(NAME)                                                                \
  ETCH_HOST_DEVICE static constexpr V NAME(const V& a, const V& b) requires requires { of::NAME(a.value, b.value); } { \
    return {a.known && b.known ? of::NAME(a.value, b.value) : T{}, a.known && b.known};         \
  }
  ETCH_FOLDED_BINARY(pow)
  ETCH_FOLDED_BINARY(atan2)
  ETCH_FOLDED_BINARY(hypot)
  ETCH_FOLDED_BINARY(maximum)
  ETCH_FOLDED_BINARY(minimum)
  ETCH_FOLDED_BINARY(floor_divide)
  ETCH_FOLDED_BINARY(remainder)
  ETCH_FOLDED_BINARY(bitwise_and)
  ETCH_FOLDED_BINARY(bitwise_or)
  ETCH_FOLDED_BINARY(bitwise_xor)
  ETCH_FOLDED_BINARY(left_shift)
  ETCH_FOLDED_BINARY(right_shift)
#undef ETCH_FOLDED_BINARY
  ETCH_HOST_DEVICE static constexpr V add(const V& a, const V& b) { return a + b; }
  ETCH_HOST_DEVICE static constexpr V subtract(const V& a, const V& b) { return a - b; }
  ETCH_HOST_DEVICE static constexpr V multiply(const V& a, const V& b) { return a * b; }

#define ETCH_FOLDED_COMPARE(NAME) \
  ETCH_HOST_DEVICE static constexpr mask NAME(const V& a, const V& b) { return {of::NAME(a.value, b.value), a.known && b.known}; }
  ETCH_FOLDED_COMPARE(equal)
  ETCH_FOLDED_COMPARE(not_equal)
  ETCH_FOLDED_COMPARE(less)
  ETCH_FOLDED_COMPARE(less_equal)
  ETCH_FOLDED_COMPARE(greater)
  ETCH_FOLDED_COMPARE(greater_equal)
#undef ETCH_FOLDED_COMPARE
  ETCH_HOST_DEVICE static constexpr mask isfinite(const V& x) { return {of::isfinite(x.value), x.known}; }
  ETCH_HOST_DEVICE static constexpr mask isinf(const V& x) { return {of::isinf(x.value), x.known}; }

  ETCH_HOST_DEVICE static constexpr V select(const mask& condition, const V& a, const V& b) {
    const V& chosen = condition.value ? a : b;
    return {chosen.value, condition.known && chosen.known};
  }
  ETCH_HOST_DEVICE static constexpr V fma(const V& a, const V& b, const V& c) {
    const V sum = a * b + c;  // unknown where a rounding more overflows
    return {sum.known ? of::fma(a.value, b.value, c.value) : T{}, sum.known};
  }
};

}  // namespace etch::math
