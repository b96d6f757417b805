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
};

/// The plan for these fetches and feeds (the placeholders among the arguments): `plan_of(loss, train, images, labels)`.
/// An empty object: its figures are constants.
template <expression... A>
constexpr auto plan_of(A...) {
  using parts = detail::split_placeholders<detail::type_list<>, detail::type_list<>, A...>;
  return detail::plan_for<cpu::backend>(typename parts::fetches{}, typename parts::feeds{});
}

/// The graph that the fetches need, as it is written: one node per line.
template <expression... E>
std::string to_string(E...) {
  const record* const roots[] = {detail::record_address<E::hash>...};
  return to_string(flatten(roots, sizeof...(E), nullptr, 0));
}

/// The steps of a plan, one per line.
template <class Plan, class Backend>
std::string to_string(const plan_report<Plan, Backend>&) {
  return to_string_plan<Plan>();
}

}  // namespace etch
