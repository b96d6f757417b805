// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <utility>

#include <etch/base/flag_guard.hpp>
#include <etch/graph/reachable.hpp>
#include <etch/session/plan_memory.hpp>

/// What a session holds whatever its graph is: the values of variables, and memory for the plans that it has run. No types
/// of expressions, so that this is compiled once.
namespace etch {

/// The variables of a graph.
template <class RootGraph>
struct variables_of {
  struct table {
    variable_description at[RootGraph::size.variables + 1]{};
  };
  static constexpr table value = [] {
    table t;
    for (int v = 0; v < RootGraph::size.variables; ++v) {
      const record& r = *RootGraph::value.variables[v];
      extent_table none;
      const tensor_type type = r.shape(none, r.type);
      t.at[v] = {r.content, r.slot->name, type, 1, r.slot->trainable};
      for (int i = 0; i < type.rank; ++i) t.at[v].elements *= type.extents[i];
    }
    return t;
  }();
};

namespace detail {
/// What a run of a plan keeps for steps of the host, of which most plans have none; <etch/host/values.hpp> has the other.
template <bool OnHost>
class host_values {
 public:
  struct scope {
    explicit scope(host_values&) {}
  };
};
template <>
class host_values<true>;
}  // namespace detail

/// What all sessions can do, whatever their graph. See docs/threads.md for what may be called at the same time.
template <class Memory>
class session_state {
 public:
  session_state(const variable_description* variables, int count) : store_(variables, count) { store_->session = this; }
  explicit session_state(const shared_variables<Memory>& others) : store_(others) {}
  session_state(session_state&& other) noexcept : store_(std::move(other.store_)), pool_(std::move(other.pool_)) { follow(other); }
  session_state& operator=(session_state&& other) noexcept {
    if (this == &other) return *this;
    leave();
    store_ = std::move(other.store_);
    pool_ = std::move(other.pool_);
    follow(other);
    return *this;
  }
  ~session_state() { leave(); }

  variable_store<Memory>& store() const { return *store_; }
  const shared_variables<Memory>& shared_store() const { return store_; }

  void check_open() const {
    if (!store_) fail("session: it has been moved from");
    if (store_->closed) fail("session: it is closed");
  }
  /// Before variables change by other means than a run.
  void check_idle(const char* call) const {
    check_open();
    if (store_->active.load(std::memory_order_relaxed) != 0)
      fail("session: %s is called while a run is going on; runs must have ended", call);
  }
  void close() {
    if (!store_) fail("session: it has been moved from");
    check_idle_if_open("close");
    leave();
    store_ = shared_variables<Memory>(nullptr, 0);
    store_->closed = true;
    pool_ = {};
  }

  void set_executor(const step_sharing& sharing) {
    check_idle("set_executor");
    const std::uint64_t number = store_->sharing.number + 1;
    store_->sharing = sharing;
    store_->sharing.number = number;
    pool_ = {};
  }

  /// While it lives, a run is going on.
  struct activity {
    explicit activity(variable_store<Memory>& s) : store(s) { store.active.fetch_add(1, std::memory_order_relaxed); }
    activity(const activity&) = delete;
    activity& operator=(const activity&) = delete;
    ~activity() { store.active.fetch_sub(1, std::memory_order_relaxed); }
    variable_store<Memory>& store;
  };

  /// Binds all that a run needs but the places of its results.
  void prepare(const plan_interface& plan, plan_memory<Memory>& memory, const fed_array* feeds) {
    memory.bind_feeds(feeds);
    memory.bind_variables(*store_);
    for (int v = 0; v < plan.variable_count; ++v)
      if (plan.uses[v].read && !plan.variables[v].orders_host) store_->at(plan.variables[v].content).check_initialised();
  }
  /// The number of the next run, which random draws depend on.
  std::uint64_t next_run(const plan_interface& plan) { return plan.draws ? store_->next_run() : 0; }

  /// Memory is kept per plan, so that a second run finds it ready; a concurrent run finds none and makes its own. What other threads have
  /// used is let go of: there may be no such threads any more.
  owner<plan_memory<Memory>> take(const plan_interface& plan, const step_services& services) {
    {
      const flag_guard lock(store_->pool_in_use);
      for (owner<plan_memory<Memory>>* m = &pool_; *m;) {
        const bool has_threads = (*m)->sharing().number == services.sharing.number;
        if (has_threads && (*m)->key != &plan) {
          m = &(*m)->next;
          continue;
        }
        owner<plan_memory<Memory>> taken = std::move(*m);
        *m = std::move(taken->next);
        if (has_threads) return taken;
      }
    }
    return make(plan, services);
  }
  void give_back(const plan_interface& plan, owner<plan_memory<Memory>> used) {
    const flag_guard lock(store_->pool_in_use);
    used->key = &plan;
    used->next = std::move(pool_);
    pool_ = std::move(used);
  }

 private:
  /// Cold: a run finds one. So functions are optimised for size that only the first run needs, which takes g++ less time. Only where a virtual
  /// call or a branch leads to them: a function that is certain to call what is cold is cold itself to g++, and so are those that call it, a
  /// program's own loops with them (`bench/compile/own_loop.cpp`).
  [[gnu::cold]] ETCH_NOINLINE static owner<plan_memory<Memory>> make(const plan_interface& plan, const step_services& services) {
    return owner<plan_memory<Memory>>(new plan_memory<Memory>(plan, services));
  }
  void check_idle_if_open(const char* call) const {
    if (!store_->closed) check_idle(call);
  }
  /// What knows the session by its variables finds it where it is.
  void follow(const session_state& other) {
    if (store_ && store_->session == &other) store_->session = this;
  }
  void leave() {
    if (store_ && store_->session == this) store_->session = nullptr;
  }

  shared_variables<Memory> store_;
  owner<plan_memory<Memory>> pool_;  ///< a list
};

/// Marks what a plan writes as initialised, once it has run.
template <class Memory>
void mark_written(const plan_interface& plan, variable_store<Memory>& store) {
  for (int v = 0; v < plan.variable_count; ++v)
    if (plan.uses[v].written && !plan.variables[v].orders_host) store.at(plan.variables[v].content).mark_initialised();
}

}  // namespace etch
