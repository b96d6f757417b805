// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/memory.hpp>
#include <etch/base/owner.hpp>
#include <etch/session/feed.hpp>
#include <etch/session/interface.hpp>
#include <etch/session/storage.hpp>

/// Memory for the runs of one plan: addresses of what is fed, fetched and kept, the arena, the counts of named extents, and what
/// each step is called with.
namespace etch {

/// Memory: the backend's (see host_memory). A session keeps one for each plan that it has run, and
/// another for each concurrent run.
template <class Memory>
class plan_memory {
 public:
  /// Bytes of scratch memory that the backend's kernels need for a product.
  using scratch_function = std::int64_t (*)(dtype, std::int64_t rows, std::int64_t columns, std::int64_t inner);

  plan_memory(const plan_interface& plan, scratch_function scratch_bytes)
      : plan_(plan), scratch_bytes_(scratch_bytes), buffers_(plan.buffer_count + 1), fed_(plan.feed_count),
        fetched_(plan.fetch_count), shaped_(plan.feed_count) {}
  plan_memory(const plan_memory&) = delete;
  plan_memory& operator=(const plan_memory&) = delete;

  /// Links of a session's pool.
  const void* key = nullptr;
  owner<plan_memory> next;

  /// Takes the arrays that are fed, in the order of the plan's feeds; binds named extents and checks all others. Throws
  /// etch::error that says which feed, axis, expected and got.
  void bind_feeds(const fed_array* feeds) {
    std::int64_t values[extent_table::max_symbols] = {};
    bind_extents(feeds, values);
    check_sizes(values);
    check_sections(values);
    lay_out_arena(values);
    for (int f = 0; f < plan_.feed_count; ++f) {
      const port& p = plan_.feeds[f];
      // Plans only read what is fed; the table of addresses serves reading and writing alike.
      if (p.buffer >= 0) buffers_[p.buffer] = fed_.place(f, const_cast<void*>(feeds[f].data), bytes_of(p));
    }
  }
  void bind_variables(variable_store<Memory>& store) {
    for (int v = 0; v < plan_.variable_count; ++v)
      buffers_[plan_.variables[v].buffer] = store.at(plan_.variables[v].content).memory.data();
    run_.seed = store.seed;
  }
  /// Where the program wants a fetch to be.
  void bind_fetch(int fetch, void* data) {
    const port& p = plan_.fetches[fetch];
    buffers_[p.buffer] = fetched_.place(fetch, data, bytes_of(p));
  }
  /// Where in the backend's memory a fetch is to stay.
  void keep_fetch(int fetch, char* data) { buffers_[plan_.fetches[fetch].buffer] = data; }
  /// The count of axis `i` of a fetch.
  std::int64_t fetch_extent(int fetch, int i) const { return run_.value(plan_.fetches[fetch].type.extents[i]); }

  /// Makes the steps ready, once all is bound.
  void make_ready() {
    if (plan_.kernels == nullptr) return;
    const step_tables& t = plan_.tables;
    if (calls_.size() != t.step_count) {
      std::int64_t bytes = 0;
      for (int i = 0; i < t.step_count; ++i) bytes += frame_bytes(t.steps[i]);
      frames_.reserve(bytes);
      calls_.resize(t.step_count);
      bytes = 0;
      for (int i = 0; i < t.step_count; ++i) {
        calls_[i] = {plan_.kernels[t.steps[i].kernel], {frames_.data() + bytes}};
        bytes += frame_bytes(t.steps[i]);
      }
    }
    for (int i = 0; i < t.step_count; ++i) fill_frame(t, t.steps[i], run_, buffers_.data(), const_cast<char*>(calls_[i].with.at));
  }

  /// Notes where the steps' frames have addresses of what is fed, so that `point_feeds` need not look for them.
  void note_fed_places() {
    if (plan_.kernels == nullptr) return;
    const step_tables& t = plan_.tables;
    fed_places_.clear();
    for (int i = 0; i < t.step_count; ++i)
      for (int k = 0; k < t.steps[i].access_count; ++k) {
        const access& a = t.accesses[t.steps[i].first_access + k];
        if (a.buffer < 0 || plan_.buffers[a.buffer].kind != storage::feed) continue;
        char* const frame = const_cast<char*>(calls_[i].with.at);
        fed_places_.push_back({frame + place_of_address(t.steps[i], k), a.buffer, run_.value(a.offset) * size_of_dtype(a.type)});
      }
  }
  /// Each feed is read from another array of the same shape from now on. Throws `etch::error`, before anything is changed, where the
  /// address of one that has elements is null.
  void point_feeds(const void* const* arrays) {
    for (int f = 0; f < plan_.feed_count; ++f) check_address(f, arrays[f]);
    for (int f = 0; f < plan_.feed_count; ++f)
      if (plan_.feeds[f].buffer >= 0) point_feed(f, plan_.feeds[f].buffer, arrays[f]);
    for (int i = 0, count = fed_places_.size(); i < count; ++i)
      detail::put(fed_places_[i].at, buffers_[fed_places_[i].buffer] + fed_places_[i].offset);
  }
  ETCH_INLINE void check_address(int feed, const void* array) const {
    if (array == nullptr) [[unlikely]]
      check_empty(feed);
  }
  /// All that is needed for a plan that is run in place.
  ETCH_INLINE void point_feed(int feed, int buffer, const void* array) {
    buffers_[buffer] = fed_.move(feed, const_cast<void*>(array));
  }

  /// Runs every step, in order. `run`: its number, which random draws depend on.
  void execute(std::uint64_t run) {
    run_.run = run;
    if constexpr (!Memory::is_host) fed_.copy_in();
    if (plan_.run_in_place != nullptr)
      plan_.run_in_place(buffers_.data());
    else
      for (int i = 0, count = calls_.size(); i < count; ++i) calls_[i].function(calls_[i].with, run_);
    if constexpr (!Memory::is_host) fetched_.copy_out();
  }
  char* const* buffers() const { return buffers_.data(); }

 private:
  static const char* name_of(const port& p) { return p.name != nullptr ? p.name : "(a node)"; }

  void bind_extents(const fed_array* feeds, std::int64_t* values) {
    const extent_table& extents = *plan_.extents;
    int binder[extent_table::max_symbols];
    for (int& b : binder) b = -1;
    for (int f = 0; f < plan_.feed_count; ++f) {
      const port& p = plan_.feeds[f];
      if (p.buffer < 0) continue;
      shaped_[f] = shape_of(feeds[f], p);
      for (int i = 0; i < p.type.rank; ++i) {
        const int s = extents.symbol_index(p.type.extents[i]);
        if (s < 0 || binder[s] >= 0) continue;
        binder[s] = f;
        values[s] = shaped_[f].extents[i];
      }
    }
    for (int s = 0; s < extents.symbol_count(); ++s)
      if (binder[s] < 0) fail("run: the named extent \"%s\" is not bound by any feed", extents.symbol_at(s).name);
    for (int f = 0; f < plan_.feed_count; ++f) {
      const port& p = plan_.feeds[f];
      if (p.buffer < 0) continue;
      for (int i = 0; i < p.type.rank; ++i) {
        const std::int64_t expected = extents.evaluate(p.type.extents[i], values);
        if (shaped_[f].extents[i] == expected) continue;
        const int s = extents.symbol_index(p.type.extents[i]);
        const auto e = static_cast<long long>(expected), got = static_cast<long long>(shaped_[f].extents[i]);
        if (s < 0) fail("feed \"%s\": axis %d: expected extent %lld, got %lld", name_of(p), i, e, got);
        fail("feed \"%s\": axis %d (\"%s\"): expected extent %lld, which feed \"%s\" has given it, got %lld", name_of(p), i,
             extents.symbol_at(s).name, e, name_of(plan_.feeds[binder[s]]), got);
      }
    }
  }

  /// The shape of what is fed; a flat range takes the extents that are numbers as given, and the one that is not follows.
  static fed_array shape_of(const fed_array& a, const port& p) {
    if (a.axes >= 0) {
      if (a.axes != p.type.rank) fail("feed \"%s\": expected %d axes, got %d", name_of(p), p.type.rank, a.axes);
      return a;
    }
    std::int64_t known = 1;
    int open = -1;
    for (int i = 0; i < p.type.rank; ++i) {
      if (is_static(p.type.extents[i])) {
        known *= p.type.extents[i];
      } else if (open < 0) {
        open = i;
      } else {
        fail("feed \"%s\": a flat range cannot tell several named extents; feed an array of %d axes", name_of(p), p.type.rank);
      }
    }
    const std::int64_t size = a.extents[0];
    if (open < 0 ? size != known : known == 0 || size % known != 0)
      fail("feed \"%s\": expected %s%lld elements, got %lld", name_of(p), open < 0 ? "" : "a multiple of ",
           static_cast<long long>(known), static_cast<long long>(size));
    fed_array r = a;
    r.axes = p.type.rank;
    for (int i = 0; i < p.type.rank; ++i) r.extents[i] = i == open ? size / known : p.type.extents[i];
    return r;
  }

  /// What does not fit into any memory is refused before sizes are computed with it.
  void check_sizes(const std::int64_t* values) const {
    const int b = find_too_large(plan_.buffers, plan_.buffer_count, *plan_.extents, values);
    if (b < 0) return;
    const buffer& large = plan_.buffers[b];
    const double bytes = plan_.extents->estimate(large.elements, values) * size_of_dtype(large.type);
    // The feed with the largest extent is the one to look at.
    int feed = 0, axis = 0;
    for (int f = 0; f < plan_.feed_count; ++f)
      for (int i = 0; i < plan_.feeds[f].type.rank; ++i)
        if (shaped_[f].extents[i] > shaped_[feed].extents[axis]) {
          feed = f;
          axis = i;
        }
    if (plan_.feed_count == 0) fail("run: a value would need %.3g bytes", bytes);
    fail("feed \"%s\": with extent %lld of axis %d a value of the run would need %.3g bytes", name_of(plan_.feeds[feed]),
         static_cast<long long>(shaped_[feed].extents[axis]), axis, bytes);
  }

  void check_sections(const std::int64_t* values) const {
    for (int k = 0; k < plan_.reach_count; ++k) {
      const detail::section_reach& r = plan_.reaches[k];
      const std::int64_t extent = plan_.extents->evaluate(r.extent, values);
      if (extent >= r.least) continue;
      const int name = plan_.extents->symbol_index(r.extent);
      const auto least = static_cast<long long>(r.least), got = static_cast<long long>(extent);
      if (name < 0) fail("slice: axis %d: expected an extent of at least %lld, got %lld", r.axis, least, got);
      fail("slice: axis %d (\"%s\"): expected an extent of at least %lld, got %lld", r.axis, plan_.extents->symbol_at(name).name,
           least, got);
    }
  }

  std::int64_t bytes_of(const port& p) const {
    std::int64_t bytes = size_of_dtype(p.type.type);
    for (int i = 0; i < p.type.rank; ++i) bytes *= run_.value(p.type.extents[i]);
    return bytes;
  }

  /// Arena, scratch memory, values of extents that kernels read.
  void lay_out_arena(const std::int64_t* values) {
    const extent_table& extents = *plan_.extents;
    bool same = laid_out_;
    for (int s = 0; s < extents.symbol_count(); ++s) same = same && values[s] == values_[s];
    if (same) return;
    for (int s = 0; s < extents.symbol_count(); ++s) values_[s] = values[s];
    for (int k = 0; k < extents.polynomial_count(); ++k) run_.extent[k] = extents.evaluate(polynomial_reference(k), values);
    arena_layout layout;
    layout = lay_out(plan_.buffers, plan_.buffer_count, extents, values);
    const std::int64_t scratch = scratch_for_products();
    const std::int64_t extents_at = (layout.bytes + scratch + 7) / 8 * 8;
    workspace_.reserve(extents_at + 8 * plan_.buffer_count + 64);
    for (int b = 0; b < plan_.buffer_count; ++b) {
      if (plan_.buffers[b].kind == storage::arena) buffers_[b] = workspace_.data() + layout.offset[b];
      if (plan_.buffers[b].kind == storage::extent) {
        buffers_[b] = workspace_.data() + extents_at + 8 * b;
        write_extent(plan_.buffers[b], buffers_[b]);
      }
    }
    run_.scratch = workspace_.data() + layout.bytes;
    laid_out_ = true;
  }
  std::int64_t scratch_for_products() const {
    std::int64_t most = 0;
    const step_tables& t = plan_.tables;
    for (int i = 0; i < t.step_count; ++i) {
      const plan_step& s = t.steps[i];
      if (s.kind != cluster_kind::contraction) continue;
      const extent_value* const last = t.extents_pool + s.first_extent + s.rank - 1;
      const std::int64_t bytes =
          scratch_bytes_(t.accesses[s.first_access].type, run_.value(last[-1]), run_.value(last[0]), run_.value(s.inner));
      if (bytes > most) most = bytes;
    }
    return most;
  }
  void write_extent(const buffer& b, char* to) const {
    const std::int64_t n = run_.value(b.elements);
    const auto write = [&](auto x) { Memory::write(to, &x, sizeof x); };
    switch (b.type) {
      case dtype::float32: write(static_cast<float>(n)); break;
      case dtype::float64: write(static_cast<double>(n)); break;
      case dtype::int32:
      case dtype::uint32: write(static_cast<std::uint32_t>(n)); break;
      case dtype::int16:
      case dtype::uint16: write(static_cast<std::uint16_t>(n)); break;
      case dtype::int8:
      case dtype::uint8: write(static_cast<std::uint8_t>(n)); break;
      case dtype::boolean: write(n != 0); break;
      default: write(n); break;
    }
  }

  void check_empty(int feed) const {
    const port& p = plan_.feeds[feed];
    if (p.buffer >= 0 && bytes_of(p) > 0) fail("step: the pointer for feed \"%s\" is null", name_of(p));
  }

  /// An address in a frame: where the array in that buffer lies, and so many bytes more.
  struct fed_place {
    char* at = nullptr;
    int buffer = 0;
    std::int64_t offset = 0;
  };
  struct call {
    kernel_function function = nullptr;
    frame with{};
  };

  const plan_interface& plan_;
  scratch_function scratch_bytes_;
  run_values run_;
  vector<char*> buffers_;
  vector<call> calls_;
  vector<fed_place> fed_places_;
  typename host_memory::block frames_;
  transfers<Memory> fed_, fetched_;
  vector<fed_array> shaped_;  ///< what is fed, with the shapes of flat ranges
  std::int64_t values_[extent_table::max_symbols] = {};
  typename Memory::block workspace_;
  bool laid_out_ = false;
};

}  // namespace etch
