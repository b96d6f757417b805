// SPDX-License-Identifier: MIT
#pragma once
#include <limits>
#include <type_traits>

#include <etch/base/bfloat16.hpp>

/// Run-time numbers where a dtype is expected.
namespace etch::detail {

/// Not a comparison where there are no negative numbers: compilers warn of what is always false.
template <class T>
constexpr bool is_negative([[maybe_unused]] T number) {
  if constexpr (std::is_signed_v<T>)
    return number < 0;
  else
    return false;
}

/// Whether a number is a value of T: an integer type takes integers in its range, a float takes what does not overflow it.
/// Roundings, NaN and infinities are fine.
template <class T, class A>
constexpr bool is_value_of(A number) {
  if constexpr (std::is_same_v<T, A>) {
    return true;
  } else if constexpr (std::is_floating_point_v<T> || is_storage_number<T>) {
    if constexpr (std::is_floating_point_v<A> && sizeof(A) > sizeof(T)) {
      const A size = number < 0 ? -number : number;
      return !(size > static_cast<A>(std::numeric_limits<T>::max())) || size > std::numeric_limits<A>::max();
    } else {
      return true;
    }
  } else if constexpr (std::is_integral_v<A>) {
    const T converted = static_cast<T>(number);
    return static_cast<A>(converted) == number && is_negative(converted) == is_negative(number);
  } else {
    return false;
  }
}

}  // namespace etch::detail
