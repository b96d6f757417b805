// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/memory.hpp>
#include <etch/base/owner.hpp>
#include <etch/session/feed.hpp>
#include <etch/session/plan_frames.hpp>
#include <etch/session/storage.hpp>

/// Memory for the runs of one plan: what is fed, fetched and kept, checked and in its place.
namespace etch {

/// Memory: the backend's (see host_memory). A session keeps one for each plan that it has run, and
/// another for each concurrent run.
template <class Memory>
class plan_memory {
 public:
  plan_memory(const plan_interface& plan, const step_services& services)
      : plan_(plan), frames_(plan, services), fed_(plan.feed_count), fetched_(plan.fetch_count), shaped_(plan.feed_count) {}
  plan_memory(const plan_memory&) = delete;
  plan_memory& operator=(const plan_memory&) = delete;
  /// Not inlined: every end of a function that holds one, or a session, has its code else, most of a small program's `main`.
  ETCH_NOINLINE ~plan_memory() = default;

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
      if (p.buffer >= 0) frames_.address(p.buffer) = fed_.place(f, const_cast<void*>(feeds[f].data), frames_.bytes_of(p));
    }
  }
  void bind_variables(variable_store<Memory>& store) {
    for (int v = 0; v < plan_.variable_count; ++v) {
      if (plan_.variables[v].orders_host) {
        frames_.address(plan_.variables[v].buffer) = host_order_;
        continue;
      }
      auto* const entry = store.find(plan_.variables[v].content);
      if (entry == nullptr)
        fail("run: the session has no variable \"%s\"; make it of what reads that", name_of(plan_.variables[v]));
      frames_.address(plan_.variables[v].buffer) = entry->memory.data();
    }
    set_seed(store.seed);
  }
  void set_seed(std::uint64_t seed) { frames_.set_seed(seed); }
  /// Where the program wants a fetch to be.
  void bind_fetch(int fetch, void* data) {
    const port& p = plan_.fetches[fetch];
    frames_.address(p.buffer) = fetched_.place(fetch, data, frames_.bytes_of(p));
  }
  /// Where in the backend's memory a fetch is to stay.
  void keep_fetch(int fetch, char* data) { frames_.address(plan_.fetches[fetch].buffer) = data; }
  /// The count of axis `i` of a fetch.
  std::int64_t fetch_extent(int fetch, int i) const { return frames_.value(plan_.fetches[fetch].type.extents[i]); }

  /// Makes the steps ready, once all is bound.
  void make_ready() { frames_.make_ready(); }

  /// Notes where the steps' frames have addresses of what is fed, so that `point_feeds` need not look for them.
  void note_fed_places() {
    fed_places_.clear();
    for (int b = 0; b < plan_.buffer_count; ++b)
      if (plan_.buffers[b].kind == storage::feed) frames_.note_places(b, fed_places_);
  }
  /// Each feed is read from another array of the same shape from now on. Throws `etch::error`, before anything is changed, where the
  /// address of one that has elements is null.
  void point_feeds(const void* const* arrays) {
    for (int f = 0; f < plan_.feed_count; ++f) check_address(f, arrays[f]);
    for (int f = 0; f < plan_.feed_count; ++f)
      if (plan_.feeds[f].buffer >= 0) point_feed(f, plan_.feeds[f].buffer, arrays[f]);
    for (int i = 0, count = fed_places_.size(); i < count; ++i) frames_.point(fed_places_[i]);
  }
  ETCH_INLINE void check_address(int feed, const void* array) const {
    if (array == nullptr) [[unlikely]]
      check_empty(feed);
  }
  /// All that is needed for a plan that is run in place.
  ETCH_INLINE void point_feed(int feed, int buffer, const void* array) {
    frames_.address(buffer) = fed_.move(feed, const_cast<void*>(array));
  }

  /// Runs every step, in order. `run`: its number, which random draws depend on.
  void execute(std::uint64_t run) {
    if constexpr (!Memory::is_host) fed_.copy_in();
    frames_.execute(run);
    if constexpr (!Memory::is_host) fetched_.copy_out();
  }
  char* const* buffers() const { return frames_.buffers(); }
  /// Those that its steps are made for.
  const step_sharing& sharing() const { return frames_.sharing(); }

 private:
  friend struct detail::frame_access;
  static const char* name_of(const port& p) { return p.name != nullptr ? p.name : "(a node)"; }

  /// Of a feed of which the run needs neither elements nor extents.
  static bool has_no_type(const port& feed) { return feed.buffer < 0 && feed.type.rank == 0; }

  void bind_extents(const fed_array* feeds, std::int64_t* values) {
    const extent_table& extents = *plan_.extents;
    int binder[extent_table::max_symbols];
    for (int& b : binder) b = -1;
    for (int f = 0; f < plan_.feed_count; ++f) {
      const port& p = plan_.feeds[f];
      if (has_no_type(p)) continue;
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
      if (has_no_type(p)) continue;
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

  /// The shape of what is fed; a flat range takes the static extents as given, and the one that is not follows.
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
      if (name < 0) fail("%s: axis %d: expected an extent of at least %lld, got %lld", r.op, r.axis, least, got);
      fail("%s: axis %d (\"%s\"): expected an extent of at least %lld, got %lld", r.op, r.axis, plan_.extents->symbol_at(name).name,
           least, got);
    }
  }

  void lay_out_arena(const std::int64_t* values) {
    const int symbols = plan_.extents->symbol_count();
    bool same = laid_out_;
    for (int s = 0; s < symbols; ++s) same = same && values[s] == values_[s];
    if (same) return;
    for (int s = 0; s < symbols; ++s) values_[s] = values[s];
    laid_out_ = false;
    workspace_.reserve(frames_.lay_out(values));
    frames_.place(workspace_.data());
    laid_out_ = true;
  }

  void check_empty(int feed) const {
    const port& p = plan_.feeds[feed];
    if (p.buffer >= 0 && frames_.bytes_of(p) > 0) fail("step: the pointer for feed \"%s\" is null", name_of(p));
  }

  const plan_interface& plan_;
  plan_frames<Memory> frames_;
  vector<detail::noted_place> fed_places_;
  transfers<Memory> fed_, fetched_;
  vector<fed_array> shaped_;  ///< what is fed, with the shapes of flat ranges
  std::int64_t values_[extent_table::max_symbols] = {};
  typename Memory::block workspace_;
  /// What orders the host's steps has no value, and orders those of one run: each has its own, so that runs of several threads do not
  /// write to one place. With room for whole vectors.
  alignas(64) char host_order_[128] = {};
  bool laid_out_ = false;
};

}  // namespace etch
