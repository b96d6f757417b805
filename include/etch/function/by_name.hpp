// SPDX-License-Identifier: MIT
#pragma once
#include <etch/function/argument.hpp>

/// Arguments of a traced function by name: values of slots that its body names itself, `f(x = array)`.
namespace etch::detail {

template <class... A>
inline constexpr bool any_by_name = (is_binding<A> || ...);

template <int Count>
struct argument_order {
  int at[Count]{};
};
/// Those of the body's parameters as they come, then those by name in an order of their slots: however they are written, it is one trace.
template <class... A>
constexpr auto order_of_arguments() {
  constexpr int count = sizeof...(A);
  constexpr bool named[] = {is_binding<A>...};
  constexpr hash_t slots[] = {[] {
    if constexpr (is_binding<A>)
      return content_with<A::slot::hash>;
    else
      return hash_t{0};
  }()...};
  argument_order<count> order;
  int n = 0;
  for (int i = 0; i < count; ++i)
    if (!named[i]) order.at[n++] = i;
  const int first = n;
  for (int i = 0; i < count; ++i) {
    if (!named[i]) continue;
    int place = n++;
    for (; place > first && slots[order.at[place - 1]] > slots[i]; --place) order.at[place] = order.at[place - 1];
    order.at[place] = i;
  }
  return order;
}

/// What an argument hands over: of one by name its value, of a variable its tensor.
template <class A>
constexpr decltype(auto) value_of_argument(const A& argument) {
  if constexpr (is_binding<A>)
    return value_of_argument(argument.value);
  else if constexpr (requires { argument.read(); })
    return argument.read();
  else
    return (argument);
}

/// Refuses a value by name that does not fit its slot.
template <class A>
constexpr void check_named_value() {
  if constexpr (is_binding<A>)
    check_feed<typename A::slot, std::remove_cvref_t<decltype(value_of_argument(std::declval<const A&>()))>>();
}

}  // namespace etch::detail
