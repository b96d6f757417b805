// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include <etch/base/scalar_math.hpp>

namespace etch {

/// A number that the compiler computes with, and that remembers whether anything was out of range on the way: where a number of
/// C++ would wrap around, or be no constant. What an infinite operand, a NaN, a division of floats by zero, or a function at its
/// pole gives is in range. Bools are what comparisons give.
template <class T>
struct checked {
  using value_type = T;
  static constexpr bool is_floating = std::is_floating_point_v<T>;

  T value{};
  bool overflows = false;

  constexpr checked() = default;
  template <class N>
    requires std::is_arithmetic_v<N>
  ETCH_HOST_DEVICE constexpr checked(N number) : checked(converted(number)) {}
  ETCH_HOST_DEVICE constexpr checked(T number, bool out_of_range) : value(number), overflows(out_of_range) {}
  template <class U>
    requires(!std::is_same_v<U, T>)
  ETCH_HOST_DEVICE constexpr explicit checked(const checked<U>& other) : checked(converted(other.value)) {
    overflows = overflows || other.overflows;
  }

  ETCH_HOST_DEVICE friend constexpr checked operator+(const checked& a, const checked& b) {
    if constexpr (is_floating)
      return plus(a, b, b.value);
    else
      return counted<'+'>(a, b);
  }
  ETCH_HOST_DEVICE friend constexpr checked operator-(const checked& a, const checked& b) {
    if constexpr (is_floating)
      return plus(a, b, -b.value);
    else
      return counted<'-'>(a, b);
  }
  ETCH_HOST_DEVICE friend constexpr checked operator*(const checked& a, const checked& b) {
    if constexpr (is_floating) {
      const T x = size(a), y = size(b);
      if (x != x || y != y) return with(a, b, nan);  // first: nvcc's constant expressions do not order NaN
      if (x > highest || y > highest) return with(a, b, x == 0 || y == 0 ? nan : infinite(is_negative(a) != is_negative(b)));
      if (y > 1 && x >= highest / y) return {T{}, true};
      return with(a, b, a.value * b.value);
    } else {
      return counted<'*'>(a, b);
    }
  }
  /// Of integers by zero, and of the lowest by -1, it is out of range.
  ETCH_HOST_DEVICE friend constexpr checked operator/(const checked& a, const checked& b) {
    if constexpr (is_floating) {
      const T x = size(a), y = size(b);
      const bool negative = is_negative(a) != is_negative(b);
      if (x != x || y != y || (x > highest && y > highest) || (x == 0 && y == 0)) return with(a, b, nan);
      if (x > highest || y == 0) return with(a, b, infinite(negative));
      if (y > highest) return with(a, b, negative ? T(-0.0) : T(0));
      if (y < 1 && x >= highest * y) return {T{}, true};
      return with(a, b, a.value / b.value);
    } else {
      if (b.value == 0 || (std::is_signed_v<T> && a.value == lowest && b.value == static_cast<T>(-1))) return {T{}, true};
      return with(a, b, static_cast<T>(a.value / b.value));
    }
  }
  ETCH_HOST_DEVICE constexpr checked operator-() const {
    if constexpr (is_floating)
      return {-value, overflows};
    else
      return checked(T{}, overflows) - *this;
  }

#define ETCH_CHECKED_RELATION(SYMBOL, NAME)                                                               \
  ETCH_HOST_DEVICE friend constexpr checked<bool> operator SYMBOL(const checked & a, const checked & b) { \
    return {math::functions<T>::NAME(a.value, b.value), a.overflows || b.overflows};                      \
  }
  ETCH_CHECKED_RELATION(==, equal)
  ETCH_CHECKED_RELATION(!=, not_equal)
  ETCH_CHECKED_RELATION(<, less)
  ETCH_CHECKED_RELATION(<=, less_equal)
  ETCH_CHECKED_RELATION(>, greater)
  ETCH_CHECKED_RELATION(>=, greater_equal)
#undef ETCH_CHECKED_RELATION
#define ETCH_CHECKED_BITS(SYMBOL)                                                                 \
  ETCH_HOST_DEVICE friend constexpr checked operator SYMBOL(const checked& a, const checked& b) { \
    return with(a, b, static_cast<T>(a.value SYMBOL b.value));                                    \
  }
  ETCH_CHECKED_BITS(&&)
  ETCH_CHECKED_BITS(||)
  ETCH_CHECKED_BITS(&)
  ETCH_CHECKED_BITS(|)
  ETCH_CHECKED_BITS(^)
#undef ETCH_CHECKED_BITS
  ETCH_HOST_DEVICE constexpr checked operator!() const { return {static_cast<T>(!value), overflows}; }
  ETCH_HOST_DEVICE constexpr checked operator~() const { return {math::functions<T>::bitwise_not(value), overflows}; }

 private:
  // Variables, since std::numeric_limits has no device functions.
  static constexpr T highest = std::numeric_limits<T>::max();
  static constexpr T lowest = std::numeric_limits<T>::lowest();
  static constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  static constexpr T infinity = std::numeric_limits<T>::infinity();

  ETCH_HOST_DEVICE static constexpr T infinite(bool negative) { return negative ? -infinity : infinity; }
  ETCH_HOST_DEVICE static constexpr T size(const checked& x) { return math::functions<T>::abs(x.value); }
  ETCH_HOST_DEVICE static constexpr bool is_negative(const checked& x) {
    return constant_math::is_negative(static_cast<double>(x.value));
  }
  ETCH_HOST_DEVICE static constexpr checked with(const checked& a, const checked& b, T result) {
    return {result, a.overflows || b.overflows};
  }

  ETCH_HOST_DEVICE static constexpr bool is_below_zero([[maybe_unused]] T x) {
    if constexpr (std::is_signed_v<T>)
      return x < 0;
    else
      return false;
  }

  template <class N>
  ETCH_HOST_DEVICE static constexpr checked converted(N number) {
    if constexpr (std::is_same_v<T, bool>) {
      return {number != 0, false};
    } else if constexpr (std::is_floating_point_v<N> && !is_floating) {
      // Below 2^63 (or what else is 1 more than the highest), which floats hold, not up to 2^63 - 1, which they round.
      constexpr N past = static_cast<N>(highest / 2 + 1) * 2;
      const bool fits = (number > static_cast<N>(lowest) - 1 || number >= static_cast<N>(lowest)) && number < past;
      return {fits ? static_cast<T>(number) : T{}, !fits};
    } else if constexpr (std::is_same_v<N, double> && std::is_same_v<T, float>) {
      // Doubles from the middle between the largest float and 2^128 on round to infinity.
      if (number != number) return {nan, false};
      const double distance = number < 0 ? -number : number;
      if (distance > std::numeric_limits<double>::max()) return {infinite(number < 0), false};
      return distance < 0x1.ffffffp+127 ? checked(static_cast<T>(number), false) : checked(T{}, true);
    } else if constexpr (std::is_integral_v<N> && !is_floating && !std::is_same_v<N, bool>) {
      const T as = static_cast<T>(number);
      return {as, static_cast<N>(as) != number || (as > 0) != (number > 0)};
    } else {
      return {static_cast<T>(number), false};
    }
  }

  /// a + y, where y is b or -b.
  ETCH_HOST_DEVICE static constexpr checked plus(const checked& a, const checked& b, T y) {
    const T x = a.value;
    if (x != x || y != y) return with(a, b, nan);
    const bool infinite_x = size(a) > highest, infinite_y = size(b) > highest;
    if (infinite_x && infinite_y && x != y) return with(a, b, nan);
    if (infinite_x || infinite_y) return with(a, b, infinite_x ? x : y);
    if ((x > 0 && y >= highest - x) || (x < 0 && y <= -highest - x)) return {T{}, true};
    return with(a, b, x + y);
  }
  template <char Operator>
  ETCH_HOST_DEVICE static constexpr checked counted(const checked& a, const checked& b) {
    if constexpr (std::is_same_v<T, bool>) {
      return with(a, b, Operator == '*' ? a.value && b.value : a.value != b.value);
    } else {
      // Not the compilers' own checked arithmetic, which nvcc does not evaluate.
      const T x = a.value, y = b.value;
      bool out = false;
      if constexpr (Operator == '+')
        out = y > 0 ? x > highest - y : x < lowest - y;
      else if constexpr (Operator == '-')
        out = is_below_zero(y) ? x > highest + y : x < lowest + y;
      else if constexpr (std::is_signed_v<T>)
        out = x > 0 ? (y > 0 ? x > highest / y : y < lowest / x) : (y > 0 ? x < lowest / y : x != 0 && y < highest / x);
      else
        out = y != 0 && x > highest / y;
      if (out) return {T{}, true};
      if constexpr (Operator == '+') return with(a, b, static_cast<T>(x + y));
      if constexpr (Operator == '-') return with(a, b, static_cast<T>(x - y));
      if constexpr (Operator == '*') return with(a, b, static_cast<T>(x * y));
    }
  }
};

namespace math {

template <class T>
struct functions<checked<T>> {
  using V = checked<T>;
  using F = functions<T>;
  using mask = checked<bool>;
  static constexpr bool is_floating = V::is_floating;

#define ETCH_CHECKED_UNARY(NAME)                       \
  ETCH_HOST_DEVICE static constexpr V NAME(const V& x) \
    requires requires { F::NAME(x.value); }            \
  {                                                    \
    return {F::NAME(x.value), x.overflows};            \
  }
#define ETCH_CHECKED_BINARY(NAME)                                   \
  ETCH_HOST_DEVICE static constexpr V NAME(const V& a, const V& b)  \
    requires requires { F::NAME(a.value, b.value); }                \
  {                                                                 \
    return {F::NAME(a.value, b.value), a.overflows || b.overflows}; \
  }
#define ETCH_CHECKED_RELATION(NAME)                                     \
  ETCH_HOST_DEVICE static constexpr mask NAME(const V& a, const V& b) { \
    return {F::NAME(a.value, b.value), a.overflows || b.overflows};     \
  }
/// Functions that may overflow.
#define ETCH_CHECKED_STEEP(NAME)                                    \
  ETCH_HOST_DEVICE static constexpr V NAME(const V& x)              \
    requires requires { F::NAME(x.value); }                         \
  {                                                                 \
    const T y = F::NAME(x.value);                                   \
    return {y, x.overflows || (F::isinf(y) && !F::isinf(x.value))}; \
  }
  ETCH_CHECKED_UNARY(sign)
  ETCH_CHECKED_UNARY(rsqrt)
  ETCH_CHECKED_UNARY(sigmoid)
  ETCH_CHECKED_UNARY(bitwise_not)
  ETCH_ROUNDING_FUNCTIONS(ETCH_CHECKED_UNARY)
  ETCH_STEEP_FUNCTIONS(ETCH_CHECKED_STEEP)
  ETCH_OTHER_FUNCTIONS(ETCH_CHECKED_UNARY)
  ETCH_CHECKED_BINARY(maximum)
  ETCH_CHECKED_BINARY(minimum)
  ETCH_CHECKED_BINARY(atan2)
  ETCH_CHECKED_BINARY(remainder)
  ETCH_CHECKED_BINARY(right_shift)
  ETCH_BITWISE_FUNCTIONS(ETCH_CHECKED_BINARY)
  ETCH_COMPARISONS(ETCH_CHECKED_RELATION)
#undef ETCH_CHECKED_UNARY
#undef ETCH_CHECKED_BINARY
#undef ETCH_CHECKED_RELATION
#undef ETCH_CHECKED_STEEP

  ETCH_HOST_DEVICE static constexpr mask isfinite(const V& x) { return {F::isfinite(x.value), x.overflows}; }
  ETCH_HOST_DEVICE static constexpr mask isinf(const V& x) { return {F::isinf(x.value), x.overflows}; }
  ETCH_HOST_DEVICE static constexpr V select(const mask& condition, const V& a, const V& b) {
    const V& chosen = condition.value ? a : b;
    return {chosen.value, condition.overflows || chosen.overflows};
  }
  ETCH_HOST_DEVICE static constexpr V add(const V& a, const V& b) { return a + b; }
  ETCH_HOST_DEVICE static constexpr V subtract(const V& a, const V& b) { return a - b; }
  ETCH_HOST_DEVICE static constexpr V multiply(const V& a, const V& b) { return a * b; }
  ETCH_HOST_DEVICE static constexpr V fma(const V& a, const V& b, const V& c) { return a * b + c; }
  ETCH_HOST_DEVICE static constexpr V negative(const V& x) { return -x; }
  ETCH_HOST_DEVICE static constexpr V abs(const V& x) {
    if constexpr (is_floating)
      return {F::abs(x.value), x.overflows};
    else if constexpr (std::is_signed_v<T>)
      return x.value >= 0 ? x : -x;
    else
      return x;
  }
  ETCH_HOST_DEVICE static constexpr V hypot(const V& a, const V& b) {
    const T y = F::hypot(a.value, b.value);
    return {y, a.overflows || b.overflows || (F::isinf(y) && !F::isinf(a.value) && !F::isinf(b.value))};
  }
  ETCH_HOST_DEVICE static constexpr V floor_divide(const V& a, const V& b) {
    if constexpr (is_floating) {
      if ((a / b).overflows) return {T{}, true};
    } else if constexpr (std::is_signed_v<T>) {
      if (b.value == static_cast<T>(-1)) return -V(a.value, a.overflows || b.overflows);
    }
    return {F::floor_divide(a.value, b.value), a.overflows || b.overflows};
  }
  ETCH_HOST_DEVICE static constexpr V left_shift(const V& a, const V& count) {
    const T y = F::left_shift(a.value, count.value);
    bool shifts = true;
    if constexpr (std::is_signed_v<T>) shifts = count.value >= 0;
    return {y, a.overflows || count.overflows || (shifts && F::right_shift(y, count.value) != a.value)};
  }
  ETCH_HOST_DEVICE static constexpr V pow(const V& a, const V& b) {
    if constexpr (is_floating) {
      const T y = F::pow(a.value, b.value);
      const bool out = F::isinf(y) && a.value != 0 && !F::isinf(a.value) && !F::isinf(b.value);
      return {y, a.overflows || b.overflows || out};
    } else {
      if constexpr (std::is_signed_v<T>)
        if (b.value < 0) return {F::pow(a.value, b.value), a.overflows || b.overflows};
      V power(T(1), a.overflows || b.overflows), factor = a;
      for (T rest = b.value; rest != 0;) {
        if (rest % 2 != 0) power = power * factor;
        rest = static_cast<T>(rest / 2);
        if (rest != 0) factor = factor * factor;
      }
      return power;
    }
  }
};

}  // namespace math
}  // namespace etch
