// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/fold_constants.hpp>
#include <etch/passes/views.hpp>

/// Which nodes share a kernel. Elementwise trees, reductions with what comes before and after them along the same rows,
/// and contractions with what follows them become one cluster each; values inside a cluster need no memory.
namespace etch {

enum class cluster_kind : std::uint8_t {
  map,          ///< one loop nest, elementwise
  sweep,        ///< rows: sweeps along the reduced axes, and values per row between them
  contraction,  ///< a matrix product and an elementwise epilogue
  opaque,       ///< one node with a kernel of its own
  copy          ///< one node's elements into memory of their own
};

/// One kernel to be. `space` is the shape of the values at element level; with `reduced` axes taken out, of those per row.
struct cluster {
  cluster_kind kind = cluster_kind::map;
  tensor_type space;
  std::int64_t reduced = 0;
  int lane_bytes = 0;  ///< 4 or 8: all element types have that size (bool has any); -1: mixed; 0: only bools so far
  int size = 0;
  int reads = 0;       ///< operands from outside
  int open = 0;        ///< nodes that something outside may need: at most so many are stored
  int root = -1;       ///< the contraction, or the node of an opaque cluster
  bool alive = true;
};

struct fusion {
  vector<cluster> clusters;
  vector<int> cluster_of;  ///< per node: its cluster, or -1
  vector<char> per_row;    ///< per node in a sweep: whether it has one value per row
  vector<view> views;      ///< per node
  vector<int> home;        ///< per node: the cluster that must have run before its memory can be read, or -1
  vector<char> transparent;  ///< per node: a reshape by axes of extent 1, of a cluster's value
};

namespace detail {

/// Larger kernels run out of registers; measured on Zen 4, spills cost more than a second pass through the cache.
inline constexpr int max_cluster_size = 40;
inline constexpr int max_cluster_reads = 20;
/// Operands and stores of a kernel: a program has two bits for each in one word.
inline constexpr int max_cluster_slots = 32;

class fuser {
 public:
  constexpr explicit fuser(graph& g) : g_(g), set_words_((g.size() + 63) / 64 + 1) {
    f_.cluster_of.resize(g.size(), -1);
    f_.per_row.resize(g.size(), 0);
    f_.views.resize(g.size());
    f_.home.resize(g.size(), -1);
    f_.transparent.resize(g.size(), 0);
    lanes_.resize(g.size(), 0);
    uses_.resize(g.size(), 0);
    for (int i = 0; i < g.operands.size(); ++i) ++uses_[g.operands[i]];
    for (int i = 0; i < g.fetches.size(); ++i) ++uses_[g.fetches[i]];
  }

  constexpr fusion run() {
    for (int n = 0; n < g_.size(); ++n) visit(n);
    return static_cast<fusion&&>(f_);
  }

 private:
  constexpr void visit(int n) {
    lanes_[n] = lanes_of_node(n);
    f_.views[n] = contiguous(g_.extents, g_[n].type, n);
    switch (g_[n].op->kind) {
      case op_kind::source:
        if (g_.is(n, info_of<iota>)) {
          f_.views[n] = view{};
          f_.views[n].root = n;
          f_.views[n].stride[g_.word(n, 0)] = 1;
        } else if (g_[n].op->stateful) {
          start(n, cluster_kind::opaque);
        }
        break;
      case op_kind::elementwise: elementwise_node(n); break;
      case op_kind::reduction: reduction_node(n); break;
      case op_kind::contraction: start(n, cluster_kind::contraction); break;
      case op_kind::movement: movement_node(n); break;
      case op_kind::effect: effect_node(n); break;
      default: start(n, cluster_kind::opaque); break;
    }
  }

  constexpr void movement_node(int n) {
    const int o = g_.operand(n, 0);
    view v;
    if (movement_view(g_, n, f_.views[o], v)) {
      f_.views[n] = v;
      f_.home[n] = f_.home[o];
      f_.transparent[n] = g_.is(n, info_of<struct reshape>) && same_squeezed(g_[o].type, g_[n].type) &&
                          (f_.transparent[o] != 0 || f_.cluster_of[o] >= 0);
    } else {
      start(n, cluster_kind::copy);
    }
  }

  constexpr void effect_node(int n) {
    if (g_[n].count == 0) return;
    if (g_.is(n, info_of<struct after>)) {
      if (g_.is(g_.operand(n, 0), info_of<detail::variable_op>)) {
        start(n, cluster_kind::copy);
        // The assignment in between waits for all that read the old value.
        for (int m = 0; m < n; ++m)
          for (int k = 0; k < g_[m].count; ++k)
            if (g_.operand(m, k) == g_.operand(n, 0) && g_[m].op->kind != op_kind::effect && f_.cluster_of[m] >= 0)
              depend(f_.cluster_of[n], f_.cluster_of[m]);
      } else {
        f_.views[n] = f_.views[g_.operand(n, 0)];
        f_.home[n] = f_.home[g_.operand(n, 0)];
      }
    } else if (g_.is(n, info_of<struct assign>)) {
      f_.views[n] = f_.views[g_.operand(n, 1)];
      f_.home[n] = f_.home[g_.operand(n, 1)];
    }
  }

  constexpr void elementwise_node(int n) {
    int joined = -1;
    const int* const in = g_.operands_of(n);
    const int count = g_[n].count;
    // Later clusters first: what was computed last is what this node continues.
    for (int k = 0; k < count; ++k) {
      const int c = f_.home[in[k]];
      if (c > joined && can_join(n, c)) joined = c;
    }
    if (joined < 0) {
      start(n, cluster_kind::map);
      return;
    }
    // The other operands' clusters come along where nothing lies between: one kernel updates all state of an optimizer.
    for (int k = 0; k < count; ++k) {
      const int other = f_.home[in[k]];
      if (other >= 0 && other != joined && can_merge(joined, other) && can_join(n, other)) merge(joined, other);
    }
    f_.per_row[n] = !g_[n].type.same_shape(f_.clusters[joined].space);
    join(n, joined);
  }

  constexpr void reduction_node(int n) {
    const int o = g_.operand(n, 0);
    const int c = f_.cluster_of[o];
    if (c >= 0 && can_reduce(n, c)) {
      f_.clusters[c].kind = cluster_kind::sweep;
      f_.clusters[c].reduced = g_.word(n, 0);
      f_.per_row[n] = 1;
      join(n, c);
      return;
    }
    start(n, cluster_kind::sweep);
    cluster& made = f_.clusters.back();
    made.space = g_[o].type;
    made.reduced = g_.word(n, 0);
    made.lane_bytes = lanes_with(lanes_with(0, g_[o].type.type), g_[n].type.type);
    f_.per_row[n] = 1;
  }

  static constexpr int lanes_with(int lane_bytes, dtype d) {
    if (d == dtype::boolean) return lane_bytes;
    const int bytes = d == dtype::uint8 ? -1 : size_of_dtype(d);
    return lane_bytes == 0 || lane_bytes == bytes ? bytes : -1;
  }
  constexpr int lanes_of_node(int n) const {
    const dtype type = g_[n].type.type;
    int lanes = lanes_with(0, type);
    const int* const in = g_.operands_of(n);
    for (int k = 0, count = g_[n].count; k < count; ++k) {
      const dtype other = g_[in[k]].type.type;
      if (other != type) lanes = lanes_with(lanes, other);
    }
    return lanes;
  }
  constexpr bool lanes_fit(int n, const cluster& c) const {
    const int lanes = lanes_[n];
    if (lanes == 0 || c.lane_bytes == 0 || lanes == c.lane_bytes) return true;
    return c.lane_bytes == -1 && g_[n].op->cost <= 4;
  }

  constexpr bool per_row_shape(const tensor_type& t, const cluster& c) const {
    tensor_type row = c.space;
    for (int i = 0; i < row.rank; ++i)
      if ((c.reduced >> i & 1) != 0) row.extents[i] = 1;
    return same_squeezed(t, row);
  }

  /// Whether node n may be computed in cluster c: element by element, or once per row.
  constexpr bool can_join(int n, int ci) const {
    const cluster& c = f_.clusters[ci];
    if (!c.alive || c.kind == cluster_kind::opaque || c.kind == cluster_kind::copy) return false;
    if (c.size >= max_cluster_size || c.reads >= max_cluster_reads || !lanes_fit(n, c)) return false;
    if (c.reads + c.open + g_[n].count + 1 > max_cluster_slots) return false;
    if (c.kind == cluster_kind::contraction && (lanes_[n] == -1 || !is_floating(g_[c.root].type.type)))
      return false;
    const bool per_row = !g_[n].type.same_shape(c.space);
    if (per_row && (c.kind != cluster_kind::sweep || !per_row_shape(g_[n].type, c))) return false;
    const int* const in = g_.operands_of(n);
    for (int k = 0, count = g_[n].count; k < count; ++k) {
      const int o = in[k];
      const int h = f_.home[o];
      if (h != ci) {
        if (h >= 0 && reaches(ci, h)) return false;
        continue;
      }
      if (f_.cluster_of[o] != ci && f_.transparent[o] == 0) return false;
      const bool operand_per_row = f_.per_row[f_.views[o].root] != 0;
      if (per_row) {
        if (!operand_per_row || !same_squeezed(g_[o].type, g_[n].type)) return false;
      } else if (!operand_per_row) {
        if (!g_[o].type.same_shape(c.space)) return false;
      } else {
        const int extra = c.space.rank - g_[o].type.rank;
        for (int i = 0; i < c.space.rank; ++i) {
          const extent_value e = i < extra ? 1 : g_[o].type.extents[i - extra];
          if (e != ((c.reduced >> i & 1) != 0 ? 1 : c.space.extents[i])) return false;
        }
      }
    }
    return true;
  }

  constexpr bool can_reduce(int n, int ci) const {
    const cluster& c = f_.clusters[ci];
    const int o = g_.operand(n, 0);
    return (c.kind == cluster_kind::map || (c.kind == cluster_kind::sweep && c.reduced == g_.word(n, 0))) &&
           c.size < max_cluster_size && c.reads + c.open < max_cluster_slots && f_.per_row[o] == 0 && g_[o].type.same_shape(c.space) && lanes_fit(n, c);
  }

  /// Two clusters over the same elements, neither of which needs the other; elementwise work goes along with anything.
  constexpr bool can_merge(int a, int b) const {
    const cluster& x = f_.clusters[a];
    const cluster& y = f_.clusters[b];
    if (!x.alive || !y.alive) return false;
    const bool x_map = x.kind == cluster_kind::map, y_map = y.kind == cluster_kind::map;
    const bool sweeps = x.kind == cluster_kind::sweep && y.kind == cluster_kind::sweep && x.reduced == y.reduced;
    if (!(x_map && merges(y.kind)) && !(y_map && merges(x.kind)) && !sweeps) return false;
    const bool contraction = x.kind == cluster_kind::contraction || y.kind == cluster_kind::contraction;
    if (contraction && (x.lane_bytes == -1 || y.lane_bytes == -1)) return false;
    return x.space.same_shape(y.space) && x.size + y.size <= max_cluster_size &&
           x.reads + y.reads <= max_cluster_reads &&
           x.reads + y.reads + x.open + y.open + 4 <= max_cluster_slots &&  // the node that joins both has 4 at most
           (x.lane_bytes == y.lane_bytes || x.lane_bytes == 0 || y.lane_bytes == 0) && !reaches(a, b) &&
           !reaches(b, a);
  }
  static constexpr bool merges(cluster_kind k) {
    return k == cluster_kind::map || k == cluster_kind::sweep || k == cluster_kind::contraction;
  }

  constexpr void start(int n, cluster_kind kind) {
    cluster c;
    c.kind = kind;
    c.space = g_[n].type;
    c.root = n;
    c.lane_bytes = lanes_[n];
    f_.clusters.push_back(c);
    ancestors_.resize(ancestors_.size() + set_words_, 0);
    needed_.push_back(0);
    f_.views[n] = contiguous(g_.extents, g_[n].type, n);
    join(n, f_.clusters.size() - 1);
  }

  constexpr void join(int n, int ci) {
    f_.cluster_of[n] = ci;
    f_.home[n] = ci;
    cluster& c = f_.clusters[ci];
    ++c.size;
    ++c.open;
    const int* const in = g_.operands_of(n);
    const int count = g_[n].count;
    for (int k = 0; k < count; ++k)
      if (f_.cluster_of[in[k]] == ci && --uses_[in[k]] == 0) --c.open;
    if (c.kind != cluster_kind::opaque && c.lane_bytes == 0) c.lane_bytes = lanes_[n];
    for (int k = 0; k < count; ++k) {
      const int h = f_.home[in[k]];
      if (h == ci) continue;
      if (constant_behind(g_, in[k]) < 0) ++c.reads;
      if (h >= 0) depend(ci, h);
    }
  }

  constexpr bool reaches(int from, int to) const {
    return (ancestors_[to * set_words_ + from / 64] >> (from % 64) & 1) != 0;
  }
  /// Cluster c needs cluster d; so do all that need c.
  constexpr void depend(int c, int d) {
    if (reaches(d, c)) return;
    add(c, d);
    if (needed_[c] == 0) return;
    for (int e = 0; e < f_.clusters.size(); ++e)
      if (reaches(c, e)) add(e, d);
  }
  constexpr void add(int c, int d) {
    needed_[d] = 1;
    std::uint64_t* const of_c = ancestors_.data() + c * set_words_;
    const std::uint64_t* const of_d = ancestors_.data() + d * set_words_;
    of_c[d / 64] |= std::uint64_t{1} << (d % 64);
    for (int w = 0, words = f_.clusters.size() / 64 + 1; w < words; ++w) of_c[w] |= of_d[w];
  }
  constexpr void merge(int a, int b) {
    f_.clusters[a].size += f_.clusters[b].size;
    f_.clusters[a].reads += f_.clusters[b].reads;
    f_.clusters[a].open += f_.clusters[b].open;
    if (f_.clusters[a].kind == cluster_kind::map) {
      f_.clusters[a].kind = f_.clusters[b].kind;
      f_.clusters[a].reduced = f_.clusters[b].reduced;
      f_.clusters[a].root = f_.clusters[b].root;
    }
    if (f_.clusters[a].lane_bytes == 0) f_.clusters[a].lane_bytes = f_.clusters[b].lane_bytes;
    f_.clusters[b].alive = false;
    needed_[a] = needed_[a] | needed_[b];
    for (int n = 0; n < g_.size(); ++n) {
      if (f_.cluster_of[n] == b) f_.cluster_of[n] = a;
      if (f_.home[n] == b) f_.home[n] = a;
    }
    for (int w = 0; w < set_words_; ++w) ancestors_[a * set_words_ + w] |= ancestors_[b * set_words_ + w];
    ancestors_[a * set_words_ + b / 64] &= ~(std::uint64_t{1} << (b % 64));
    for (int e = 0; e < f_.clusters.size(); ++e)
      if (e != a && (reaches(b, e) || reaches(a, e))) add(e, a);
  }

  graph& g_;
  int set_words_;
  fusion f_;
  vector<int> lanes_;  ///< per node: lane_bytes of a cluster of this node alone
  vector<int> uses_;   ///< per node: fetches, and operands outside of its cluster so far
  vector<std::uint64_t> ancestors_;  ///< per cluster: the set of those that it needs
  vector<int> needed_;               ///< per cluster: whether another one needs it
};

}  // namespace detail

/// Groups the nodes of a tidy graph. Dependencies between clusters have no cycle.
constexpr fusion fuse(graph& g) {
  detail::fuser f(g);
  return f.run();
}

}  // namespace etch
