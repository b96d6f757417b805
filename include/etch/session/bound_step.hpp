// SPDX-License-Identifier: MIT
#pragma once
#include <etch/session/results.hpp>
#include <etch/session/signature.hpp>
#include <etch/session/state.hpp>
#include <etch/session/structured.hpp>

namespace etch {

namespace detail {

/// Whether P points at elements of type T.
template <class T, class P>
constexpr bool points_at() {
  if constexpr (std::is_pointer_v<P>)
    return !std::is_void_v<std::remove_pointer_t<P>> && are_elements<T, std::remove_cv_t<std::remove_pointer_t<P>>>;
  else
    return false;
}

/// Whether these pointers are one for each feed of the plan, of elements T.
template <class Plan, class... T, class... P>
constexpr bool check_pointers(type_list<T...>, type_list<P...>) {
  if constexpr (!(element<T> && ...)) {
    return raise<a_step_reads_strings_where_they_were_bound, got<P...>>();
  } else if constexpr (sizeof...(T) != sizeof...(P)) {
    return raise<a_step_takes_a_pointer_for_each_feed, expected<const T*...>, got<P...>>();
  } else {
    constexpr std::size_t wrong = first_true({!points_at<T, P>()...});
    if constexpr (wrong < sizeof...(P)) {
      using slot = expression_in<Plan, Plan::value.feeds[wrong].content>;
      using wanted = type_at<wrong, T...>;
      using found = type_at<wrong, P...>;
      if constexpr (std::is_pointer_v<found>)
        raise<this_feed_has_the_wrong_dtype, shown<slot>, expected<wanted>, got<std::remove_cv_t<std::remove_pointer_t<found>>>>();
      else
        raise<a_step_reads_elements_by_their_address, shown<slot>, expected<const wanted*>, got<found>,
              instead_write<"step(x.data())">>();
    }
    return wrong == sizeof...(P);
  }
}

}  // namespace detail

/// A plan that is bound to memory: calling it runs it. On the CPU it neither throws nor allocates, unless the host is called. It holds what it needs of the
/// session, so it stays valid after that is closed, and the arrays that were fed must stay where they are. A function of the
/// host that it calls may not call it: that throws `etch::error`. It can be moved; to call one that has been moved from ends
/// the program with that sentence. Its type has a name as an `etch::step`.
template <class Plan, class Backend, class Feeds, class Results>
class bound_step;

template <class Plan, class Backend, class... T, class Results>
class bound_step<Plan, Backend, plain_tuple<fed_value<T>...>, Results> {
 public:
  /// The value that the call gives: a number, a reference to an array that the next call overwrites, or a tuple of them.
  ETCH_INLINE decltype(auto) operator()() noexcept(!throws) {
    if (!state_) [[unlikely]]
      fail("step: it has been moved from");
    state_->run();
    return value();
  }
  /// The same, after each feed has been pointed at another array, in the order in which they were bound: as many elements of the
  /// slot's dtype, contiguous and row-major, whatever was bound. Later calls without pointers read these too; a copy that
  /// was made when it was bound stays until the step is gone. Throws `etch::error`, before anything is changed, for a null pointer.
  template <class... P>
    requires(sizeof...(P) > 0)
  ETCH_INLINE decltype(auto) operator()(P... pointers) {
    if constexpr (detail::check_pointers<Plan>(detail::type_list<T...>{}, detail::type_list<P...>{})) {
      if (!state_) [[unlikely]]
        fail("step: it has been moved from");
      state_->point_to(pointers...);
      state_->run();
    }
    return value();
  }
  /// What the last call gave; empty strings where it threw, and before the first one.
  decltype(auto) value() const noexcept { return detail::views_of(state_->results); }

 private:
  template <class, class...>
  friend class basic_session;
  template <class>
  friend class step;

  using plan_type = Plan;
  using elements = detail::type_list<T...>;
  using memory_type = typename Backend::memory;
  static constexpr const plan_interface* plan = &interface_of<Plan, Backend>;
  /// What a call of the host throws goes through.
  static constexpr bool throws = Backend::throws || plan->on_host;
  static constexpr bool writes_variables = [] {
    bool writes = false;
    for (int v = 0; v < plan->variable_count; ++v) writes = writes || plan->uses[v].written;
    return writes;
  }();
  struct state {
    explicit state(const shared_variables<memory_type>& s) : store(s) {}

    ETCH_INLINE void run() noexcept(!throws) {
      if constexpr (plan->on_host) {
        host.check_idle();
        // What the results stood for is gone as soon as a run begins.
        try {
          run_steps();
        } catch (...) {
          detail::forget(results);
          throw;
        }
      } else {
        run_steps();
      }
    }
    ETCH_INLINE void run_steps() noexcept(!throws) {
      std::uint64_t number = 0;
      if constexpr (plan->draws) {
        memory.set_seed(store->seed);
        number = store->next_run();
      }
      {
        [[maybe_unused]] const typename detail::host_values<plan->on_host>::scope host_scope(host);
        const bool by_plan =
            plan->denormals == denormal_mode::by_count ? memory.flushes_denormals() : plan->denormals == denormal_mode::flushed;
        const bool flushes = store->flushes_denormals(by_plan);
        const typename Backend::run_scope scope(flushes, store->always_keeps_denormals());
        if constexpr (Backend::template expands<Plan>)
          Backend::template run_in_place<Plan>(memory.buffers());
        else
          memory.execute(number);
      }
      if constexpr (writes_variables)
        if (!has_run) [[unlikely]] {
          mark_written(*plan, *store);
          has_run = true;
        }
    }
    template <class... P>
    ETCH_INLINE void point_to(P... pointers) {
      if constexpr (plan->on_host) host.check_idle();
      if constexpr (Backend::template expands<Plan>) {
        int f = 0;
        (memory.check_address(f++, pointers), ...);
        point_each(std::index_sequence_for<P...>{}, pointers...);
      } else {
        const void* const arrays[] = {pointers...};
        memory.point_feeds(arrays);
      }
    }
    template <std::size_t... F, class... P>
    ETCH_INLINE void point_each(std::index_sequence<F...>, P... pointers) {
      (
          [&] {
            constexpr int buffer = Plan::value.feeds[F].buffer;
            if constexpr (buffer >= 0) memory.point_feed(static_cast<int>(F), buffer, pointers);
          }(),
          ...);
    }

    shared_variables<memory_type> store;
    plan_memory<memory_type> memory{interface_of<Plan, Backend>, services_of<Plan, Backend>(store->sharing)};
    plain_tuple<fed_value<T>...> feeds;
    Results results;
    [[no_unique_address]] detail::host_values<plan->on_host> host;
    bool has_run = false;
  };

  explicit bound_step(state* s) : state_(s) {}

  owner<state> state_;
};

}  // namespace etch
