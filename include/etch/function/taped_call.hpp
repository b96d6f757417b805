// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/recorder.hpp>
#include <etch/function/state.hpp>
#include <etch/function/traced_graph.hpp>
#include <etch/nn/initializers.hpp>
#include <etch/passes/gradient.hpp>
#include <etch/session/run_plan.hpp>

/// Calls of traced functions under a tape: the gradient of one is a graph of its own, planned by the compiler as the call is.
namespace etch::detail {

/// Whether this file has included <etch/tape.hpp>.
template <class... A>
inline constexpr bool tapes_are_known = requires { sizeof(eager::recorded<std::conditional_t<(sizeof...(A) >= 0), cast, void>>); };

inline constexpr eager::op_facts call_facts = {"a traced function", nullptr, nullptr, true};

/// Of calls of which a tape knows no gradient.
inline void refuse_gradient_beside_strings(const words&, const eager::value*, int, const eager::value&, const eager::adjoint&,
                                           eager::adjoint* const*) {
  fail("tape: a traced function that takes strings is called; take the gradient in its body");
}
inline void refuse_gradient_of_inner_gradient(const words&, const eager::value*, int, const eager::value&, const eager::adjoint&,
                                              eager::adjoint* const*) {
  fail("tape: a traced function gives a gradient, which its body takes; take that of the gradient in its body, too");
}

/// Of the gradient of a call, which a tape outside of that one has recorded: a graph for each order would be compiled with every call.
inline void refuse_gradient_of_gradient(const words&, const eager::value*, int, const eager::value&, const eager::adjoint&,
                                        eager::adjoint* const*) {
  fail(
      "tape: the gradient of a traced function is a graph, through which no other tape goes; take the second gradient in its body");
}

/// Whether a call's value depends on its arguments and on nothing else: then its gradient may be computed from them, later.
template <class... E>
constexpr bool depends_on_arguments_only(type_list<E...>) {
  reachable all;
  (all.add(record_address<E::hash>), ...);
  for (int i = 0; i < all.records.size(); ++i) {
    const op_info& op = *all.records[i]->op;
    if (op.stateful || op.role == op_role::variable || op.kind == op_kind::effect) return false;
  }
  return true;
}

/// Whether a call's value is made of gradients that its body takes. Their gradients would be compiled with every such call, each a
/// graph of its own: five of a GRU's training step, which hardly a program needs, took g++ 12 100 s of 110.
template <hash_t Output>
constexpr bool is_made_of_gradients() {
  reachable all;
  all.add(record_address<Output>);
  for (int i = 0; i < all.records.size(); ++i)
    if (all.records[i]->op->role == op_role::gradient) return true;
  return false;
}

/// Whether a call's value is made of an argument.
template <hash_t Output, hash_t Slot>
inline constexpr bool output_reads = [] {
  reachable all;
  all.add(record_address<Output>);
  return all.index.find(content_with<Slot>) >= 0;
}();

/// The gradient of value `Output` of a call with respect to its arguments of floats.
template <class Graph, class Backend, int Output, class Slots>
struct call_gradient;
template <class Graph, class Backend, int Output, class... S>
struct call_gradient<Graph, Backend, Output, type_list<S...>> {
  using state_type = function_state<typename Backend::memory>;
  using tools = eager::recorded<std::conditional_t<(Output >= 0), cast, void>>;
  template <class... E>
  static auto output_of(type_list<E...>) -> type_at<Output, E...>;
  using output = decltype(output_of(typename Graph::outputs{}));
  static constexpr dtype type = output::type;
  template <auto... E>
  static auto seed_of(shape<E...>) -> placeholder<"(gradient)", typename output::value_type, E...>;
  using seed = decltype(seed_of(typename output::shape_type{}));

  /// Whether the value is made of an argument of floats.
  template <class Slot>
  static constexpr bool is_used = is_floating(Slot::type) && output_reads<output::hash, Slot::hash>;
  using floats = chosen_types<type_list<S...>, is_used<S>...>;
  /// As what is computed with.
  template <class E>
  static constexpr auto counted(E e) {
    if constexpr (is_storage(E::type))
      return astype<float>(e);
    else
      return e;
  }
  /// 0 where the value depends on it by no floats.
  template <class X>
  static constexpr auto gradient_for(X x) {
    using counted_type = typename decltype(counted(output{}))::value_type;
    return gradient(sum(counted(output{}) * counted(seed{})) + astype<counted_type>(sum(counted(x) * 0_c)), x);
  }
  template <class... X>
  static auto gradients_of(type_list<X...>) -> type_list<decltype(gradient_for(X{}))...>;
  using fetched = decltype(gradients_of(floats{}));
  template <class... E>
  static auto results_of(type_list<E...>) -> plain_tuple<tensor<typename E::value_type, E::rank>...>;

  template <int... I, class... E>
  static constexpr auto plan_of(std::integer_sequence<int, I...>, type_list<E...>) {
    constexpr hash_t fetches = list_of<E::hash...>, feeds = list_of<S::hash..., Graph::captured.at[I]..., seed::hash>;
    return std::type_identity<compiled<typename Backend::target, fetches, feeds>>{};
  }

  /// A tape's rule. Attributes: the addresses of the function's state and of the trace.
  static void rule(const words& attributes, const eager::value* x, int, const eager::value&, const eager::adjoint& dy,
                   eager::adjoint* const* adjoints) {
    if constexpr (!depends_on_arguments_only(typename Graph::outputs{})) {
      fail("tape: a traced function that has variables, draws or effects is called; take the gradient in its body");
    } else {
      using Plan = typename decltype(plan_of(std::make_integer_sequence<int, Graph::captured.count>{}, fetched{}))::type;
      if constexpr (static_cast<bool>(Plan::failure)) {
        fail("tape: there is no gradient through an op of a traced function");
      } else {
        state_type* state;
        const typename state_type::trace* traced;
        std::memcpy(&state, &attributes.at[0], sizeof state);
        std::memcpy(&traced, &attributes.at[1], sizeof traced);
        fed_array arrays[sizeof...(S) + Graph::captured.count + 2];
        constexpr int axes[] = {S::rank..., 0};
        for (std::size_t k = 0; k < sizeof...(S); ++k) arrays[k] = as_fed(x[k], axes[k]);
        for (int i = 0; i < Graph::captured.count; ++i)
          arrays[static_cast<int>(sizeof...(S)) + i] = state_type::captured_in(*traced, Graph::captured.at[i]);
        arrays[static_cast<int>(sizeof...(S)) + Graph::captured.count] = as_fed(tools::template elements<type>(dy), seed::rank);
        decltype(results_of(fetched{})) results;
        host_values_of<Plan, Backend> host;
        run_plan<Plan, Backend>(*state->session, arrays, results, host);
        const eager::value* in[sizeof...(S) + 1];
        for (std::size_t k = 0; k < sizeof...(S); ++k) in[k] = &x[k];
        in[sizeof...(S)] = &tools::template elements<type>(dy);
        hand_on(in, results, adjoints, std::make_integer_sequence<int, sizeof...(S)>{});
      }
    }
  }

 private:
  /// For a slot of so many axes, which a flat range may be fed to.
  static fed_array as_fed(const eager::value& v, int axes) {
    fed_array a;
    a.data = v.bytes();
    const int own = v.described().rank;
    a.axes = own == axes ? own : -1;
    for (int i = 0; i < own; ++i) a.extents[i] = v.extent(i);
    return a;
  }
  /// What the gradients are made of, arguments and the adjoint, is for a tape outside.
  template <class Results, int... K>
  static void hand_on(const eager::value* const* in, Results& results, eager::adjoint* const* adjoints,
                      std::integer_sequence<int, K...>) {
    // Static: nvcc does not read constants of a function in a lambda in it.
    static constexpr bool used[] = {is_used<S>..., false};
    static constexpr int place[] = {count_before(used, K)..., 0};
    (
        [&] {
          if constexpr (used[K])
            if (adjoints[K] != nullptr) {
              if (eager::this_recorder != nullptr)
                eager::this_recorder->record(call_facts, &refuse_gradient_of_gradient, words(), in, sizeof...(S) + 1,
                                             member<place[K]>(results));
              tools::template add<S::type>(*adjoints[K], member<place[K]>(results));
            }
        }(),
        ...);
  }
  static constexpr int count_before(const bool* which, int end) {
    int n = 0;
    for (int i = 0; i < end; ++i) n += which[i] ? 1 : 0;
    return n;
  }
};

/// The operands of an entry that is not made of all of them: others stand for those that it is not made of, so that no tape goes there.
template <hash_t Output, class Slots>
struct call_operands;
template <hash_t Output, class... S>
struct call_operands<Output, type_list<S...>> {
  const eager::value* in[sizeof...(S) + 1];
  eager::value others[sizeof...(S) + 1];

  explicit call_operands(const eager::value* const* all) {
    constexpr bool used[] = {output_reads<Output, S::hash>..., false};
    for (std::size_t k = 0; k < sizeof...(S); ++k) {
      in[k] = all[k];
      if (used[k]) continue;
      others[k] = *all[k];
      others[k].becomes_another();
      in[k] = &others[k];
    }
  }
};

template <class Graph, class Backend, int I, class State, class R>
void record_result(const words& attributes, const eager::value* const* in, int count, const R& result) {
  if constexpr (std::is_base_of_v<eager::value, R>) {
    if constexpr (!is_floating(R::type))
      return;
    else if constexpr (Graph::takes_strings)
      eager::this_recorder->record(call_facts, &refuse_gradient_beside_strings, attributes, in, count, result);
    else if constexpr (is_made_of_gradients<Graph::template output_hash<I>>())
      eager::this_recorder->record(call_facts, &refuse_gradient_of_inner_gradient, attributes, in, count, result);
    else
      eager::this_recorder->record(call_facts, &call_gradient<Graph, Backend, I, typename Graph::slots>::rule, attributes,
                                   call_operands<Graph::template output_hash<I>, typename Graph::slots>(in).in, count, result);
  }
}

/// Tells the tape of a call, whose operands are those arguments that it feeds.
template <class Graph, class Backend, class State, class... R>
void record_call(State& state, const typename State::trace& traced, const plain_tuple<R...>& results, const eager::value* const* in,
                 int count) {
  const State* const state_at = &state;
  const typename State::trace* const trace_at = &traced;
  words attributes(0, 0);
  std::memcpy(&attributes.at[0], &state_at, sizeof state_at);
  std::memcpy(&attributes.at[1], &trace_at, sizeof trace_at);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (record_result<Graph, Backend, static_cast<int>(I), State>(attributes, in, count, member<I>(results)), ...);
  }(std::index_sequence_for<R...>{});
}
/// f(operands, how many of them): the arguments that are values.
template <class F, class... A>
void with_operands(const F& f, const A&... arguments) {
  const eager::value* in[sizeof...(A) + 1];
  int count = 0;
  const auto take = [&](const auto& a) {
    if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(a)>, no_value>) in[count++] = &a;
  };
  (take(arguments), ...);
  f(in, count);
}
/// How a tape is told of the calls of a graph: set before main, where a file that calls it includes `<etch/tape.hpp>`, and read in all,
/// as the rules of ops are (eager/recorder.hpp).
template <class Graph, class Backend, class State, class Results>
struct recorded_calls {
  using teller = void (*)(State&, const typename State::trace&, const Results&, const eager::value* const*, int);
  static inline constinit teller tell = nullptr;
  static void call(State& state, const typename State::trace& traced, const Results& results, const eager::value* const* in,
                   int count) {
    record_call<Graph, Backend>(state, traced, results, in, count);
  }
  static inline bool is_known = (tell = &recorded_calls::call) != nullptr;
};

}  // namespace etch::detail
