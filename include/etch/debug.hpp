// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <etch/debug/bound_values.hpp>
#include <etch/debug/kernels.hpp>
#include <etch/graph/names.hpp>
#include <etch/graph/print.hpp>
#include <etch/session.hpp>

/// Runs in which a function of the program sees the value of every node: the graph as it is written, with its gradients, before any pass
/// and without fusion, by an interpreter.
namespace etch {

/// A node whose value has just been computed.
class probed_node {
 public:
  probed_node(const named_graph& g, int node, const debug::value& v) : g_(g), node_(node), value_(v) {}

  /// As `to_text` calls it: each node has another one.
  const std::string& name() const { return g_.names[static_cast<std::size_t>(node_)]; }
  const char* op() const { return g_.value[node_].op->name; }
  /// `file:line` where the program names it; empty where that is not known (docs/names.md).
  const std::string& place() const { return g_.places[static_cast<std::size_t>(node_)]; }
  std::vector<std::string> operands() const {
    std::vector<std::string> names;
    for (int k = 0; k < g_.value[node_].count; ++k) names.push_back(g_.names[static_cast<std::size_t>(g_.value.operand(node_, k))]);
    return names;
  }
  /// The first node behind it that has a place, itself perhaps, as `"loss" (model.cpp:12)`; empty where none has one.
  std::string where() const {
    std::vector<char> is_made_of(g_.names.size());
    for (int n = node_; n < g_.value.size(); ++n) {
      const auto at = static_cast<std::size_t>(n);
      is_made_of[at] = n == node_ ? 1 : 0;
      for (int k = 0; k < g_.value[n].count; ++k)
        if (is_made_of[static_cast<std::size_t>(g_.value.operand(n, k))] != 0) is_made_of[at] = 1;
      if (is_made_of[at] != 0 && !g_.places[at].empty()) return "\"" + g_.names[at] + "\" (" + g_.places[at] + ")";
    }
    return "";
  }

  dtype type() const { return value_.type; }
  /// Extents, outermost first.
  std::span<const std::int64_t> shape() const { return {value_.extents, static_cast<std::size_t>(value_.rank)}; }
  /// The elements in row-major order, which live as long as the call. Throws `etch::error` where they are no T.
  template <class T>
  std::span<const T> values() const {
    if (dtype_of<T> != type())
      fail("probe: the elements of \"%s\" are %s, not %s", name().c_str(), name_of_dtype(type()), name_of_dtype(dtype_of<T>));
    return {value_.data<T>(), static_cast<std::size_t>(value_.count())};
  }
  /// Dtype and counts: `float32[2, 3]`.
  std::string type_text() const {
    tensor_type t;
    t.type = value_.type;
    t.rank = value_.rank;
    for (int d = 0; d < t.rank; ++d) t.extents[d] = value_.extents[d];
    return to_string(extent_table{}, t);
  }

 private:
  const named_graph& g_;
  int node_;
  const debug::value& value_;
};

/// A probe that throws `etch::error` at the first node with an element that is not a number, or infinite (not by `infinities = false`):
/// its name, op, type, the element, the names of its operands, and where the program names it or what it is needed for. Constants, which
/// the program has written, are let pass.
struct trap_nan {
  bool infinities = true;

  void operator()(const probed_node& n) const {
    if (n.type() == dtype::float32) check<float>(n);
    if (n.type() == dtype::float64) check<double>(n);
    if (n.type() == dtype::bfloat16) check<bfloat16>(n);
  }

 private:
  template <class T>
  void check(const probed_node& n) const {
    const std::span<const T> values = n.values<T>();
    std::size_t i = 0;
    while (i < values.size() && !(std::isnan(values[i]) || (infinities && std::isinf(values[i])))) ++i;
    if (i == values.size() || n.op() == std::string("constant")) return;
    std::string operands;
    for (const std::string& name : n.operands()) operands += (operands.empty() ? "\"" : ", \"") + name + "\"";
    const std::string within = n.where();
    fail("trap_nan: element %zu of \"%s\" is %s: %s %s%s%s%s%s", i, n.name().c_str(),
         std::isnan(values[i]) ? "nan" : (values[i] < 0 ? "-inf" : "inf"), n.op(), n.type_text().c_str(),
         operands.empty() ? "" : " of ", operands.c_str(), within.empty() ? "" : ", in ", within.c_str());
  }
};

namespace detail {

/// Not an expression, which refuses to be called.
template <class P>
concept is_probe = !expression<std::remove_cvref_t<P>> && std::is_invocable_v<P&, const probed_node&>;

template <class Graph, class Probe>
struct named_probe {
  const named_graph& names;
  Probe& probe;

  void operator()(int node, const debug::value& v) const {
    const etch::node& n = names.value[node];
    if (v.type == dtype::none || (n.slot != nullptr && n.slot->orders_host)) return;
    probe(probed_node(names, node, v));
  }
};

/// A copy of what a variable of the session is.
inline debug::value value_of_variable(const variable_store<host_memory>::entry& e) {
  debug::value v;
  v.type = e.what.type.type;
  v.rank = e.what.type.rank;
  for (int d = 0; d < v.rank; ++d) v.extents[d] = e.what.type.extents[d];
  v.allocate();
  host_memory::read(v.bytes.data(), e.memory.data(), e.what.bytes());
  return v;
}

/// Whether a node makes values of the host, or calls it.
template <class Graph>
inline constexpr bool runs_on_host = [] {
  for (int n = 0; n < Graph::size.nodes; ++n)
    if (Graph::value.nodes[n].op->on_host) return true;
  return false;
}();

/// Throws what a run of the plan would, in its words: the interpreter's are of the graph as it is written. Of the plan it needs
/// tables, and none of its kernels.
template <class Plan>
void check_feeds(const fed_array* arrays) {
  static constexpr plan_interface tables = [] {
    plan_interface t{};
    if constexpr (Plan::facts.extents.symbol_count() > 0)
      t.extents = &table_of_extents<Plan>;
    else
      t.extents = &no_named_extents;
    t.buffers = Plan::value.buffers;
    t.feeds = Plan::value.feeds;
    t.reaches = section_reaches<Plan>::value.at;
    t.buffer_count = Plan::size.buffers;
    t.feed_count = Plan::size.feeds;
    t.reach_count = section_reaches<Plan>::count;
    return t;
  }();
  std::vector<fed_array> shaped(Plan::size.feeds + 1);
  std::int64_t values[extent_table::max_symbols] = {};
  feed_check(tables, shaped.data()).bind_extents(arrays, values);
}

/// The number of a run that draws; 0 of one that does not. It is given back where the run throws, unless another one has begun since.
class run_number {
 public:
  run_number(variable_store<host_memory>& store, bool draws) : store_(store), number_(draws ? store.next_run() : 0) {}
  run_number(const run_number&) = delete;
  run_number& operator=(const run_number&) = delete;
  ~run_number() {
    std::uint64_t last = number_;
    if (number_ > 0 && !is_kept_) store_.runs.compare_exchange_strong(last, number_ - 1, std::memory_order_relaxed);
  }
  std::uint64_t value() const { return number_; }
  void keep() { is_kept_ = true; }

 private:
  variable_store<host_memory>& store_;
  std::uint64_t number_;
  bool is_kept_ = false;
};

template <class Roots, class Signature, class Probe, class... E, class... B, class... A>
auto debug_signature(session_state<host_memory>& state, Probe& probe, type_list<E...>, type_list<B...>, const A&... arguments) {
  constexpr hash_t fetches = list_of<E::hash...>, fed = list_of<B::slot::hash...>;
  using Plan = compiled<cpu::target, fetches, fed>;
  using graph_type = kept_graph<typename Plan::expanded>;
  check_signature<Roots, Plan, B...>();
  const named_graph names = name_nodes(graph_type::value.thaw(), Plan::fetches::records, Plan::fetches::size);
  const session_state<host_memory>::activity going_on(state.store());

  plain_tuple<fed_value<typename B::slot::value_type>...> feeds;
  fed_array arrays[sizeof...(B) + 1];
  prepare_feeds<false>(feeds, arrays, arguments...);
  check_feeds<Plan>(arrays);
  std::vector<debug::input> inputs = debug::detail::inputs_of(type_list<B...>{}, arrays);
  bool draws = false;
  for (int n = 0; n < graph_type::size.nodes; ++n) {
    const node& d = graph_type::value.nodes[n];
    draws = draws || (d.op->stateful && d.op->kind == op_kind::source);
    if (d.op->role != op_role::variable || d.slot->orders_host) continue;
    const auto* const entry = state.store().find(d.content);
    if (entry == nullptr) fail("run: the session has no variable \"%s\"; make it of what reads that", d.slot->name);
    // What is only assigned is no operand of any node.
    bool is_read = false;
    for (int k = 0; k < graph_type::size.operands; ++k) is_read = is_read || graph_type::value.operands[k] == n;
    for (int f = 0; f < graph_type::size.fetches; ++f) is_read = is_read || graph_type::value.fetches[f] == n;
    if (is_read) entry->check_initialised();
    inputs.push_back({d.content, value_of_variable(*entry)});
  }
  host_values<runs_on_host<graph_type>> host;
  [[maybe_unused]] const typename host_values<runs_on_host<graph_type>>::scope host_scope(host);
  named_probe<graph_type, Probe> named{names, probe};
  const auto look = [](void* context, int n, const debug::value& v) {
    (*static_cast<named_probe<graph_type, Probe>*>(context))(n, v);
  };
  run_number number(state.store(), draws);
  debug::evaluation e(debug::view_of<graph_type, debug::kernels>, {state.store().seed, number.value()}, {&named, look});
  e.run(inputs);
  number.keep();

  for (int a = 0; a < graph_type::size.assignments; ++a) {
    auto* const entry = state.store().find(graph_type::value.nodes[graph_type::value.assignments[a].variable].content);
    if (entry == nullptr) continue;
    host_memory::write(entry->memory.data(), e.assigned(a).bytes.data(), entry->what.bytes());
    entry->mark_initialised();
  }
  typename Signature::template results<result_type<E>...> results;
  if constexpr (!are_plain<A...>) {
    Signature::check();
    Signature::hold(results, arguments...);
  }
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (debug::detail::copy_result(e.fetch(static_cast<int>(I)), member<I>(results)), ...);
  }(std::index_sequence_for<E...>{});
  return values_of(results);
}

}  // namespace detail

/// What `session.run(arguments...)` does and gives, up to rounding, with `probe(const probed_node&)` called for each node that it computes,
/// operands first, in a loop once a step: `debug_run(session, trap_nan{}, loss, train, x = values)`. Slow. Subnormal numbers are
/// kept. What probe throws ends the run, and then no variable has changed, and a run that is repeated draws the same numbers. Throws
/// what `run` throws; of feeds that do not fit before anything is computed.
template <class... Roots, detail::is_probe Probe, class... A>
auto debug_run(session<Roots...>& session, Probe&& probe, A&&... arguments) {
  using signature = detail::signature_of<A...>;
  if constexpr (detail::check_arguments<"debug_run", A...>()) {
    auto& state = detail::session_access::state(session);
    state.check_open();
    return detail::debug_signature<typename detail::session_access::graph_of<etch::session<Roots...>>, signature>(
        state, probe, typename signature::fetches{}, typename signature::feeds{}, arguments...);
  }
}
template <class... A>
auto debug_run(const A&...) {
  return detail::refuse_run<this_call_has_the_wrong_arguments, "debug_run", "debug_run(session, trap_nan{}, y)", A...>();
}

}  // namespace etch
