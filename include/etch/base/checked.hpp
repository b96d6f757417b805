// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include <etch/base/scalar_math.hpp>

/// Numbers of constant expressions that remember whether anything was out of range on the way, where a number of C++ would wrap
/// around or be no constant.
namespace etch {

/// T is int64 or double. What an infinite operand, a division by zero, or a function at its pole gives is in range.
template <class T>
struct checked {
  static constexpr bool is_floating = std::is_floating_point_v<T>;

  T value{};
  bool overflows = false;

  constexpr checked() = default;
  template <class A>
    requires std::is_arithmetic_v<A>
  ETCH_HOST_DEVICE constexpr checked(A number) : value(static_cast<T>(number)) {}
  ETCH_HOST_DEVICE constexpr checked(T number, bool out_of_range) : value(number), overflows(out_of_range) {}

  friend ETCH_HOST_DEVICE constexpr checked operator+(const checked& a, const checked& b) { return plus(a, b, b.value); }
  friend ETCH_HOST_DEVICE constexpr checked operator-(const checked& a, const checked& b) {
    if constexpr (is_floating) {
      return plus(a, b, -b.value);
    } else {
      const T x = a.value, y = b.value;
      if (y < 0 ? x > highest + y : x < lowest + y) return {0, true};
      return with(a, b, x - y);
    }
  }
  friend ETCH_HOST_DEVICE constexpr checked operator*(const checked& a, const checked& b) {
    if constexpr (is_floating) {
      const T x = size(a), y = size(b);
      if (x != x || y != y) return with(a, b, nan());  // first: nvcc's constant expressions do not order NaN
      if (x > highest || y > highest)
        return with(a, b, x == 0 || y == 0 ? nan() : infinite(is_negative(a) != is_negative(b)));
      if (y > 1 && x > highest / y) return {0, true};
      return with(a, b, a.value * b.value);
    } else {
      const T x = a.value, y = b.value;
      const bool out = x > 0 ? (y > 0 ? x > highest / y : y < lowest / x)
                             : (y > 0 ? x < lowest / y : x != 0 && y < highest / x);
      if (out) return {0, true};
      return with(a, b, x * y);
    }
  }
  friend ETCH_HOST_DEVICE constexpr checked operator/(const checked& a, const checked& b)
    requires is_floating
  {
    const T x = size(a), y = size(b);
    const bool negative = is_negative(a) != is_negative(b);
    if (x != x || y != y || (x > highest && y > highest) || (x == 0 && y == 0)) return with(a, b, nan());
    if (x > highest || y == 0) return with(a, b, infinite(negative));
    if (y > highest) return with(a, b, negative ? T(-0.0) : T(0));
    if (y < 1 && x > highest * y) return {0, true};
    return with(a, b, a.value / b.value);
  }
  friend ETCH_HOST_DEVICE constexpr checked operator-(const checked& x) {
    if constexpr (is_floating)
      return {-x.value, x.overflows};
    else
      return checked(0) - x;
  }

 private:
  // Not the compilers' own checked arithmetic, which nvcc does not evaluate.
  static constexpr T highest = std::numeric_limits<T>::max(), lowest = std::numeric_limits<T>::lowest();
  ETCH_HOST_DEVICE static constexpr T nan() { return constant_math::quiet_nan; }
  ETCH_HOST_DEVICE static constexpr T infinite(bool negative) {
    return negative ? -constant_math::infinity : constant_math::infinity;
  }
  ETCH_HOST_DEVICE static constexpr T size(const checked& x) { return constant_math::fabs(x.value); }
  ETCH_HOST_DEVICE static constexpr bool is_negative(const checked& x) { return constant_math::is_negative(x.value); }
  ETCH_HOST_DEVICE static constexpr checked with(const checked& a, const checked& b, T result) {
    return {result, a.overflows || b.overflows};
  }
  /// a + y, where y is b or -b.
  ETCH_HOST_DEVICE static constexpr checked plus(const checked& a, const checked& b, T y) {
    if constexpr (is_floating) {
      const T x = a.value;
      if (x != x || y != y) return with(a, b, nan());
      const bool infinite_x = size(a) > highest, infinite_y = size(b) > highest;
      if (infinite_x && infinite_y && x != y) return with(a, b, nan());
      if (infinite_x || infinite_y) return with(a, b, infinite_x ? x : y);
      if ((x > 0 && y > highest - x) || (x < 0 && y < -highest - x)) return {0, true};
      return with(a, b, x + y);
    } else {
      const T x = a.value;
      if (y > 0 ? x > highest - y : x < lowest - y) return {0, true};
      return with(a, b, x + y);
    }
  }
};

namespace math {

template <class T>
struct functions<checked<T>> {
  using V = checked<T>;
  using F = functions<T>;
  using mask = bool;
  static constexpr bool is_floating = V::is_floating;

#define ETCH_CHECKED_UNARY(NAME) \
  ETCH_HOST_DEVICE static constexpr V NAME(const V& x) { return {F::NAME(x.value), x.overflows}; }
#define ETCH_CHECKED_BINARY(NAME)                                     \
  ETCH_HOST_DEVICE static constexpr V NAME(const V& a, const V& b) { \
    return {F::NAME(a.value, b.value), a.overflows || b.overflows};  \
  }
#define ETCH_CHECKED_RELATION(NAME) \
  ETCH_HOST_DEVICE static constexpr bool NAME(const V& a, const V& b) { return F::NAME(a.value, b.value); }
/// Functions that may overflow.
#define ETCH_CHECKED_STEEP(NAME)                                    \
  ETCH_HOST_DEVICE static constexpr V NAME(const V& x) {            \
    const T y = F::NAME(x.value);                                   \
    return {y, x.overflows || (F::isinf(y) && !F::isinf(x.value))}; \
  }
  ETCH_CHECKED_UNARY(sign)
  ETCH_CHECKED_UNARY(floor)
  ETCH_CHECKED_UNARY(ceil)
  ETCH_CHECKED_UNARY(round)
  ETCH_CHECKED_UNARY(trunc)
  ETCH_CHECKED_UNARY(sqrt)
  ETCH_CHECKED_UNARY(rsqrt)
  ETCH_CHECKED_UNARY(cbrt)
  ETCH_CHECKED_STEEP(exp)
  ETCH_CHECKED_STEEP(exp2)
  ETCH_CHECKED_STEEP(expm1)
  ETCH_CHECKED_UNARY(log)
  ETCH_CHECKED_UNARY(log2)
  ETCH_CHECKED_UNARY(log10)
  ETCH_CHECKED_UNARY(log1p)
  ETCH_CHECKED_UNARY(sin)
  ETCH_CHECKED_UNARY(cos)
  ETCH_CHECKED_UNARY(tan)
  ETCH_CHECKED_UNARY(asin)
  ETCH_CHECKED_UNARY(acos)
  ETCH_CHECKED_UNARY(atan)
  ETCH_CHECKED_STEEP(sinh)
  ETCH_CHECKED_STEEP(cosh)
  ETCH_CHECKED_UNARY(tanh)
  ETCH_CHECKED_UNARY(asinh)
  ETCH_CHECKED_UNARY(acosh)
  ETCH_CHECKED_UNARY(atanh)
  ETCH_CHECKED_UNARY(sigmoid)
  ETCH_CHECKED_UNARY(erf)
  ETCH_CHECKED_UNARY(bitwise_not)
  ETCH_CHECKED_BINARY(maximum)
  ETCH_CHECKED_BINARY(minimum)
  ETCH_CHECKED_BINARY(atan2)
  ETCH_CHECKED_BINARY(remainder)
  ETCH_CHECKED_BINARY(bitwise_and)
  ETCH_CHECKED_BINARY(bitwise_or)
  ETCH_CHECKED_BINARY(bitwise_xor)
  ETCH_CHECKED_BINARY(right_shift)
  ETCH_CHECKED_RELATION(equal)
  ETCH_CHECKED_RELATION(not_equal)
  ETCH_CHECKED_RELATION(less)
  ETCH_CHECKED_RELATION(less_equal)
  ETCH_CHECKED_RELATION(greater)
  ETCH_CHECKED_RELATION(greater_equal)
#undef ETCH_CHECKED_UNARY
#undef ETCH_CHECKED_BINARY
#undef ETCH_CHECKED_RELATION
#undef ETCH_CHECKED_STEEP

  ETCH_HOST_DEVICE static constexpr bool isfinite(const V& x) { return F::isfinite(x.value); }
  ETCH_HOST_DEVICE static constexpr bool isinf(const V& x) { return F::isinf(x.value); }
  ETCH_HOST_DEVICE static constexpr V select(bool condition, const V& a, const V& b) { return condition ? a : b; }
  ETCH_HOST_DEVICE static constexpr V negative(const V& x) { return -x; }
  ETCH_HOST_DEVICE static constexpr V abs(const V& x) { return is_floating || x.value >= 0 ? V(F::abs(x.value), x.overflows) : -x; }
  ETCH_HOST_DEVICE static constexpr V multiply(const V& a, const V& b) { return a * b; }
  ETCH_HOST_DEVICE static constexpr V fma(const V& a, const V& b, const V& c) { return a * b + c; }
  ETCH_HOST_DEVICE static constexpr V hypot(const V& a, const V& b) {
    const T y = F::hypot(a.value, b.value);
    return {y, a.overflows || b.overflows || (F::isinf(y) && !F::isinf(a.value) && !F::isinf(b.value))};
  }

  ETCH_HOST_DEVICE static constexpr V floor_divide(const V& a, const V& b) {
    if constexpr (is_floating) {
      if ((a / b).overflows) return {0, true};
    } else if (b.value == -1) {
      return -V(a.value, a.overflows || b.overflows);
    }
    return {F::floor_divide(a.value, b.value), a.overflows || b.overflows};
  }
  ETCH_HOST_DEVICE static constexpr V left_shift(const V& a, const V& count) {
    const T y = F::left_shift(a.value, count.value);
    return {y, a.overflows || count.overflows || (count.value >= 0 && F::right_shift(y, count.value) != a.value)};
  }
  ETCH_HOST_DEVICE static constexpr V pow(const V& a, const V& b) {
    if constexpr (is_floating) {
      const T y = F::pow(a.value, b.value);
      return {y, a.overflows || b.overflows ||
                     (F::isinf(y) && a.value != 0 && !F::isinf(a.value) && !F::isinf(b.value))};
    } else {
      if (b.value < 0) return {F::pow(a.value, b.value), a.overflows || b.overflows};
      V power(T(1), a.overflows || b.overflows), factor = a;
      for (T rest = b.value; rest != 0;) {
        if (rest % 2 != 0) power = power * factor;
        rest /= 2;
        if (rest != 0) factor = factor * factor;
      }
      return power;
    }
  }
};

}  // namespace math
}  // namespace etch
