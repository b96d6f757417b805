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

/// What is known of one node: see `fusion`.
struct node_place {
  int cluster = -1, home = -1, when = 0, root = -1, view = -1;
  char per_row = 0, transparent = 0;
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
    f.cluster_of.resize(size.nodes);
    f.home.resize(size.nodes);
    f.when.resize(size.nodes);
    f.root.resize(size.nodes);
    f.view_at.resize(size.nodes);
    f.per_row.resize(size.nodes);
    f.transparent.resize(size.nodes);
    for (int n = 0; n < size.nodes; ++n) {
      const node_place& p = places[n];
      f.cluster_of[n] = p.cluster;
      f.home[n] = p.home;
      f.when[n] = p.when;
      f.root[n] = p.root;
      f.view_at[n] = p.view;
      f.per_row[n] = p.per_row;
      f.transparent[n] = p.transparent;
    }
    return f;
  }
};

/// In arrays of these sizes. Where they are too small, it is only counted.
template <cluster_sizes Capacity>
constexpr frozen_fusion<Capacity> freeze(const graph& g, const fusion& f) {
  frozen_fusion<Capacity> r;
  r.size = {g.size(), f.clusters.size(), f.views.size(), f.order.edges().size()};
  if (!r.size.fit(Capacity)) return r;
  for (int n = 0; n < r.size.nodes; ++n)
    r.places[n] = {f.cluster_of[n], f.home[n], f.when[n], f.root[n], f.view_at[n], f.per_row[n], f.transparent[n]};
  for (int c = 0; c < r.size.clusters; ++c) r.clusters[c] = f.clusters[c];
  for (int c = 0; c < r.size.clusters; ++c) r.vertices[c] = f.order.vertices()[c];
  for (int e = 0; e < r.size.edges; ++e) r.edges[e] = f.order.edges()[e];
  for (int v = 0; v < r.size.views; ++v) r.views[v] = f.views[v];
  r.extents = g.extents;
  return r;
}

template <int Nodes, int Tasks>
struct frozen_sequence {
  int task_count = 0;
  bool has_parts = false;
  char stored[Nodes + 1]{};
  int stored_in[Nodes + 1]{}, part[Nodes + 1]{};
  task tasks[Tasks + 1]{};

  constexpr sequence thaw() const {
    sequence s;
    s.tasks.append(tasks, task_count);
    s.stored.append(stored, Nodes);
    s.stored_in.append(stored_in, Nodes);
    if (has_parts) s.part.append(part, Nodes);
    return s;
  }
};

/// In arrays for so many nodes and tasks. Where these are too few, they are only counted.
template <int Nodes, int Tasks>
constexpr frozen_sequence<Nodes, Tasks> freeze(const sequence& s) {
  frozen_sequence<Nodes, Tasks> r;
  r.task_count = s.tasks.size();
  if (r.task_count > Tasks) return r;
  for (int n = 0; n < Nodes; ++n) r.stored[n] = s.stored[n];
  for (int n = 0; n < Nodes; ++n) r.stored_in[n] = s.stored_in[n];
  r.has_parts = s.has_parts();
  for (int n = 0; n < Nodes && r.has_parts; ++n) r.part[n] = s.part[n];
  for (int t = 0; t < r.task_count; ++t) r.tasks[t] = s.tasks[t];
  return r;
}

}  // namespace etch
