// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/partial_order.hpp>
#include <etch/passes/views.hpp>

/// Clusters: the nodes that share a kernel. What `fuse` gives.
namespace etch {

enum class cluster_kind : std::uint8_t {
  map,          ///< one loop nest, elementwise
  sweep,        ///< rows: sweeps along the reduced axes, and values per row between them
  contraction,  ///< a matrix product and an elementwise epilogue
  opaque,       ///< one node with a kernel of its own
  copy          ///< one node's elements into memory of their own
};

/// What one kernel may hold.
struct cluster_limits {
  /// Larger kernels run out of registers; measured on Zen 4, spills cost more than a second pass through the cache.
  int nodes = 40;
  /// From so many operands on, nothing joins; the node that reaches it may bring three.
  int reads = 20;
  /// Operands and results in memory.
  int slots = 32;
  /// Nodes times sweeps: each sweep computes again what it needs of the nodes before it.
  int instructions = 160;
  /// Nodes, and operands and results, of an elementwise kernel of which more than `few` values may be needed outside: to cut it
  /// there would store and load them. It stores each result as soon as it is there, so that registers do not run out. Price and
  /// Greeks (190 nodes, 11 results of 5 operands) in one kernel instead of 11 take about half of the time for 100,000 options, and
  /// for 1,000, which stay in the second cache, 0.8 with clang and 1.0 to 1.1 with g++ (AVX-512).
  int map_nodes = 192, map_slots = 64, few = 4;
};

/// One kernel to be. `space` is the shape of the values at element level; with `reduced` axes taken out, of those per row.
struct cluster {
  cluster_kind kind = cluster_kind::map;
  tensor_type space;
  int shape = -1;  ///< of `space`, among the shapes of the graph
  std::int64_t reduced = 0;
  int lane_bytes = 0;  ///< 4 or 8: all element types have that size (bool has any); -1: mixed; 0: only bools so far
  int size = 0;
  int sweeps = 1;
  int reads = 0;  ///< operands from outside; one may count more than once
  int open = 0;   ///< nodes that something outside may need: at most so many are stored
  int root = -1;  ///< the contraction, or the node of an opaque cluster
};

/// Clusters, and where the nodes are. Clusters that have been merged into others are known to `order` only.
struct fusion {
  vector<cluster> clusters;
  partial_order order;     ///< of the clusters
  vector<int> cluster_of;  ///< per node: its cluster, or -1
  vector<int> home;        ///< per node: the cluster that must have run before its memory can be read, or -1
  vector<char> per_row;    ///< per node in a sweep: whether it has one value per row
  vector<int> when;        ///< per node in a sweep: the sweep in which a value per element is first there, after which one per row
  vector<char> transparent;  ///< per node: a reshape by axes of extent 1, of a cluster's value
  vector<int> root;          ///< per node: the node whose memory holds its elements
  vector<int> view_at;       ///< per node: its place among `views`; -1 for one that is contiguous in memory of its own
  vector<view> views;

  constexpr bool alive(int c) const { return order.find(c) == c; }
  constexpr view view_of(graph& g, int n) const {
    return view_at[n] >= 0 ? views[view_at[n]] : contiguous(g.extents, g.type(n), n);
  }
};

}  // namespace etch
