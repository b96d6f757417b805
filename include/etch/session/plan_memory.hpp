// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/memory.hpp>
#include <etch/base/owner.hpp>
#include <etch/session/feed_check.hpp>
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
    feed_check(plan_, shaped_.data()).bind_extents(feeds, values);
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
        fail("run: the session has no variable \"%s\"; make it of what reads that", feed_check::name_of(plan_.variables[v]));
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
  bool flushes_denormals() const { return frames_.flushes_denormals(); }
  char* const* buffers() const { return frames_.buffers(); }
  /// Those that its steps are made for.
  const step_sharing& sharing() const { return frames_.sharing(); }

 private:
  friend struct detail::frame_access;
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
    if (p.buffer >= 0 && frames_.bytes_of(p) > 0) fail("step: the pointer for feed \"%s\" is null", feed_check::name_of(p));
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
