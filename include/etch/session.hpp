// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/execute.hpp>
#include <etch/session/report.hpp>
#include <etch/session/session.hpp>

/// The session that users name, on the CPU, and the plans that it runs.
namespace etch {

template <class... Roots>
class session : public basic_session<cpu::backend, Roots...> {
 public:
  explicit session(Roots... roots) : basic_session<cpu::backend, Roots...>(roots...) {}
  template <class... A>
    requires(sizeof...(Roots) == 0 && !detail::are_fetchable<A...>)
  explicit session(const A&...) : basic_session<cpu::backend>(detail::type_list<A...>{}) {}
  explicit session(detail::any_braces)
    requires(sizeof...(Roots) == 0)
      : basic_session<cpu::backend>(detail::type_list<detail::any_braces>{}) {}
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  session(session&&) = default;
  session& operator=(session&&) = default;
};
/// What is no expression, or stands in braces, is refused by a session of nothing.
template <class... A>
  requires(!detail::are_fetchable<A...>)
session(const A&...) -> session<>;

/// The plan for these fetches and feeds (the placeholders among the arguments): `plan_of(loss, train, images, labels)`.
/// An empty object: its figures are constants. A structure is what the plan computes for it.
template <expression... A>
constexpr auto plan_of(A...) {
  using parts = detail::split_placeholders<A...>;
  return detail::plan_for<cpu::backend>(typename parts::fetches{}, typename parts::feeds{});
}
template <class... A>
  requires(!detail::are_expressions<A...>)
constexpr auto plan_of(const A&... a) {
  if constexpr (detail::are_fetchable<A...>)
    return detail::plan_for_leaves<cpu::backend>(typename detail::split_placeholders<A...>::fetches{},
                                                 typename detail::split_placeholders<A...>::feeds{});
  else
    return detail::refuse_function<this_call_has_the_wrong_arguments, "plan_of", "plan_of(y, x)">(a...);
}

}  // namespace etch
