// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/build.hpp>
#include <etch/passes/cluster.hpp>
#include <etch/schedule/tasks.hpp>

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

  constexpr frozen_fusion() = default;
  /// Where the arrays are too small, it is only counted.
  constexpr frozen_fusion(const graph& g, const fusion& f)
      : size{g.size(), f.clusters.size(), f.views.size(), f.order.edges().size()} {
    if (!size.fit(Capacity)) return;
    detail::copy(f.places, size.nodes, places);
    detail::copy(f.clusters, size.clusters, clusters);
    detail::copy(f.order.vertices(), size.clusters, vertices);
    detail::copy(f.order.edges(), size.edges, edges);
    detail::copy(f.views, size.views, views);
    extents = g.extents;
  }

  constexpr fusion thaw() const {
    fusion f;
    f.clusters.append(clusters, size.clusters);
    f.views.append(views, size.views);
    f.order.restore(vertices, size.clusters, edges, size.edges);
    f.places.append(places, size.nodes);
    return f;
  }
};

struct sequence_sizes {
  int nodes = 0, tasks = 0;

  constexpr bool fit(const sequence_sizes& capacity) const { return nodes <= capacity.nodes && tasks <= capacity.tasks; }
};

template <sequence_sizes Capacity>
struct frozen_sequence {
  sequence_sizes size;
  bool has_parts = false, has_joins = false;
  char stored[Capacity.nodes + 1]{};
  int stored_in[Capacity.nodes + 1]{}, part[Capacity.nodes + 1]{}, joined[Capacity.nodes + 1]{};
  task tasks[Capacity.tasks + 1]{};

  constexpr frozen_sequence() = default;
  /// Where the arrays are too small, it is only counted.
  constexpr explicit frozen_sequence(const sequence& s)
      : size{s.stored.size(), s.tasks.size()}, has_parts(s.has_parts()), has_joins(s.has_joins()) {
    if (!size.fit(Capacity)) return;
    detail::copy(s.stored, size.nodes, stored);
    detail::copy(s.stored_in, size.nodes, stored_in);
    if (has_parts) detail::copy(s.part, size.nodes, part);
    if (has_joins) detail::copy(s.joined, size.nodes, joined);
    detail::copy(s.tasks, size.tasks, tasks);
  }

  constexpr sequence thaw() const {
    sequence s;
    s.tasks.append(tasks, size.tasks);
    s.stored.append(stored, size.nodes);
    s.stored_in.append(stored_in, size.nodes);
    if (has_parts) s.part.append(part, size.nodes);
    if (has_joins) s.joined.append(joined, size.nodes);
    return s;
  }
};

}  // namespace etch
