// SPDX-License-Identifier: MIT
#pragma once
#include <initializer_list>
#include <type_traits>

#include <etch/base/bfloat16.hpp>

/// Values that are handed to a slot: `x = array`, `x = {{1, 2}, {3, 4}}`.
namespace etch {

namespace detail {
template <class T, int Rank>
struct nested_list {
  using type = std::initializer_list<typename nested_list<T, Rank - 1>::type>;
};
template <class T>
struct nested_list<T, 0> {
  using type = std::conditional_t<is_storage_number<T>, float, T>;  // what is written in braces
};
template <>
struct nested_list<void, 0> {
  using type = nested_list;  // a training step has no value
};
}  // namespace detail

/// A value of rank `Rank` written in braces: `x = {{1, 2}, {3, 4}}`.
template <class T, int Rank>
using nested_list = typename detail::nested_list<T, Rank>::type;

/// A value that stands for an expression during one call: what `x = array` gives, to be passed to `run`. Temporary: it refers to
/// what is gone when the call is over, so it cannot be kept in a variable of its own. Numbers are held.
template <class Slot, class Value, bool Temporary = false>
struct binding {
  using slot = Slot;
  using value_type = Value;
  static constexpr bool is_temporary = Temporary;
  std::conditional_t<is_number_type<Value>, const Value, const Value&> value;
};

}  // namespace etch
