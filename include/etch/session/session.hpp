// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/reuse.hpp>
#include <etch/session/bound_step.hpp>
#include <etch/session/run.hpp>
#include <etch/session/run_plan.hpp>
#include <etch/session/signature.hpp>
#include <etch/session/state.hpp>
#include <etch/session/step.hpp>
#include <etch/session/structured.hpp>
#include <etch/session/variables.hpp>

/// Sessions: the values of variables, and the runs of plans.
namespace etch {

/// The state of a session's random draws: element i of a draw follows from the seed, the draw's name, the number of the run, and
/// i. A program that saves it beside the variables goes on later with the same numbers.
struct random_state {
  std::uint64_t seed = 0;
  std::uint64_t runs = 0;  ///< runs so far that drew
  friend bool operator==(const random_state&, const random_state&) = default;
};

namespace detail {

struct session_access;

/// What a session is made of; of fetches that are more than expressions, what runs compute for them.
template <bool Plain, class... Roots>
struct session_roots {
  using graph = root_graph<Roots::hash...>;
  static constexpr void check_reuse() { detail::check_reuse<Roots::hash...>(); }
};
template <class... E>
session_roots<true, E...> roots_among(type_list<E...>);
template <class... Roots>
struct session_roots<false, Roots...> : decltype(roots_among(typename fetched_members<Roots...>::leaves{})){};

}  // namespace detail

/// Runs expressions. Owns the variables that its roots are made of; two sessions share nothing.
/// `session s(loss, train)` takes the roots; their types are its template arguments. It can be moved, not copied; bound steps
/// keep what they need of it. What may be called at the same time is said in docs/threads.md.
template <class Backend, class... Roots>
class basic_session {
  using roots = detail::session_roots<detail::are_expressions<Roots...>, Roots...>;
  using graph_type = typename roots::graph;
  friend struct detail::session_access;
  using memory = typename Backend::memory;
  using variable_entry = typename variable_store<memory>::entry;

 public:
  /// Of all that it will run: `session s(loss, train)`. The variables have no values yet.
  explicit basic_session(Roots...) : state_(variables_of<graph_type>::value.at, graph_type::size.variables) {
    if constexpr (sizeof...(Roots) == 0)
      raise<a_session_is_made_of_expressions_name_at_least_one, in_function<"session">, got<Roots...>,
            instead_write<"session s(y)">>();
    detail::check_slots<graph_type>();
    roots::check_reuse();
  }
  /// Of what is no expression.
  template <class... A>
  explicit basic_session(detail::type_list<A...>) : state_(variables_of<graph_type>::value.at, graph_type::size.variables) {
    raise<a_session_is_made_of_expressions_name_at_least_one, in_function<"session">, typename detail::shown_argument<A>::type...,
          instead_write<"session s(y)">>();
  }
  basic_session(const basic_session&) = delete;
  basic_session& operator=(const basic_session&) = delete;
  basic_session(basic_session&&) = default;
  basic_session& operator=(basic_session&&) = default;

  /// Gives every variable its initial value; random ones follow from `seed`, as later draws do, of steps that are bound too. What a
  /// host call of an initial value throws goes through, and then no variable has a value.
  void initialize(std::uint64_t seed = 0) {
    state_.check_idle("initialize");
    state_.store().seed = seed;
    state_.store().runs = 0;
    initialize_variables<graph_type, Backend>(state_);
  }

  /// `run(fetches..., slot = value...)`: the value of each fetch, in order. One fetch gives its value, several a tuple, what
  /// has no value (a training step) nothing. A fetch is an expression, or a tuple, a pair, an array, a class of fetches, whose result
  /// has the same structure: see `fetch_traits`. Throws `etch::error` where a feed's extents do not fit, a variable has no
  /// value yet, or the session is closed; the session stays usable.
  template <class... A>
  auto run(A&&... arguments) {
    using signature = detail::signature_of<A...>;
    if constexpr (detail::check_arguments<"run", A...>()) {
      state_.check_open();
      return detail::run_signature<Backend, graph_type, signature>(state_, detail::plain_execution{}, typename signature::fetches{},
                                                                   typename signature::feeds{}, arguments...);
    }
  }
  template <class... A>
  auto run(detail::any_braces, const A&...) {
    return detail::refuse_run<expressions_are_named_one_by_one_without_braces, "run", "run(y, z, x = values)", A...>();
  }
  template <class First>
  auto run(const First&, detail::any_braces) {
    return detail::refuse_run<this_is_no_expression_feed_a_value_by_slot_equals_value, "run", "run(y, x = values)", First,
                              detail::any_braces>();
  }

  /// Like `run`, but checks and plans once: the result is called as often as wanted, each time reading the arrays that
  /// were fed here where they lie then: they must live on. Numbers, braces, what is not contiguous, and temporaries that may
  /// own their elements are copied now.
  template <class... A>
  auto bind(A&&... arguments) {
    using signature = detail::signature_of<A...>;
    if constexpr (detail::check_arguments<"bind", A...>()) {
      state_.check_open();
      return bind_signature<signature>(typename signature::fetches{}, typename signature::feeds{}, arguments...);
    } else {
      return detail::refused_element<detail::type_list<A...>>{};
    }
  }
  template <class... A>
  auto bind(detail::any_braces, const A&...) {
    return detail::refuse_run<expressions_are_named_one_by_one_without_braces, "bind", "bind(y, z, x = values)", A...>();
  }
  template <class First>
  auto bind(const First&, detail::any_braces) {
    return detail::refuse_run<this_is_no_expression_feed_a_value_by_slot_equals_value, "bind", "bind(y, x = values)", First,
                              detail::any_braces>();
  }

  /// The value of a variable: `get(w)`, or by name, `get<"hidden/kernel">()`.
  template <variable_expression V>
  auto get(V) const {
    check_in_graph<V>();
    return get_variable<V>();
  }
  template <class... A>
  auto get(const A&...) const {
    if constexpr ((expression<A> && ...))
      raise<only_a_variable_has_a_value_in_a_session_run_an_expression, in_function<"get">, shown<A>..., instead_write<"run(y)">>();
    else
      raise<name_the_variable_in_angle_brackets, in_function<"get">, got<A>..., instead_write<"get<\"w\">()">>();
    return detail::refused_element<detail::type_list<A...>>{};
  }
  template <auto Variable>
    requires variable_expression<std::remove_const_t<decltype(Variable)>>
  auto get() const {
    raise<a_name_stands_in_angle_brackets_the_variable_is_an_argument, in_function<"get">, shown<decltype(Variable)>,
          instead_write<"get(w)">>();
    return detail::refused_element<decltype(Variable)>{};
  }
  template <fixed_string Name>
  auto get() const {
    constexpr hash_t hash = hash_of_variable<Name>();
    if constexpr (hash != 0)
      return get_variable<detail::variable_with<hash>>();
    else
      return 0;
  }
  /// Stores an array (or a number, for rank 0) of exactly the variable's shape: `set(w, values)`,
  /// `set<"hidden/bias">(values)`.
  template <variable_expression Variable, class V>
  void set(Variable, const V& value) {
    check_in_graph<Variable>();
    set_variable<Variable>(value);
  }
  template <variable_expression Variable>
    requires(Variable::rank > 0)
  void set(Variable, nested_list<typename Variable::value_type, Variable::rank> value) {
    check_in_graph<Variable>();
    set_variable<Variable>(value);
  }
  template <variable_expression Variable, class V>
    requires(Variable::rank != 1)
  void set(Variable, std::initializer_list<V>) {
    refuse_braces<Variable, V, 1>();
  }
  template <variable_expression Variable, class V>
    requires(Variable::rank != 2)
  void set(Variable, std::initializer_list<std::initializer_list<V>>) {
    refuse_braces<Variable, V, 2>();
  }
  template <class... A>
  void set(const A&...) {
    if constexpr ((expression<A> || ...))
      raise<only_a_variable_has_a_value_in_a_session_run_an_expression, in_function<"set">,
            typename detail::shown_argument<A>::type..., instead_write<"set(w, values)">>();
    else
      raise<name_the_variable_in_angle_brackets, in_function<"set">, got<A>..., instead_write<"set<\"w\">(values)">>();
  }
  template <auto Variable, class... A>
    requires variable_expression<std::remove_const_t<decltype(Variable)>>
  void set(const A&...) {
    raise<a_name_stands_in_angle_brackets_the_variable_is_an_argument, in_function<"set">, shown<decltype(Variable)>,
          instead_write<"set(w, values)">>();
  }
  template <fixed_string Name, class V>
  void set(const V& value) {
    constexpr hash_t hash = hash_of_variable<Name>();
    if constexpr (hash != 0) set_variable<detail::variable_with<hash>>(value);
  }
  template <fixed_string Name, class Variable = detail::variable_with<graph_type::find_variable(name_of<Name>::hash)>>
    requires(Variable::rank > 0)
  void set(nested_list<typename Variable::value_type, Variable::rank> value) {
    set_variable<Variable>(value);
  }
  template <fixed_string Name, class V, class Variable = detail::variable_with<graph_type::find_variable(name_of<Name>::hash)>>
    requires(Variable::rank != 1)
  void set(std::initializer_list<V>) {
    refuse_braces<Variable, V, 1>();
  }

  /// The variables as data, by run-time names: `for (auto v : session.variables())`, `session.variables().at("hidden/kernel")`.
  variable_list<memory> variables() const {
    state_.check_open();
    return variable_list<memory>(state_.store());
  }

  /// Where the random draws of this session stand. With it and the variables, a program goes on as if it had not stopped.
  etch::random_state random_state() const {
    state_.check_open();
    return {state_.store().seed, state_.store().runs.load(std::memory_order_relaxed)};
  }
  void set_random_state(etch::random_state s) {
    state_.check_idle("set_random_state");
    state_.store().seed = s.seed;
    state_.store().runs = s.runs;
  }

  /// Whether runs, of steps that are bound already too, follow IEEE 754 to the last bit, or compute with subnormal numbers as with 0.
  /// With those arithmetic is up to a hundred times as slow. Without a call of this, a run counts them as 0 where that matters and
  /// costs nothing: if it assigns a variable, whose value may decay into them; if it has a loop, a branch or another sub-graph that is
  /// planned for itself, named extents, or more than 65,536 elements or multiplications over all steps.
  void keep_denormals(bool keep = true) {
    state_.check_open();
    state_.store().keeps_denormals = keep;
  }

  /// Runs, and steps that are bound from now on, do their work on these threads; with nullptr on the calling one alone, as before. Results
  /// are the same to the last bit. It must outlive those steps, and the session or the next call. Throws `etch::error` while a run is
  /// going on. See docs/threads.md.
  void set_executor(executor* threads) { state_.set_executor(step_sharing::on<Backend>(threads)); }

  /// A share in the variables, for what runs graphs of its own with them. It stays valid after the session is gone.
  shared_variables<memory> share_variables() const {
    state_.check_open();
    return state_.shared_store();
  }

  /// Frees the variables; later calls throw. Bound steps keep theirs.
  void close() { state_.close(); }

 private:
  template <class Variable, class V, int Axes>
  static constexpr void refuse_braces() {
    raise<braces_are_nested_once_for_each_axis, in_function<"set">, shown<Variable>, expected<number_of_axes<Variable::rank>>,
          got<number_of_axes<Axes>>>();
  }
  /// 0, after an error, where no variable has the name.
  template <fixed_string Name>
  static constexpr hash_t hash_of_variable() {
    constexpr hash_t found = graph_type::find_variable(name_of<Name>::hash);
    if constexpr (found == 0 && graph_type::is_made) raise<no_variable_of_the_session_has_this_name, variable_named<Name>>();
    return found;
  }
  template <class Variable>
  auto get_variable() const {
    state_.check_open();
    const variable_entry& e = state_.store().at(detail::content_with<Variable::hash>);
    e.check_initialised();
    detail::result_type<Variable> r{};
    if constexpr (is_number_type<decltype(r)>) {
      memory::read(&r, e.memory.data(), sizeof r);
    } else {
      typename decltype(r)::shape_type extents;
      for (std::size_t d = 0; d < extents.size(); ++d) extents[d] = static_cast<std::size_t>(e.what.type.extents[d]);
      r.resize(extents);
      memory::read(r.data(), e.memory.data(), e.what.bytes());
    }
    return r;
  }
  template <class Variable, class V>
  void set_variable(const V& value) {
    state_.check_idle("set");
    check_feed<Variable, V>();
    fed_value<typename Variable::value_type> fed;
    variable_entry& e = state_.store().at(detail::content_with<Variable::hash>);
    prepare_feed<typename Variable::value_type>(value, fed, e.what.name);
    detail::check_value(e.what, fed.array);
    memory::write(e.memory.data(), fed.array.data, e.what.bytes());
    e.mark_initialised();
  }

  template <class Signature, class... E, class... B, class... A>
  auto bind_signature(detail::type_list<E...>, detail::type_list<B...>, const A&... arguments) {
    constexpr hash_t fetches = list_of<E::hash...>, fed = list_of<B::slot::hash...>;
    using Plan = compiled<typename Backend::target, fetches, fed>;
    detail::check_signature<graph_type, Plan, B...>();
    using bound = bound_step<Plan, Backend, plain_tuple<fed_value<typename B::slot::value_type>...>,
                             typename Signature::template results<detail::result_type<E>...>>;
    bound s(new typename bound::state(state_.shared_store()));
    if constexpr (!detail::are_plain<A...>) {
      Signature::check();
      Signature::hold(s.state_->results, arguments...);
    }
    fed_array arrays[sizeof...(B) + 1];
    detail::prepare_feeds<true>(s.state_->feeds, arrays, arguments...);
    state_.prepare(interface_of<Plan, Backend>, s.state_->memory, arrays);
    detail::place_results(s.state_->memory, s.state_->results);
    if constexpr (bound::plan->on_host) detail::forget(s.state_->results);
    s.state_->memory.make_ready();
    s.state_->memory.note_fed_places();
    return s;
  }

  template <class Slot>
  static constexpr void check_in_graph() {
    detail::check_in_graph<graph_type, Slot>();
  }

  session_state<memory> state_;
};

/// For what runs plans of its own in a session of any type.
struct detail::session_access {
  template <class Session>
  using graph_of = typename Session::graph_type;
  template <class Backend, class... Roots>
  static session_state<typename Backend::memory>& state(basic_session<Backend, Roots...>& s) {
    return s.state_;
  }
};

}  // namespace etch
