// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/build.hpp>
#include <etch/schedule/sequence.hpp>

/// What `fuse` and `order_steps` give, in arrays: constants between the evaluations that make them and those that lower them.
namespace etch {

struct cluster_sizes {
  int nodes = 0, clusters = 0, views = 0, edges = 0;

  constexpr bool fit(const cluster_sizes& capacity) const {
    return nodes <= capacity.nodes && clusters <= capacity.clusters && views <= capacity.views && edges <= capacity.edges;
  }
};

template <cluster_sizes Capacity>
struct frozen_fusion {
  cluster_sizes size;
  node_place places[Capacity.nodes + 1]{};
  cluster clusters[Capacity.clusters + 1]{};
  partial_order::vertex vertices[Capacity.clusters + 1]{};
  partial_order::edge edges[Capacity.edges + 1]{};
  view views[Capacity.views + 1]{};
  extent_table extents;

  constexpr fusion thaw() const {
    fusion f;
    f.clusters.append(clusters, size.clusters);
    f.views.append(views, size.views);
    f.order.restore(vertices, size.clusters, edges, size.edges);
    f.places.append(places, size.nodes);
    return f;
  }
};

/// In arrays of these sizes. Where they are too small, it is only counted.
template <cluster_sizes Capacity>
constexpr frozen_fusion<Capacity> freeze(const graph& g, const fusion& f) {
  frozen_fusion<Capacity> r;
  r.size = {g.size(), f.clusters.size(), f.views.size(), f.order.edges().size()};
  if (!r.size.fit(Capacity)) return r;
  detail::copy(f.places, r.size.nodes, r.places);
  detail::copy(f.clusters, r.size.clusters, r.clusters);
  detail::copy(f.order.vertices(), r.size.clusters, r.vertices);
  detail::copy(f.order.edges(), r.size.edges, r.edges);
  detail::copy(f.views, r.size.views, r.views);
  r.extents = g.extents;
  return r;
}

struct sequence_sizes {
  int nodes = 0, tasks = 0;

  constexpr bool fit(const sequence_sizes& capacity) const { return nodes <= capacity.nodes && tasks <= capacity.tasks; }
};

template <sequence_sizes Capacity>
struct frozen_sequence {
  sequence_sizes size;
  bool has_parts = false;
  char stored[Capacity.nodes + 1]{};
  int stored_in[Capacity.nodes + 1]{}, part[Capacity.nodes + 1]{};
  task tasks[Capacity.tasks + 1]{};

  constexpr sequence thaw() const {
    sequence s;
    s.tasks.append(tasks, size.tasks);
    s.stored.append(stored, size.nodes);
    s.stored_in.append(stored_in, size.nodes);
    if (has_parts) s.part.append(part, size.nodes);
    return s;
  }
};

/// In arrays of these sizes. Where they are too small, it is only counted.
template <sequence_sizes Capacity>
constexpr frozen_sequence<Capacity> freeze(const sequence& s) {
  frozen_sequence<Capacity> r;
  r.size = {s.stored.size(), s.tasks.size()};
  if (!r.size.fit(Capacity)) return r;
  detail::copy(s.stored, r.size.nodes, r.stored);
  detail::copy(s.stored_in, r.size.nodes, r.stored_in);
  r.has_parts = s.has_parts();
  if (r.has_parts) detail::copy(s.part, r.size.nodes, r.part);
  detail::copy(s.tasks, r.size.tasks, r.tasks);
  return r;
}

}  // namespace etch
