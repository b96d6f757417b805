// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/memory.hpp>
#include <etch/graph/print.hpp>
#include <etch/session/feed.hpp>
#include <etch/session/sections.hpp>
#include <etch/session/storage.hpp>

/// One plan with memory to run in: addresses of what is fed, fetched and kept, the arena, the counts of named extents.
namespace etch {

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
/// Whether the plan needs what is in buffer b when it starts. Stores to variables are whole.
template <class FrozenPlan>
constexpr bool reads(const FrozenPlan& p, int b) {
  for (int i = 0; i < FrozenPlan::size.steps; ++i) {
    if (touches(p, p.steps[i], b, true)) return true;
    if (touches(p, p.steps[i], b, false)) return false;
  }
  return false;
}
template <class FrozenPlan>
constexpr bool writes(const FrozenPlan& p, int b) {
  for (int i = 0; i < FrozenPlan::size.steps; ++i)
    if (touches(p, p.steps[i], b, false)) return true;
  return false;
}

template <class FrozenPlan>
constexpr bool draws_random_numbers(const FrozenPlan& p) {
  for (int i = 0; i < FrozenPlan::size.steps; ++i)
    if (p.steps[i].kind == cluster_kind::opaque && p.steps[i].op->stateful) return true;
  return false;
}

inline std::string quoted(const slot_info* slot) {
  return slot != nullptr ? std::string("\"") + slot->name + "\"" : std::string("of an unnamed node");
}

}  // namespace detail

/// Base, so that a session can keep executors of many plans.
struct executor_base {
  virtual ~executor_base() = default;
};

template <class Plan, class Backend>
class executor : public executor_base {
 public:
  static constexpr int buffers = Plan::size.buffers;
  static constexpr bool is_static = Plan::value.extents.symbol_count() == 0;
  using memory = typename Backend::memory;

  /// Takes the arrays that are fed, in the order of the plan's feeds; binds named extents and checks all others.
  void bind_feeds(const fed_array* feeds) {
    bool bound[extent_table::max_symbols] = {};
    int binder[extent_table::max_symbols] = {};
    fed_array shaped[Plan::size.feeds + 1];
    std::int64_t values[extent_table::max_symbols] = {};
    for (int f = 0; f < Plan::size.feeds; ++f) {
      if (Plan::value.feeds[f].buffer < 0) continue;
      shaped[f] = shape_of(feeds[f], Plan::value.feeds[f]);
      const port& p = Plan::value.feeds[f];
      for (int i = 0; i < p.type.rank; ++i) {
        const int s = Plan::value.extents.symbol_index(p.type.extents[i]);
        if (s < 0 || bound[s]) continue;
        bound[s] = true;
        binder[s] = f;
        values[s] = shaped[f].extents[i];
      }
    }
    for (int s = 0; s < Plan::value.extents.symbol_count(); ++s)
      if (!bound[s])
        throw error(std::string("run: the named extent \"") + Plan::value.extents.symbol_at(s).name +
                    "\" is not bound by any feed");
    for (int f = 0; f < Plan::size.feeds; ++f) {
      const port& p = Plan::value.feeds[f];
      if (p.buffer < 0) continue;
      for (int i = 0; i < p.type.rank; ++i) {
        const std::int64_t expected = Plan::value.extents.evaluate(p.type.extents[i], values);
        if (shaped[f].extents[i] == expected) continue;
        const int s = Plan::value.extents.symbol_index(p.type.extents[i]);
        std::string text = "feed " + detail::quoted(p.slot) + ": axis " + std::to_string(i);
        if (s >= 0) text += std::string(" (\"") + Plan::value.extents.symbol_at(s).name + "\")";
        text += ": expected extent " + std::to_string(expected);
        if (s >= 0) text += ", which feed " + detail::quoted(Plan::value.feeds[binder[s]].slot) + " has given it";
        throw error(text + ", got " + std::to_string(shaped[f].extents[i]));
      }
    }
    if constexpr (!is_static) check_sections(values);
    lay_out_arena(values);
    for (int f = 0; f < Plan::size.feeds; ++f) {
      const port& p = Plan::value.feeds[f];
      // Plans only read what is fed; the table of addresses serves reading and writing alike.
      if (p.buffer >= 0) memory_.buffer[p.buffer] = fed_.place(f, const_cast<void*>(feeds[f].data), bytes_of(p));
    }
  }

  void bind_variables(variable_store<memory>& store) {
    for (int v = 0; v < Plan::size.variables; ++v) {
      const port& p = Plan::value.variables[v];
      memory_.buffer[p.buffer] = store.at(p.content).memory.data();
    }
    memory_.seed = store.seed;
  }
  /// Where the program wants a fetch to be.
  void bind_fetch(int fetch, void* data) {
    const port& p = Plan::value.fetches[fetch];
    memory_.buffer[p.buffer] = fetched_.place(fetch, data, bytes_of(p));
  }
  /// Where in the backend's memory a fetch is to stay.
  void keep_fetch(int fetch, char* data) { memory_.buffer[Plan::value.fetches[fetch].buffer] = data; }
  /// The count of axis `i` of a fetch.
  std::int64_t fetch_extent(int fetch, int i) const {
    return memory_.value(Plan::value.fetches[fetch].type.extents[i]);
  }

  ETCH_INLINE void execute(std::uint64_t run) noexcept(noexcept(Backend::template execute<Plan>(memory_))) {
    memory_.run = run;
    fed_.copy_in();
    Backend::template execute<Plan>(memory_);
    fetched_.copy_out();
  }

  std::int64_t workspace_bytes() const { return workspace_.bytes(); }

 private:
  fed_array shape_of(const fed_array& a, const port& p) const {
    fed_array r = a;
    if (a.axes >= 0) {
      if (a.axes != p.type.rank)
        throw error("feed " + detail::quoted(p.slot) + ": expected " + std::to_string(p.type.rank) + " axes, got " +
                    std::to_string(a.axes));
      return r;
    }
    // A flat range: the extents that are numbers are taken as given, the one that is not follows.
    std::int64_t known = 1;
    int open = -1;
    for (int i = 0; i < p.type.rank; ++i) {
      if (etch::is_static(p.type.extents[i])) {
        known *= p.type.extents[i];
      } else if (open < 0) {
        open = i;
      } else {
        throw error("feed " + detail::quoted(p.slot) +
                    ": a flat range cannot tell several named extents; feed an array of " +
                    std::to_string(p.type.rank) + " axes");
      }
    }
    const std::int64_t size = a.extents[0];
    if (open < 0 ? size != known : known == 0 || size % known != 0)
      throw error("feed " + detail::quoted(p.slot) + ": expected " + (open < 0 ? "" : "a multiple of ") +
                  std::to_string(known) + " elements, got " + std::to_string(size));
    r.axes = p.type.rank;
    for (int i = 0; i < p.type.rank; ++i) r.extents[i] = i == open ? size / known : p.type.extents[i];
    return r;
  }

  static void check_sections(const std::int64_t* values) {
    using reaches = detail::section_reaches<Plan>;
    for (int k = 0; k < reaches::count; ++k) {
      const detail::section_reach& r = reaches::value.at[k];
      const std::int64_t extent = Plan::value.extents.evaluate(r.extent, values);
      if (extent >= r.least) continue;
      std::string text = "slice: axis " + std::to_string(r.axis);
      const int s = Plan::value.extents.symbol_index(r.extent);
      if (s >= 0) text += std::string(" (\"") + Plan::value.extents.symbol_at(s).name + "\")";
      throw error(text + ": expected an extent of at least " + std::to_string(r.least) + ", got " +
                  std::to_string(extent));
    }
  }

  std::int64_t bytes_of(const port& p) const {
    std::int64_t bytes = size_of_dtype(p.type.type);
    for (int i = 0; i < p.type.rank; ++i) bytes *= memory_.value(p.type.extents[i]);
    return bytes;
  }

  void lay_out_arena(const std::int64_t* values) {
    bool same = laid_out_;
    for (int s = 0; s < Plan::value.extents.symbol_count(); ++s) same = same && values[s] == values_[s];
    if (same) return;
    for (int s = 0; s < Plan::value.extents.symbol_count(); ++s) values_[s] = values[s];
    for (int k = 0; k < Plan::value.extents.polynomial_count(); ++k)
      memory_.extent[k] = Plan::value.extents.evaluate(polynomial_reference(k), values);
    arena_layout<buffers> layout;
    if constexpr (is_static) {
      static constexpr arena_layout<buffers> known = etch::lay_out(Plan::value, nullptr);
      layout = known;
    } else {
      layout = etch::lay_out(Plan::value, values);
    }
    const std::int64_t scratch = Backend::template scratch_bytes<Plan>([&](extent_value e) { return memory_.value(e); });
    // Both are followed by the values of extents, where the backend cannot read the host's memory.
    const std::int64_t extents_at = (layout.bytes + scratch + 7) / 8 * 8;
    workspace_.reserve(extents_at + (memory::is_host ? 64 : 8 * buffers + 64));
    for (int b = 0; b < buffers; ++b) {
      if (Plan::value.buffers[b].kind == storage::arena) memory_.buffer[b] = workspace_.data() + layout.offset[b];
      if (Plan::value.buffers[b].kind == storage::extent) {
        memory_.buffer[b] = reinterpret_cast<char*>(&extent_scalars_[b]);
        write_extent(b);
        if constexpr (!memory::is_host) {
          memory_.buffer[b] = workspace_.data() + extents_at + 8 * b;
          memory::write(memory_.buffer[b], &extent_scalars_[b], 8);
        }
      }
    }
    memory_.scratch = workspace_.data() + layout.bytes;
    laid_out_ = true;
  }
  void write_extent(int b) {
    const std::int64_t n = memory_.value(Plan::value.buffers[b].elements);
    const auto write = [&](auto x) { std::memcpy(&extent_scalars_[b], &x, sizeof x); };
    switch (Plan::value.buffers[b].type) {
      case dtype::float32: write(static_cast<float>(n)); break;
      case dtype::float64: write(static_cast<double>(n)); break;
      case dtype::int32: write(static_cast<std::int32_t>(n)); break;
      case dtype::uint8: write(static_cast<std::uint8_t>(n)); break;
      case dtype::boolean: write(n != 0); break;
      default: write(n); break;
    }
  }

  run_memory<buffers> memory_;
  [[no_unique_address]] transfers<Plan::size.feeds, memory> fed_;
  [[no_unique_address]] transfers<Plan::size.fetches, memory> fetched_;
  std::int64_t values_[extent_table::max_symbols] = {};
  std::int64_t extent_scalars_[buffers + 1] = {};
  typename memory::block workspace_;
  bool laid_out_ = false;
};

}  // namespace etch
