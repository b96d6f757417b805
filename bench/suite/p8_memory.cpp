// SPDX-License-Identifier: MIT
// P8: the memory of training steps: the planned arena, the most that is live at once, all intermediate values; and how often the heap is
// called once a step is bound.
#include <algorithm>
#include <cstdlib>
#include <new>

#include "networks.hpp"

using namespace bench::suite;

namespace {

long heap_calls = 0;

void* counted(void* p) {
  ++heap_calls;
  if (p == nullptr) std::abort();
  return p;
}
void* aligned(std::size_t n, std::align_val_t a) {
  const auto alignment = static_cast<std::size_t>(a);
  return counted(std::aligned_alloc(alignment, (n + alignment - 1) / alignment * alignment));
}

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t n) { return counted(std::malloc(n == 0 ? 1 : n)); }
[[gnu::noinline]] void* operator new(std::size_t n, std::align_val_t a) { return aligned(n, a); }
[[gnu::noinline]] void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept { return aligned(n, a); }
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace {

/// The most bytes of the arena that are live at one step, in the plan's order: no arena can be smaller. A buffer that takes over another's
/// memory in place counts as that one, which is live from the first to the last of them.
template <class Plan>
std::int64_t largest_live_set() {
  constexpr const auto& plan = Plan::value;
  std::int64_t most = 0;
  for (int step = 0; step < Plan::size.steps; ++step) {
    std::int64_t live = 0;
    for (int b = 0; b < Plan::size.buffers; ++b) {
      if (plan.buffers[b].kind != etch::storage::arena || plan.buffers[b].shares >= 0) continue;
      int last = plan.buffers[b].last;
      for (int c = 0; c < Plan::size.buffers; ++c) {
        int owner = c;
        while (plan.buffers[owner].shares >= 0) owner = plan.buffers[owner].shares;
        if (owner == b) last = std::max(last, plan.buffers[c].last);
      }
      if (plan.buffers[b].first <= step && step <= last) live += plan.buffers[b].bytes(plan.buffers[b].elements);
    }
    most = std::max(most, live);
  }
  return most;
}

template <class Network>
void add(worker& w) {
  w.add_figures("P8 " + Network::name(), "etch", [] {
    constexpr auto plan = training<Network>::plan;
    static_assert(plan.is_static);
    training<Network> t;
    t.step();
    const long before = heap_calls;
    for (int i = 0; i < 10; ++i) t.step();
    return figures{{"step", static_cast<double>(plan.workspace_bytes)},
                   {"arena", static_cast<double>(plan.arena_bytes)},
                   {"lower bound", static_cast<double>(largest_live_set<typename decltype(plan)::plan_type>())},
                   {"intermediates", static_cast<double>(plan.intermediate_bytes)},
                   {"heap calls", static_cast<double>(heap_calls - before)}};
  });
}

}  // namespace

int main() {
  worker w;
  add<dense_network<50, false>>(w);
  add<dense_network<1024, false>>(w);
  add<dense_network<1024, true>>(w);
  add<convolutional_network>(w);
  return w.serve();
}
