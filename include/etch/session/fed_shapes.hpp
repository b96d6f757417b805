// SPDX-License-Identifier: MIT
#pragma once
#include <etch/session/feed.hpp>
#include <etch/session/interface.hpp>

/// Whether what is fed to a plan fits it: no types, so that this is compiled once.
namespace etch {

namespace detail {
inline const char* name_of_port(const port& p) { return p.name != nullptr ? p.name : "(a node)"; }
}  // namespace detail

/// The shapes of what is fed to the runs of one plan. It reads the plan's feeds, extents, buffers and reaches only.
class fed_shapes {
 public:
  explicit fed_shapes(const plan_interface& plan) : plan_(plan), shaped_(plan.feed_count) {}

  /// Puts the counts of the plan's named extents in `values`, and checks all others, the sizes of buffers and how far slices and windows
  /// reach. Throws `etch::error` that says which feed, axis, expected and got.
  void bind(const fed_array* feeds, std::int64_t* values) {
    bind_extents(feeds, values);
    check_sizes(values);
    check_sections(values);
  }

 private:
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
        if (s < 0) fail("feed \"%s\": axis %d: expected extent %lld, got %lld", detail::name_of_port(p), i, e, got);
        fail("feed \"%s\": axis %d (\"%s\"): expected extent %lld, which feed \"%s\" has given it, got %lld",
             detail::name_of_port(p), i, extents.symbol_at(s).name, e, detail::name_of_port(plan_.feeds[binder[s]]), got);
      }
    }
  }

  /// The shape of what is fed; a flat range takes the static extents as given, and the one that is not follows.
  static fed_array shape_of(const fed_array& a, const port& p) {
    if (a.axes >= 0) {
      if (a.axes != p.type.rank) fail("feed \"%s\": expected %d axes, got %d", detail::name_of_port(p), p.type.rank, a.axes);
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
        fail("feed \"%s\": a flat range cannot tell several named extents; feed an array of %d axes", detail::name_of_port(p),
             p.type.rank);
      }
    }
    const std::int64_t size = a.extents[0];
    if (open < 0 ? size != known : known == 0 || size % known != 0)
      fail("feed \"%s\": expected %s%lld elements, got %lld", detail::name_of_port(p), open < 0 ? "" : "a multiple of ",
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
    fail("feed \"%s\": with extent %lld of axis %d a value of the run would need %.3g bytes",
         detail::name_of_port(plan_.feeds[feed]), static_cast<long long>(shaped_[feed].extents[axis]), axis, bytes);
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

  const plan_interface& plan_;
  vector<fed_array> shaped_;  ///< what is fed, with the shapes of flat ranges
};

}  // namespace etch
