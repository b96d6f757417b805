// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/partial_order.hpp>
#include <etch/passes/views.hpp>

/// Clusters: the nodes that share a kernel. What `fuse` gives.
namespace etch {

enum class cluster_kind : std::uint8_t {
  map,          ///< one loop nest, elementwise
  sweep,        ///< rows: sweeps along the reduced axes, and values per row between them
  scan,         ///< rows: one walk along an axis, with states that each element changes
  contraction,  ///< a matrix product, an elementwise epilogue, and perhaps operands that are computed while they are packed
  opaque,       ///< one node with a kernel of its own
  copy,         ///< one node's elements into memory of their own
  call          ///< a loop or a branch, which runs plans of its own, and its results
};

/// One kernel to be. `space` is the shape of the values at element level; with `reduced` axes taken out, of those per row.
struct cluster {
  cluster_kind kind = cluster_kind::map;
  tensor_type space;
  int shape = -1;            ///< of `space`, among the shapes of the graph
  std::int64_t reduced = 0;  ///< of a scan the axis that it walks
  bool backwards = false;    ///< scans: from the last element on
  int lane_bytes = 0;        ///< 4 or 8: all element types have that size (bool has any); -1: mixed; 0: only bools so far
  int size = 0;
  int sweeps = 1;
  int reads = 0;  ///< operands from outside; one may count more than once
  int open = 0;   ///< nodes that something outside may need: at most so many are stored
  int root = -1;  ///< the contraction, or the node of an opaque cluster
};

/// Where a node is.
struct node_place {
  int cluster = -1;          ///< that computes it, or -1
  int home = -1;             ///< the cluster that must have run before its memory can be read, or -1
  int when = 0;              ///< in a sweep: the sweep in which a value per element is first there, after which one per row
  int root = -1;             ///< the node whose memory holds its elements
  int view = -1;             ///< its place among `views`; -1 where it is contiguous in memory of its own
  bool per_row = false;      ///< in a sweep: it has one value per row
  bool transparent = false;  ///< a reshape by axes of extent 1, of a cluster's value
  /// In a product's cluster: 1 or 2 where the node is a part of the first or the second operand, which is computed while it is packed.
  std::int8_t operand = 0;
};

/// Clusters, and where the nodes are. Clusters that have been merged into others are known to `order` only.
struct fusion {
  vector<cluster> clusters;
  partial_order order;  ///< of the clusters
  vector<node_place> places;
  vector<view> views;

  constexpr node_place& operator[](int n) { return places.values_[n]; }
  constexpr const node_place& operator[](int n) const { return places.values_[n]; }
  constexpr bool alive(int c) const { return order.find(c) == c; }
  /// The cluster, as it has grown, that must have run before the node's memory can be read, or -1.
  constexpr int home_of(int n) const {
    const int at = places.values_[n].home;
    return at < 0 ? -1 : order.find(at);
  }
  constexpr view view_of(graph& g, int n) const {
    return (*this)[n].view >= 0 ? views[(*this)[n].view] : contiguous(g.extents, g.type(n), n);
  }
};

}  // namespace etch
