// SPDX-License-Identifier: MIT
#pragma once
#include <mutex>
#include <tuple>
#include <variant>

#include <etch/session/executor.hpp>
#include <etch/session/signature.hpp>

/// Sessions: the values of variables, and the runs of plans.
namespace etch {

namespace detail {

/// A fetch's result: a number for rank 0, an xtensor otherwise, nothing for what has no value.
template <class E>
struct result_of {
  using type = std::conditional_t<(E::rank == 0), typename E::value_type,
                                  xt::xtensor<typename E::value_type, static_cast<std::size_t>(E::rank)>>;
};
template <class E>
  requires std::is_void_v<typename E::value_type>
struct result_of<E> {
  using type = std::monostate;
};
template <class E>
  requires is_literal<E>
struct result_of<E> {
  using type = typename E::value_type;
};
template <class E>
using result_type = typename result_of<E>::type;

template <class E>
inline constexpr bool has_value = !std::is_void_v<typename E::value_type>;

/// A tuple without the entries that have no value; a single entry stands alone; none is void.
template <class... R>
auto without_monostates(std::tuple<R...>&& all) {
  const auto keep = []<class X>(X&& x) {
    if constexpr (std::is_same_v<std::remove_cvref_t<X>, std::monostate>)
      return std::tuple<>{};
    else
      return std::tuple<std::remove_cvref_t<X>>(std::forward<X>(x));
  };
  auto kept = std::apply([&](auto&&... x) { return std::tuple_cat(keep(std::move(x))...); }, std::move(all));
  if constexpr (std::tuple_size_v<decltype(kept)> == 1)
    return std::move(std::get<0>(kept));
  else if constexpr (std::tuple_size_v<decltype(kept)> > 1)
    return kept;
}

/// Makes room for each result and hands its address to the executor.
template <class Executor, class... R>
void place_results(Executor& e, std::tuple<R...>& results) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (
        [&] {
          auto& r = std::get<I>(results);
          using type = std::remove_reference_t<decltype(r)>;
          if constexpr (std::is_arithmetic_v<type>) {
            e.bind_fetch(I, &r);
          } else if constexpr (!std::is_same_v<type, std::monostate>) {
            typename type::shape_type extents;
            for (std::size_t d = 0; d < extents.size(); ++d)
              extents[d] = static_cast<std::size_t>(e.fetch_extent(I, static_cast<int>(d)));
            r.resize(extents);
            e.bind_fetch(I, r.data());
          }
        }(),
        ...);
  }(std::make_integer_sequence<int, sizeof...(R)>{});
}

/// Checks what `set` stores in a variable: exactly its shape, or a flat range of as many elements.
inline void check_value(const char* variable, const tensor_type& type, const fed_array& got) {
  const auto refuse = [&](const std::string& what, std::int64_t expected, std::int64_t found) {
    throw error(std::string("set: variable \"") + variable + "\": " + what + ": expected " + std::to_string(expected) +
                ", got " + std::to_string(found));
  };
  std::int64_t elements = 1;
  for (int i = 0; i < type.rank; ++i) elements *= type.extents[i];
  if (got.axes < 0) {
    if (got.extents[0] != elements) refuse("number of elements", elements, got.extents[0]);
    return;
  }
  if (got.axes != type.rank) refuse("number of axes", type.rank, got.axes);
  for (int i = 0; i < type.rank; ++i) {
    const std::int64_t expected = type.extents[i], extent = got.extents[i];
    if (extent != expected) refuse("extent of axis " + std::to_string(i), expected, extent);
  }
}

/// The checks of a signature that need its plan.
template <class Roots, class Plan, hash_t... Fed>
constexpr void check_plan() {
  if constexpr (static_cast<bool>(Plan::failure)) {
    if constexpr (Plan::failure.op != nullptr && Plan::failure.unreached != 0)
      raise<there_is_no_gradient_through_this_op, in_op<op_of<Plan::failure.op->id>>,
            shown<defined<expression_key, Plan::failure.unreached>>>();
    else if constexpr (Plan::failure.op != nullptr)
      raise<there_is_no_gradient_through_this_op, in_op<op_of<Plan::failure.op->id>>>();
    else
      raise<gradient_does_not_reach_this_operand, shown<defined<expression_key, Plan::failure.unreached>>>();
  }
  constexpr hash_t unfed = [] {
    constexpr const auto& g = kept_graph<typename Plan::materialised>::value;
    constexpr int nodes = kept_graph<typename Plan::materialised>::size.nodes;
    for (int i = 0; i < nodes; ++i) {
      if (g.nodes[i].op != &info_of<placeholder_op>) continue;
      bool fed = false;
      ((fed = fed || Fed == g.nodes[i].content), ...);
      if (!fed) return g.nodes[i].content;
    }
    return hash_t{0};
  }();
  if constexpr (unfed != 0)
    raise<you_must_feed_a_value_for_this_placeholder, shown<defined<expression_key, unfed>>>();
  constexpr hash_t foreign = [] {
    for (int v = 0; v < Plan::size.variables; ++v)
      if (!Roots::contains(Plan::value.variables[v].content)) return Plan::value.variables[v].content;
    return hash_t{0};
  }();
  if constexpr (foreign != 0)
    raise<this_slot_is_not_in_the_graph_of_the_session, shown<defined<expression_key, foreign>>>();
}

}  // namespace detail

/// A plan that is bound to memory: calling it runs it. Neither throws nor allocates. It holds what it needs of the session,
/// so it stays valid after that is closed, and the arrays that were fed must stay where they are.
template <class Plan, class Backend, class Feeds, class Results>
class bound_step {
 public:
  /// The value that the call gives: a number, a reference to an array that the next call overwrites, or a tuple of them.
  ETCH_INLINE decltype(auto) operator()() noexcept(noexcept(std::declval<executor<Plan, Backend>&>().execute(0))) {
    std::uint64_t run = 0;
    if constexpr (detail::draws_random_numbers(Plan::value)) run = ++store_->runs;
    state_->executor.execute(run);
    return value();
  }
  /// What the last call gave.
  decltype(auto) value() const noexcept {
    return std::apply(
        [](const auto&... r) -> decltype(auto) {
          auto kept = std::tuple_cat(keep(r)...);
          if constexpr (std::tuple_size_v<decltype(kept)> == 1)
            return static_cast<std::tuple_element_t<0, decltype(kept)>>(std::get<0>(kept));
          else if constexpr (std::tuple_size_v<decltype(kept)> > 1)
            return kept;
        },
        state_->results);
  }

 private:
  template <class, class...>
  friend class basic_session;

  struct state {
    etch::executor<Plan, Backend> executor;
    Feeds feeds;
    Results results;
  };
  template <class R>
  static auto keep(const R& r) {
    if constexpr (std::is_same_v<R, std::monostate>)
      return std::tuple<>{};
    else if constexpr (std::is_arithmetic_v<R>)
      return std::tuple<R>(r);
    else
      return std::tuple<const R&>(r);
  }

  std::shared_ptr<variable_store<typename Backend::memory>> store_;
  std::unique_ptr<state> state_;
};

/// Runs expressions. Owns the variables that its roots are made of; two sessions share nothing.
/// `session s(loss, train)` takes the roots; their types are its template arguments.
template <class Backend, class... Roots>
class basic_session {
  using graph_type = detail::root_graph<Roots::hash...>;
  using memory = typename Backend::memory;
  using variables = variable_store<memory>;

 public:
  explicit basic_session(Roots...) : store_(std::make_shared<variables>()) {
    static_assert(sizeof...(Roots) > 0, "session: name at least one expression");
    detail::check_variables<graph_type>();
    for (int v = 0; v < graph_type::count.variables; ++v) {
      const record& r = *graph_type::value.variables[v];
      extent_table none;
      const tensor_type type = r.shape(none, r.type);
      typename variables::entry e;
      e.content = r.hash;
      e.name = r.slot->name;
      e.elements = 1;
      for (int i = 0; i < type.rank; ++i) e.elements *= type.extents[i];
      e.memory.reserve(e.elements * size_of_dtype(type.type) + 64);
      store_->entries.push_back(std::move(e));
    }
  }
  basic_session(const basic_session&) = delete;
  basic_session& operator=(const basic_session&) = delete;
  basic_session(basic_session&&) = default;

  /// Gives every variable its initial value; random ones follow from `seed`, which later draws of this session use too.
  void initialize(std::uint64_t seed = 0) {
    check_open();
    store_->seed = seed;
    store_->runs = 0;
    initialize_variables(std::make_integer_sequence<int, graph_type::count.variables>{});
  }

  /// `run(fetches..., slot = value...)`: the value of each fetch, in order. One fetch gives its value, several a tuple, what
  /// has no value (a training step) nothing. Throws `etch::error` where a feed's extents do not fit, a variable has no
  /// value yet, or the session is closed; the session stays usable.
  template <class... A>
  auto run(const A&... arguments) {
    using signature = detail::split<detail::type_list<>, detail::type_list<>, A...>;
    static_assert(signature::fetches::size > 0, "run: the fetch list is empty; name at least one expression to compute");
    if constexpr (signature::fetches::size > 0) {
      check_open();
      return run_signature(typename signature::fetches{}, typename signature::feeds{}, arguments...);
    }
  }

  /// Like `run`, but checks and plans once: the result is called as often as wanted, each time reading the arrays that
  /// were fed here where they lie then. Feeds must be arrays that live on; numbers are copied.
  template <class... A>
  auto bind(const A&... arguments) {
    using signature = detail::split<detail::type_list<>, detail::type_list<>, A...>;
    static_assert(signature::fetches::size > 0, "bind: the fetch list is empty; name at least one expression to compute");
    if constexpr (signature::fetches::size > 0) {
      check_open();
      return bind_signature(typename signature::fetches{}, typename signature::feeds{}, arguments...);
    }
  }

  /// The value of a variable.
  template <class Name, class T, class Shape, bool Trainable, hash_t Hash>
  auto get(variable_expr<Name, T, Shape, Trainable, Hash> v) const {
    check_open();
    check_in_graph<decltype(v)>();
    const typename variables::entry& e = store_->at(Hash);
    check_initialised(e);
    detail::result_type<decltype(v)> r{};
    if constexpr (Shape::rank == 0) {
      memory::read(&r, e.memory.data(), sizeof r);
    } else {
      extent_table none;
      const tensor_type type = Shape::value(none, dtype_of<T>);
      typename decltype(r)::shape_type extents;
      for (std::size_t d = 0; d < extents.size(); ++d) extents[d] = static_cast<std::size_t>(type.extents[d]);
      r.resize(extents);
      memory::read(r.data(), e.memory.data(), e.elements * static_cast<std::int64_t>(sizeof(T)));
    }
    return r;
  }
  /// Stores an array (or a number, for rank 0) of exactly the variable's shape.
  template <class Name, class T, class Shape, bool Trainable, hash_t Hash, class V>
  void set(variable_expr<Name, T, Shape, Trainable, Hash> v, const V& value) {
    check_open();
    check_in_graph<decltype(v)>();
    check_feed<decltype(v), V>();
    fed_value<T> fed;
    prepare_feed<T>(value, fed, Name::text);
    typename variables::entry& e = store_->at(Hash);
    extent_table none;
    const tensor_type type = Shape::value(none, dtype_of<T>);
    detail::check_value(Name::text, type, fed.array);
    memory::write(e.memory.data(), fed.array.data, e.elements * static_cast<std::int64_t>(sizeof(T)));
    e.initialised = true;
  }

  /// Frees the variables; later calls throw. Bound steps keep theirs.
  void close() {
    store_->closed = true;
    store_ = std::make_shared<variables>();
    store_->closed = true;
    pool_.clear();
  }

 private:
  template <class... E, class... B, class... A>
  auto run_signature(detail::type_list<E...>, detail::type_list<B...>, const A&... arguments) {
    using Plan = compiled<hash_list<E::hash...>, hash_list<B::slot::hash...>>;
    check_signature<Plan, B...>();
    std::tuple<fed_value<typename B::slot::value_type>...> feeds;
    fed_array arrays[sizeof...(B) + 1];
    prepare_feeds(feeds, arrays, arguments...);
    std::tuple<detail::result_type<E>...> results;
    std::unique_ptr<executor<Plan, Backend>> e = take<Plan>();
    e->bind_feeds(arrays);
    e->bind_variables(*store_);
    check_reads<Plan>();
    detail::place_results(*e, results);
    std::uint64_t run = 0;
    if constexpr (detail::draws_random_numbers(Plan::value)) run = ++store_->runs;
    e->execute(run);
    mark_written<Plan>();
    give_back(std::move(e));
    return detail::without_monostates(std::move(results));
  }

  template <class... E, class... B, class... A>
  auto bind_signature(detail::type_list<E...>, detail::type_list<B...>, const A&... arguments) {
    using Plan = compiled<hash_list<E::hash...>, hash_list<B::slot::hash...>>;
    check_signature<Plan, B...>();
    using bound = bound_step<Plan, Backend, std::tuple<fed_value<typename B::slot::value_type>...>,
                             std::tuple<detail::result_type<E>...>>;
    bound s;
    s.store_ = store_;
    s.state_ = std::make_unique<typename bound::state>();
    fed_array arrays[sizeof...(B) + 1];
    prepare_feeds(s.state_->feeds, arrays, arguments...);
    s.state_->executor.bind_feeds(arrays);
    s.state_->executor.bind_variables(*store_);
    check_reads<Plan>();
    detail::place_results(s.state_->executor, s.state_->results);
    mark_written<Plan>();
    return s;
  }

  template <class Plan, class... B>
  static constexpr void check_signature() {
    (check_feed<typename B::slot, typename B::value_type>(), ...);
    (check_in_graph<typename B::slot>(), ...);
    detail::check_plan<graph_type, Plan, B::slot::hash...>();
  }
  template <class Slot>
  static constexpr void check_in_graph() {
    if constexpr (!graph_type::contains(Slot::hash))
      raise<this_slot_is_not_in_the_graph_of_the_session, shown<Slot>>();
  }

  /// The bindings among the arguments, in order.
  template <class Feeds, class... A>
  static void prepare_feeds(Feeds& feeds, fed_array* arrays, const A&... arguments) {
    [[maybe_unused]] int f = 0;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (prepare_one<binding_index<A...>(I)>(feeds, arrays, arguments), ...);
    }(std::index_sequence_for<A...>{});
  }
  template <class... A>
  static constexpr int binding_index(std::size_t argument) {
    constexpr bool bindings[] = {detail::is_binding<A>..., false};
    int index = 0;
    for (std::size_t i = 0; i < argument; ++i) index += bindings[i] ? 1 : 0;
    return index;
  }
  template <int F, class Feeds, class A>
  static void prepare_one(Feeds& feeds, fed_array* arrays, const A& argument) {
    if constexpr (detail::is_binding<A>) {
      using slot = typename A::slot;
      auto& fed = std::get<F>(feeds);
      const slot_info* info = record_of<slot::hash>().slot;
      prepare_feed<typename slot::value_type>(argument.value, fed, info != nullptr ? info->name : "");
      arrays[F] = fed.array;
    }
  }

  template <class Plan>
  void check_reads() const {
    [&]<int... V>(std::integer_sequence<int, V...>) {
      (
          [&] {
            constexpr const port& p = Plan::value.variables[V];
            if constexpr (detail::reads(Plan::value, p.buffer)) check_initialised(store_->at(p.content));
          }(),
          ...);
    }(std::make_integer_sequence<int, Plan::size.variables>{});
  }
  template <class Plan>
  void mark_written() {
    [&]<int... V>(std::integer_sequence<int, V...>) {
      (
          [&] {
            constexpr const port& p = Plan::value.variables[V];
            if constexpr (detail::writes(Plan::value, p.buffer)) store_->at(p.content).initialised = true;
          }(),
          ...);
    }(std::make_integer_sequence<int, Plan::size.variables>{});
  }
  static void check_initialised(const typename variables::entry& e) {
    if (!e.initialised)
      throw error(std::string("run: variable \"") + e.name + "\" has no value; call initialize() or set() first");
  }
  void check_open() const {
    if (store_->closed) throw error("session: it is closed");
  }

  template <int... V>
  void initialize_variables(std::integer_sequence<int, V...>) {
    if constexpr (sizeof...(V) > 0) {
      using Plan = compiled<hash_list<graph_type::value.variables[V]->slot->initial->hash...>, hash_list<>>;
      detail::check_plan<graph_type, Plan>();
      executor<Plan, Backend> e;
      e.bind_feeds(nullptr);
      e.bind_variables(*store_);
      (e.keep_fetch(V, store_->at(graph_type::value.variables[V]->hash).memory.data()), ...);
      e.execute(0);
      for (typename variables::entry& entry : store_->entries) entry.initialised = true;
    }
  }

  /// Executors are kept per plan, so that a second run finds its memory ready; a concurrent run makes its own.
  template <class Plan>
  std::unique_ptr<executor<Plan, Backend>> take() {
    {
      const std::scoped_lock lock(*pool_mutex_);
      for (auto& [key, e] : pool_)
        if (key == &plan_key<Plan> && e != nullptr)
          return std::unique_ptr<executor<Plan, Backend>>(static_cast<executor<Plan, Backend>*>(e.release()));
    }
    return std::make_unique<executor<Plan, Backend>>();
  }
  template <class Plan>
  void give_back(std::unique_ptr<executor<Plan, Backend>> executor) {
    const std::scoped_lock lock(*pool_mutex_);
    for (auto& [key, e] : pool_)
      if (key == &plan_key<Plan> && e == nullptr) {
        e = std::move(executor);
        return;
      }
    pool_.emplace_back(&plan_key<Plan>, std::move(executor));
  }
  template <class Plan>
  static constexpr char plan_key = 0;

  std::shared_ptr<variables> store_;
  std::unique_ptr<std::mutex> pool_mutex_ = std::make_unique<std::mutex>();
  std::vector<std::pair<const void*, std::unique_ptr<executor_base>>> pool_;
};

}  // namespace etch
