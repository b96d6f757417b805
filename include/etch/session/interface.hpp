// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/memory_plan.hpp>
#include <etch/session/sections.hpp>

/// What binding memory to a plan needs to know of it: no kernels and no types, so that the code that reads it is compiled
/// once and not once per plan.
namespace etch {

/// How a plan uses a variable.
struct variable_traffic {
  bool read = false;     ///< it needs the value that is there when it starts
  bool written = false;
};

struct plan_interface {
  const extent_table* extents;
  const buffer* buffers;
  const port *feeds, *variables, *fetches;
  const variable_traffic* uses;  ///< of the variables
  const product_extents* products;
  const detail::section_reach* reaches;
  int buffer_count, feed_count, variable_count, fetch_count, product_count, reach_count;
  const std::int64_t* offsets;  ///< bytes in the arena, of each buffer, where all extents are numbers; else nullptr
  std::int64_t arena_bytes;     ///< likewise; else 0
  bool draws;                   ///< random numbers
};

namespace detail {

/// Whether a step loads from (or stores to) buffer b.
template <class FrozenPlan>
constexpr bool touches(const FrozenPlan& p, const step& s, int b, bool loads) {
  for (int k = 0; k < s.access_count; ++k) {
    if (p.accesses[s.first_access + k].buffer != b) continue;
    if (s.kind == cluster_kind::opaque) {
      if ((k > 0) == loads) return true;
      continue;
    }
    if (s.kind == cluster_kind::contraction && k < 2) {
      if (loads) return true;
      continue;
    }
    for (int w = 0; w < s.word_count; w += 2) {
      const instruction in = decode_instruction(p.program_words[s.first_word + w], 0);
      if (in.slot == k && in.code == (loads ? opcode::load : opcode::store)) return true;
    }
  }
  return false;
}
/// Stores to variables are whole: one that is stored first is not read.
template <class FrozenPlan>
constexpr variable_traffic use_of_buffer(const FrozenPlan& p, int b) {
  variable_traffic use;
  for (int i = 0; i < FrozenPlan::size.steps; ++i) {
    if (!use.written && touches(p, p.steps[i], b, true)) use.read = true;
    if (touches(p, p.steps[i], b, false)) use.written = true;
  }
  return use;
}

template <class Plan>
struct interface_tables {
  static constexpr const auto& plan = Plan::value;
  static constexpr int buffers = Plan::size.buffers;
  static constexpr bool is_static = plan.extents.symbol_count() == 0;

  struct tables {
    variable_traffic uses[Plan::size.variables + 1]{};
    product_extents products[Plan::size.steps + 1]{};
    int product_count = 0;
    std::int64_t offsets[is_static ? buffers + 1 : 1]{};
    std::int64_t arena_bytes = 0;
    bool draws = false;
  };
  static constexpr tables value = [] {
    tables t;
    for (int v = 0; v < Plan::size.variables; ++v) t.uses[v] = use_of_buffer(plan, plan.variables[v].buffer);
    for (int i = 0; i < Plan::size.steps; ++i) {
      const step& s = plan.steps[i];
      t.draws = t.draws || s.draws;
      if (s.kind == cluster_kind::contraction)
        t.products[t.product_count++] = {plan.accesses[s.first_access].type, s.extents[s.rank - 2],
                                         s.extents[s.rank - 1], s.inner};
    }
    if constexpr (is_static) {
      const arena_layout layout = lay_out(plan.buffers, buffers, plan.extents, nullptr);
      for (int b = 0; b < buffers; ++b) t.offsets[b] = layout.offset[b];
      t.arena_bytes = layout.bytes;
    }
    return t;
  }();
};

}  // namespace detail

template <class Plan>
inline constexpr plan_interface interface_of = [] {
  using tables = detail::interface_tables<Plan>;
  using reaches = detail::section_reaches<Plan>;
  constexpr const auto& p = Plan::value;
  constexpr const auto& t = tables::value;
  return plan_interface{&p.extents,
                        p.buffers,
                        p.feeds,
                        p.variables,
                        p.fetches,
                        t.uses,
                        t.products,
                        reaches::value.at,
                        Plan::size.buffers,
                        Plan::size.feeds,
                        Plan::size.variables,
                        Plan::size.fetches,
                        t.product_count,
                        reaches::count,
                        tables::is_static ? t.offsets : nullptr,
                        t.arena_bytes,
                        t.draws};
}();

}  // namespace etch
