// SPDX-License-Identifier: MIT
#pragma once
#include <iterator>

#include <etch/backend/cpu/execute.hpp>
#include <etch/control/outline.hpp>
#include <etch/function/by_name.hpp>
#include <etch/function/captured.hpp>
#include <etch/function/input_signature.hpp>
#include <etch/function/state.hpp>
#include <etch/function/taped_call.hpp>
#include <etch/function/trace.hpp>
#include <etch/function/traced_graph.hpp>
#include <etch/session/arguments.hpp>
#include <etch/session/run_plan.hpp>
#include <etch/session/session.hpp>

/// Functions whose bodies are graphs: traced by the first call with arguments of a kind, planned by the compiler, run by every call.
namespace etch {

namespace detail {

/// Of what has an address for each trace.
template <class Graph>
inline constexpr char trace_key = 0;

}  // namespace detail

/// `function f(body)`: body, a generic callable, with the speed of a session. A call with eager tensors, numbers or arrays runs its graph
/// and gives eager tensors: one, or a tuple, as the body gives expressions. The first call with arguments of a kind (dtype and number of
/// axes of each; of a literal its value) traces: body is called once, with a placeholder for each argument, so that what it does to the
/// program happens once; what its graph does, such as `print`, happens in each call. Extents are any, as far as the ops let them: where
/// two must be equal, each call is checked, and throws `etch::error`.
///
/// Variables in the body are arguments of all calls. They belong to the function, or, of `function f(body, session)`, to that session;
/// those of a first trace get their initial values then, and a later trace may bring no new ones.
///
/// `f(x = array)` is an argument by name: a value of a slot that body names itself, a placeholder or whatever a session's run can be fed.
/// They may stand in any order.
///
/// Called with expressions it gives expressions: those of body, for use in other graphs. Several threads may call it.
template <class Body, detail::signature_of_arguments Signature = detail::any_arguments, class Backend = cpu::backend>
class function {
  using memory = typename Backend::memory;
  using state_type = detail::function_state<memory>;
  template <class... A>
  static constexpr bool are_symbolic = ((expression<A> && !detail::is_literal<A>) || ...);

 public:
  explicit function(Body body, Signature = {}) : body_(std::move(body)), state_(std::make_unique<state_type>()) {}
  template <class... Roots>
  function(Body body, basic_session<Backend, Roots...>& session, Signature = {})
      : body_(std::move(body)), state_(std::make_unique<state_type>()) {
    state_->session = std::make_unique<session_state<memory>>(session.share_variables());
    state_->owns_variables = false;
  }

  template <class... A>
  auto operator()(A&&... arguments) {
    using all = std::make_integer_sequence<int, sizeof...(A)>;
    if constexpr (detail::any_by_name<std::remove_cvref_t<A>...>) {
      [[maybe_unused]] const int checked[] = {
          0, (detail::check_not_kept<A>(), detail::check_named_value<std::remove_cvref_t<A>>(), 0)...};
      if constexpr (are_symbolic<std::remove_cvref_t<A>...>)
        raise<a_value_by_name_is_for_a_call_that_runs_not_for_one_with_symbols,
              typename detail::shown_argument<std::remove_cvref_t<A>>::type...>();
      else
        return call_in_order<std::remove_cvref_t<A>...>(all{}, std::tie(arguments...));
    } else if constexpr (are_symbolic<std::remove_cvref_t<A>...>) {
      return call_with_expressions(arguments...);
    } else {
      return call<std::remove_cvref_t<A>...>(all{}, arguments...);
    }
  }

  /// How often it has been traced.
  int trace_count() const {
    check_state();
    const flag_guard lock(state_->in_use);
    return static_cast<int>(std::distance(state_->traces.begin(), state_->traces.end()));
  }
  /// The expressions that the body gives for arguments of these kinds: the graph that a call runs, for prints and plans.
  template <class... A>
  auto expressions(const A&...) const {
    return typename trace_of<A...>::results{};
  }

  /// The variables, as of a session. Before the first call, what a program restores: of a function whose arguments are known, by its
  /// input signature or since it takes none, or of a call with these arguments, `f.variables(x)`, which is not made. The first trace's are
  /// made then, with their initial values. Throws `etch::error` where nothing says what that is.
  template <class... A>
  variable_list<memory> variables(const A&...) const {
    check_state();
    const flag_guard lock(state_->in_use);
    if (state_->session == nullptr) {
      if constexpr (sizeof...(A) > 0)
        this->template make_variables_of<typename kinds<A...>::trace, typename kinds<A...>::list>();
      else if constexpr (requires { typename Signature::known_kinds; })
        this->template make_variables_of<typename trace_for<typename Signature::known_kinds>::type,
                                         typename Signature::known_kinds>();
      else if constexpr (std::is_invocable_v<const Body&>)
        this->template make_variables_of<detail::trace<Body>, detail::type_list<>>();
      else
        fail(
            "function: its variables are not known before its first call; give it an input_signature, or ask for those of a call, "
            "f.variables(x)");
    }
    return variable_list<memory>(state_->session->store());
  }
  /// Whether `variables()` can say: it has been called, or its arguments are known.
  bool knows_variables() const {
    if constexpr (requires { typename Signature::known_kinds; } || std::is_invocable_v<const Body&>) return state_ != nullptr;
    if (state_ == nullptr) return false;
    const flag_guard lock(state_->in_use);
    return state_->session != nullptr;
  }
  /// Gives its variables their initial values, anew where they have some; random ones, and the draws of its calls, follow from `seed`.
  void initialize(std::uint64_t seed = 0) {
    check_state();
    if (!state_->owns_variables) fail("function: its variables are a session's, which initializes them");
    if (state_->session != nullptr) state_->session->check_idle("initialize");
    state_->seed = seed;
    if (state_->initialize != nullptr) state_->initialize(*state_);
  }
  /// As a session's. A function of a session's variables uses the session's.
  void set_executor(executor* threads) {
    check_state();
    if (!state_->owns_variables) fail("function: its variables are a session's, whose executor it uses");
    state_->sharing = step_sharing::on<Backend>(threads);
    if (state_->session != nullptr) state_->session->set_executor(state_->sharing);
  }

 private:
  void check_state() const {
    if (state_ == nullptr) fail("function: it has been moved from");
  }
  template <class Kinds>
  struct trace_for;
  template <class... Kinds>
  struct trace_for<detail::type_list<Kinds...>> {
    using type = detail::trace<Body, Kinds...>;
  };
  template <class Numbers, class... A>
  struct kinds_of;
  template <int... K, class... A>
  struct kinds_of<std::integer_sequence<int, K...>, A...> {
    using list = detail::type_list<typename Signature::template kind<A, K>...>;
    using trace = typename trace_for<detail::chosen_types<list, !detail::is_binding<A>...>>::type;
  };
  template <class... A>
  using kinds = kinds_of<std::make_integer_sequence<int, sizeof...(A)>, A...>;
  template <class... A>
  using trace_of = typename kinds<A...>::trace;

  template <class... A, int... K, class Arguments>
  auto call_in_order(std::integer_sequence<int, K...> all, const Arguments& arguments) {
    constexpr auto order = detail::order_of_arguments<A...>();
    return call<detail::type_at<order.at[K], A...>...>(all, std::get<order.at[K]>(arguments)...);
  }
  template <class... A, int... K>
  auto call(std::integer_sequence<int, K...>, const A&... arguments) {
    constexpr std::size_t refused = detail::first_true({detail::is_refused_argument<detail::argument_of<A>>...});
    if constexpr (refused < sizeof...(A)) {
      refuse<detail::type_at<refused, A...>>();
    } else if constexpr (Signature::template check<A...>()) {
      using trace = trace_of<A...>;
      if constexpr (!std::is_void_v<typename trace::results>) {
        using traced_graph = detail::traced_graph<trace, typename kinds<A...>::list, std::integer_sequence<int, K...>>;
        traced_graph::template check<Backend>();
        check_state();
        const auto* traced = state_->find(&detail::trace_key<traced_graph>);
        if (traced == nullptr) traced = this->template make_trace<trace, traced_graph>();
        typename traced_graph::feeds_type feeds;
        fed_array arrays[traced_graph::fed + traced_graph::captured.count + 1];
        (prepare<K, traced_graph>(feeds, arrays, arguments), ...);
        for (int i = 0; i < traced_graph::captured.count; ++i)
          arrays[traced_graph::fed + i] = state_type::captured_in(*traced, traced_graph::captured.at[i]);
        typename traced_graph::results_type results;
        using Plan = typename traced_graph::template plan_type<Backend>;
        host_values_of<Plan, Backend> host;
        run_plan<Plan, Backend>(*state_->session, arrays, results, host);
        // A tape has no arrays and numbers as sources: the gradient of a call of these alone would be compiled in vain.
        if constexpr ((is_on_tapes<A> || ...)) {
          using calls = detail::recorded_calls<traced_graph, Backend, state_type, typename traced_graph::results_type>;
          if constexpr (detail::tapes_are_known<A...>) static_cast<void>(&calls::is_known);
          if (eager::this_recorder != nullptr && calls::tell != nullptr)
            detail::with_operands(
                [&](const eager::value* const* in, int count) { calls::tell(*state_, *traced, results, in, count); },
                as_operand<K, traced_graph>(arguments)...);
        }
        if constexpr (!std::is_void_v<decltype(detail::values_of(results))>) return detail::as_tensors(detail::values_of(results));
      }
    }
  }
  template <class A>
  static constexpr bool is_on_tapes =
      std::is_base_of_v<eager::value, std::remove_cvref_t<decltype(detail::value_of_argument(std::declval<const A&>()))>>;
  template <class Graph>
  static void start(session_state<memory>& variables, std::uint64_t seed) {
    variables.store().seed = seed;
    variables.store().runs = 0;
    initialize_variables<Graph, Backend>(variables);
  }
  /// Where an initial value throws, there are none: the next call makes them.
  template <class Graph>
  void make_variables() const {
    auto made = std::make_unique<session_state<memory>>(variables_of<Graph>::value.at, Graph::size.variables);
    start<Graph>(*made, state_->seed);
    made->set_executor(state_->sharing);
    state_->session = std::move(made);
    state_->initialize = [](state_type& s) { start<Graph>(*s.session, s.seed); };
  }
  template <class Trace, class Kinds>
  void make_variables_of() const {
    if constexpr (!std::is_void_v<typename Trace::results>)
      make_variables<typename detail::traced_graph<Trace, Kinds, std::make_integer_sequence<int, Kinds::size>>::graph_type>();
  }
  template <class Trace, class Graph>
  const auto* make_trace() {
    using graph_type = typename Graph::graph_type;
    detail::captured_values captured;
    {
      const detail::tracing_scope tracing(captured);
      (void)Trace::run(body_);
    }
    const flag_guard lock(state_->in_use);
    if (state_->session == nullptr) make_variables<graph_type>();
    for (int v = 0; v < graph_type::size.variables; ++v) {
      const record& r = *graph_type::value.variables[v];
      if (state_->session->store().find(r.content) == nullptr)
        fail(state_->owns_variables
                 ? "function: its trace for these arguments makes the variable \"%s\", which its first trace has not made"
                 : "function: the session lacks the variable \"%s\"",
             r.slot->name);
    }
    return state_->keep(&detail::trace_key<Graph>, std::move(captured));
  }

  template <int K, class Graph, class Feeds, class A>
  static void prepare(Feeds& feeds, fed_array* arrays, const A& argument) {
    if constexpr (Graph::template is_fed<K>) {
      constexpr int place = Graph::template place<K>;
      using slot = typename Graph::template slot<K>;
      using T = typename slot::value_type;
      auto& fed = member<place>(feeds);
      if constexpr (detail::is_literal<A>)
        prepare_feed<T>(A::template as<T>(), fed, detail::slot_name<slot>);
      else
        prepare_feed<T>(detail::value_of_argument(argument), fed, detail::slot_name<slot>);
      arrays[place] = fed.array;
    }
  }

  template <class... A>
  auto call_with_expressions(const A&... arguments) {
    if constexpr (!std::is_invocable_v<const Body&, A...>)
      return detail::refusal<detail::body_is_not_called<Body>, typename detail::shown_argument<A>::type...>(arguments...);
    else if constexpr (!detail::fetchable<std::invoke_result_t<const Body&, A...>>)
      return detail::refusal<a_functions_body_gives_an_expression_or_a_structure_of_some,
                             got<std::invoke_result_t<const Body&, A...>>>(arguments...);
    else
      return outlined_call<std::invoke_result_t<const Body&, A...>>(arguments...);
  }
  template <class Results, class... A>
  auto outlined_call(const A&... arguments) {
    using symbols = detail::chosen_types<detail::type_list<A...>, (expression<A> && !detail::is_literal<A>)...>;
    const void* const key = &detail::trace_key<detail::type_list<A...>>;
    check_state();
    const auto* traced = state_->find(key);
    if (traced == nullptr) {
      detail::captured_values captured;
      {
        const detail::tracing_scope tracing(captured);
        (void)static_cast<const Body&>(body_)(arguments...);
      }
      const flag_guard lock(state_->in_use);
      traced = state_->keep(key, std::move(captured));
    }
    // What it has captured is captured by the function around it, too.
    if (detail::this_trace != nullptr)
      for (const detail::captured_value& v : traced->captured) detail::keep_captured(*detail::this_trace, v);
    return detail::outlined<Results>(symbols{});
  }

  /// An argument as the tape knows it; nothing where it is a constant of the trace.
  template <int K, class Graph, class A>
  static decltype(auto) as_operand(const A& argument) {
    if constexpr (!Graph::template is_fed<K> || Graph::template is_text<K>) {
      return no_value{};
    } else {
      using slot = typename Graph::template slot<K>;
      using value = std::remove_cvref_t<decltype(detail::value_of_argument(argument))>;
      if constexpr (std::is_base_of_v<eager::value, value>)
        return static_cast<const eager::value&>(detail::value_of_argument(argument));
      else if constexpr (detail::is_literal<A>)
        return eager::value(tensor<typename slot::value_type, 0>(A::template as<typename slot::value_type>()));
      else if constexpr (is_number_type<value>)
        return eager::value(
            tensor<typename slot::value_type, 0>(static_cast<typename slot::value_type>(detail::value_of_argument(argument))));
      else  // a flat range of more axes goes on as one
        return eager::value(tensor < typename feed_traits<value>::value_type,
                            feed_traits<value>::rank == -2 ? 1 : slot::rank > (detail::value_of_argument(argument)));
    }
  }

  template <class A>
  static constexpr void refuse() {
    if constexpr (feed_traits<A>::valid)
      raise<the_rank_of_this_argument_is_not_known_to_the_compiler_hand_over_a_tensor_of_known_rank, got<A>>();
    else
      raise<this_is_no_argument_of_a_traced_function, got<A>>();
  }

  Body body_;
  std::unique_ptr<state_type> state_;
};

template <class Body>
function(Body) -> function<Body>;
template <class Body, class... Specs>
function(Body, input_signature_type<Specs...>) -> function<Body, input_signature_type<Specs...>>;
template <class Body, class Backend, class... Roots>
function(Body, basic_session<Backend, Roots...>&) -> function<Body, detail::any_arguments, Backend>;
template <class Body, class Backend, class... Roots, class... Specs>
function(Body, basic_session<Backend, Roots...>&, input_signature_type<Specs...>)
    -> function<Body, input_signature_type<Specs...>, Backend>;

}  // namespace etch
