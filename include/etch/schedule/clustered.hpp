// SPDX-License-Identifier: MIT
#pragma once
#include <etch/schedule/sequence.hpp>

/// What `fuse` and `order_steps` give, in arrays: a constant between the evaluation that makes it and those that lower it.
namespace etch {

struct cluster_sizes {
  int nodes = 0, clusters = 0, views = 0, tasks = 0;

  constexpr bool fit(const cluster_sizes& capacity) const {
    return nodes <= capacity.nodes && clusters <= capacity.clusters && views <= capacity.views && tasks <= capacity.tasks;
  }
};

/// What is known of one node: see `fusion` and `sequence`.
struct node_place {
  int cluster = -1, home = -1, when = 0, root = -1, view = -1, stored_in = -1;
  char per_row = 0, transparent = 0, stored = 0;
};

template <cluster_sizes Capacity>
struct frozen_clusters {
  cluster_sizes size;
  node_place places[Capacity.nodes + 1]{};
  cluster clusters[Capacity.clusters + 1]{};
  view views[Capacity.views + 1]{};
  task tasks[Capacity.tasks + 1]{};
  extent_table extents;

  /// Without the order of the clusters, which the tasks have.
  constexpr fusion thaw() const {
    fusion f;
    f.clusters.append(clusters, size.clusters);
    f.views.append(views, size.views);
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
  constexpr sequence thaw_sequence() const {
    sequence s;
    s.tasks.append(tasks, size.tasks);
    s.stored.resize(size.nodes);
    s.stored_in.resize(size.nodes);
    for (int n = 0; n < size.nodes; ++n) {
      s.stored[n] = places[n].stored;
      s.stored_in[n] = places[n].stored_in;
    }
    return s;
  }
};

/// In arrays of these sizes. Where they are too small, it is only counted.
template <cluster_sizes Capacity>
constexpr frozen_clusters<Capacity> freeze(const graph& g, const fusion& f, const sequence& s) {
  frozen_clusters<Capacity> r;
  r.size = {g.size(), f.clusters.size(), f.views.size(), s.tasks.size()};
  if (!r.size.fit(Capacity)) return r;
  for (int n = 0; n < r.size.nodes; ++n)
    r.places[n] = {f.cluster_of[n], f.home[n],    f.when[n],        f.root[n],   f.view_at[n],
                   s.stored_in[n],  f.per_row[n], f.transparent[n], s.stored[n]};
  for (int c = 0; c < r.size.clusters; ++c) r.clusters[c] = f.clusters[c];
  for (int v = 0; v < r.size.views; ++v) r.views[v] = f.views[v];
  for (int t = 0; t < r.size.tasks; ++t) r.tasks[t] = s.tasks[t];
  r.extents = g.extents;
  return r;
}

}  // namespace etch
