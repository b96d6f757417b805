// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/tensor.hpp>
#include <etch/function/captured.hpp>
#include <etch/function/trace.hpp>
#include <etch/graph/reuse.hpp>
#include <etch/session/structured.hpp>
#include <etch/session/signature.hpp>

/// A trace as what a session runs: fetches, feeds, a plan.
namespace etch::detail {

/// What a call gives for a fetch: an eager tensor for each expression that has a value; what strings are made of as a session gives it.
template <class E>
struct call_result {
  using type = tensor<typename E::value_type, E::rank>;
};
template <class E>
  requires std::is_void_v<typename E::value_type>
struct call_result<E> {
  using type = no_value;
};
template <class F>
constexpr auto call_results();
template <class... F>
constexpr auto call_results_of(type_list<F...>) {
  return joined_lists<decltype(call_results<F>())...>{};
}
template <class... E>
constexpr auto session_results_of(type_list<E...>) {
  return type_list<result_type<E>...>{};
}
/// The types of the values of a fetch's leaves.
template <class F>
constexpr auto call_results() {
  if constexpr (expression<F>)
    return type_list<typename call_result<node_for<F>>::type>{};
  else if constexpr (is_structure<F>)
    return call_results_of(typename fetch_traits<F>::members{});
  else
    return session_results_of(typename fetch_traits<F>::leaves{});
}

/// A text as a tensor, alone or among the values of a tuple.
template <class R>
decltype(auto) as_tensors(R&& result) {
  if constexpr (std::is_same_v<std::remove_cvref_t<R>, std::string>)
    return tensor<R, 0>(std::forward<R>(result));
  else
    return std::remove_cvref_t<R>(std::forward<R>(result));
}
template <class... R>
auto as_tensors(std::tuple<R...>&& results) {
  return std::apply([](auto&&... r) { return std::make_tuple(as_tensors(std::move(r))...); }, std::move(results));
}

inline constexpr int most_captured = 16;
struct captured_slots {
  int count = 0;
  hash_t at[most_captured]{};
};

/// The slot of argument I: one of the trace, or what it names itself.
template <class Trace, class Kind, int I>
struct slot_of_argument {
  using type = typename Trace::template symbol<I>;
};
template <class Trace, class Slot, int I>
struct slot_of_argument<Trace, named_argument<Slot>, I> {
  using type = Slot;
};

/// The graph of a trace, what it is fed, and its plan.
template <class Trace, class Kinds, class Numbers>
struct traced_graph;
template <class Trace, class... Kinds, int... K>
struct traced_graph<Trace, type_list<Kinds...>, std::integer_sequence<int, K...>> {
  template <int I>
  using slot = typename slot_of_argument<Trace, type_at<I, Kinds...>, I>::type;
  using slots = chosen_types<type_list<slot<K>...>, is_fed_argument<Kinds>...>;
  using outputs = decltype(nodes_for(typename fetch_traits<typename Trace::results>::leaves{}));

  template <int I, class... E>
  static constexpr hash_t hash_at(type_list<E...>) {
    return type_at<I, E...>::hash;
  }
  template <int I>
  static constexpr hash_t output_hash = hash_at<I>(outputs{});

  template <class... E>
  static constexpr hash_t list(type_list<E...>) {
    return list_of<E::hash...>;
  }
  /// What the trace has captured, behind the arguments.
  template <class... E>
  static constexpr auto find_captured(type_list<E...>) {
    captured_slots found;
    reachable all;
    (all.add(record_address<E::hash>), ...);
    for (int i = 0; i < all.records.size(); ++i)
      if (all.records[i]->op->is(info_of<captured_op>)) {
        if (found.count < most_captured) found.at[found.count] = all.records[i]->content;
        ++found.count;
      }
    return found;
  }
  static constexpr captured_slots captured = find_captured(outputs{});
  static_assert(captured.count <= most_captured, "function: a body captures at most 16 values");
  template <class... S, int... I>
  static constexpr hash_t list_with_captured(type_list<S...>, std::integer_sequence<int, I...>) {
    return list_of<S::hash..., captured.at[I]...>;
  }
  template <class... E>
  static auto graph_of(type_list<E...>) -> root_graph<E::hash...>;
  template <class... R>
  static auto results_of(type_list<R...>) -> structured_results<type_list<typename Trace::results>, held_feeds<>, R...>;
  template <class... S>
  static auto feeds_of(type_list<S...>) -> plain_tuple<fed_value<typename S::value_type>...>;
  template <class... E>
  static constexpr void check_reuse_of(type_list<E...>) {
    check_reuse<E::hash...>();
  }
  template <class Plan, class... S, int... I>
  static constexpr void check_feeds(type_list<S...>, std::integer_sequence<int, I...>) {
    check_plan<graph_type, Plan, content_with<S::hash>..., captured.at[I]...>();
  }
  using captured_numbers = std::make_integer_sequence<int, captured.count>;
  using graph_type = decltype(graph_of(outputs{}));
  static constexpr hash_t fetches = list(outputs{}), feeds = list_with_captured(slots{}, captured_numbers{});
  template <class Backend>
  using plan_type = compiled<typename Backend::target, fetches, feeds>;
  using results_type = decltype(results_of(call_results<typename Trace::results>()));
  using feeds_type = decltype(feeds_of(slots{}));
  static constexpr int fed = slots::size;
  static constexpr bool takes_strings = (is_text_argument<Kinds> || ...);
  template <int I>
  static constexpr bool is_fed = is_fed_argument<type_at<I, Kinds...>>;
  template <int I>
  static constexpr bool is_text = is_text_argument<type_at<I, Kinds...>>;
  /// The number of argument I among those that are fed.
  template <int I>
  static constexpr int place = ((K < I && is_fed_argument<Kinds> ? 1 : 0) + ... + 0);

  template <class... S>
  static constexpr void check_named(type_list<S...>) {
    constexpr std::size_t unused = first_true({!graph_type::contains(content_with<S::hash>)...});
    if constexpr (unused < sizeof...(S)) raise<the_body_of_this_function_uses_no_such_slot, shown<type_at<unused, S...>>>();
  }

  template <class... S>
  static constexpr void check_once(type_list<S...>) {
    check_fed_once<S...>();
  }

  template <class Backend>
  static constexpr void check() {
    check_once(slots{});
    check_named(chosen_types<type_list<slot<K>...>, is_named_argument<Kinds>...>{});
    check_slots<graph_type>();
    check_reuse_of(outputs{});
    check_feeds<plan_type<Backend>>(slots{}, captured_numbers{});
  }
};

}  // namespace etch::detail
