// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/thread_list.hpp>
#include <etch/session.hpp>

/// Sessions that need not be named: `default_session guard(s);`, then `eval(y, x = values)` and `run(train, x = values)` anywhere in
/// the thread.
namespace etch {

namespace detail {
template <class S>
concept session_like = requires(std::remove_cvref_t<S>& s) { session_access::state(s); };
template <class... Roots>
session_state<host_memory>& state_on_the_cpu(basic_session<cpu::backend, Roots...>& s) {
  return session_access::state(s);
}
template <class S>
concept session_on_the_cpu = requires(S& s) { state_on_the_cpu(s); };

/// A session in the list of this thread's default ones: by its variables, which know where it is.
struct default_entry : thread_listed<default_entry> {
  static default_entry*& innermost() {
    static constinit thread_local default_entry* list = nullptr;
    return list;
  }
  explicit default_entry(const session_state<host_memory>& s) : variables(s.shared_store()) {
    unlink_closed();
    outer = std::exchange(innermost(), this);
  }
  ~default_entry() = default;

  shared_variables<host_memory> variables;
  default_entry* outer;
};

inline session_state<host_memory>& default_state(const char* call) {
  default_entry::unlink_closed();
  const default_entry* const entry = default_entry::innermost();
  if (entry == nullptr)
    fail("%s: no default session: make one by etch::default_session guard(session), or write session.run(...)", call);
  if (entry->variables->session == nullptr) fail("session: it is closed");
  return *entry->variables->session;
}
}  // namespace detail

/// While it lives, the session is the one in which this thread's `eval` and `run` take place. They nest: the innermost counts, be it of
/// a session that has one already. The session may be moved meanwhile, and is left open; of one that is gone `eval` and `run` say that it
/// is closed.
class default_session {
 public:
  /// Throws `etch::error` where the session is closed or has been moved from.
  template <detail::session_on_the_cpu Session>
  explicit default_session(Session& s) : default_session(detail::state_on_the_cpu(s)) {}
  template <class... A>
    requires(!(detail::session_on_the_cpu<A> && ...))
  explicit default_session(const A&...) {
    raise<a_default_session_is_made_of_a_session_on_the_cpu, got<A...>, instead_write<"default_session guard(session)">>();
  }
  default_session(const default_session&) = delete;
  default_session& operator=(const default_session&) = delete;
  ~default_session() { entry_->end(); }

 private:
  explicit default_session(const session_state<host_memory>& s) {
    s.check_open();
    entry_ = new detail::default_entry(s);
  }

  detail::default_entry* entry_ = nullptr;
};

/// A session that is the default one while it lives. It cannot be moved.
template <class... Roots>
class interactive_session : public session<Roots...> {
 public:
  explicit interactive_session(Roots... roots) : session<Roots...>(roots...), guard_(*this) {}
  template <class... A>
    requires(sizeof...(Roots) == 0 && !detail::are_fetchable<A...>)
  explicit interactive_session(const A&... a) : session<>(a...), guard_(*this) {}
  interactive_session(const interactive_session&) = delete;
  interactive_session& operator=(const interactive_session&) = delete;

 private:
  default_session guard_;
};
template <class... A>
  requires(!detail::are_fetchable<A...>)
interactive_session(const A&...) -> interactive_session<>;

namespace detail {

/// Runs on whatever session is the default one: the plan is known, the session's graph is not.
template <fixed_string Function, class... A>
auto run_in_default_session(A&&... arguments) {
  using signature = signature_of<A...>;
  if constexpr (check_arguments<Function, A...>()) {
    session_state<host_memory>& state = default_state(Function.text);
    return run_signature<cpu::backend, root_graph<>, signature>(state, plain_execution{}, typename signature::fetches{},
                                                                typename signature::feeds{}, arguments...);
  }
}

template <class F>
constexpr bool gives_a_value() {
  if constexpr (expression<F>)
    return has_value<F>;
  else
    return true;
}

}  // namespace detail

/// What `run(fetches..., slot = value...)` of the default session gives. Throws `etch::error` where this thread has none, where that is
/// closed, or has not the variables that are read.
template <class First, class... A>
  requires(!detail::session_like<First>)
auto run(First&& first, A&&... arguments) {
  return detail::run_in_default_session<"run">(std::forward<First>(first), std::forward<A>(arguments)...);
}

/// The value of one fetch in the default session, `eval(y, x = values)`, or in one that is named, `eval(y, session, x = values)`.
template <class Fetch, class... A>
  requires(detail::fetchable<std::remove_cvref_t<Fetch>>)
auto eval(Fetch&& fetch, A&&... feeds) {
  using F = std::remove_cvref_t<Fetch>;
  if constexpr (!detail::gives_a_value<F>()) {
    raise<a_training_step_has_no_value, in_function<"eval">, shown<F>, instead_write<"run(train)">>();
  } else if constexpr ((detail::fetchable<std::remove_cvref_t<A>> || ...)) {
    raise<this_call_has_the_wrong_arguments, in_function<"eval">, typename detail::shown_argument<F>::type,
          typename detail::shown_argument<std::remove_cvref_t<A>>::type..., instead_write<"run(y, z)">>();
    return detail::refused_element<detail::type_list<F, A...>>{};
  } else {
    return detail::run_in_default_session<"eval">(std::forward<Fetch>(fetch), std::forward<A>(feeds)...);
  }
}
template <class Fetch, detail::session_like Session, class... A>
  requires(detail::fetchable<std::remove_cvref_t<Fetch>>)
auto eval(Fetch&& fetch, Session&& session, A&&... feeds) {
  return session.run(std::forward<Fetch>(fetch), std::forward<A>(feeds)...);
}

}  // namespace etch
