// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/build.hpp>
#include <etch/passes/cluster.hpp>
#include <etch/passes/target.hpp>

/// Clusters as they grow: what may join one, which two may become one.
namespace etch::detail {

/// How wide the vectors are in which elements of both can be computed: see cluster::lane_bytes.
constexpr int common_lanes(int a, int b) {
  if (a == b || b == 0) return a;
  return a == 0 ? b : -1;
}

class clustering {
 public:
  constexpr clustering(graph& g, const target_description& target) : g_(g), target_(target), limits_(target.limits) {
    const int n = g.size();
    f_.places = vector<node_place>::defaults(n);
    lanes_ = vector<int>::defaults(n);
    uses_ = g.count_reads();
    reader_ = vector<int>::defaults(n);
    find_shapes();
  }

 protected:
  /// Types that differ in their dtype only have the same shape number.
  constexpr void find_shapes() {
    for (int t = 0, count = g_.types.size(); t < count; ++t) {
      const tensor_type shape = g_.types[t].with(dtype::none);
      shape_.push_back(g_.type_id(shape));
      lanes_of_type_.push_back(target_.has_lanes ? lane_bytes_of(g_.types[t].type) : 0);
    }
  }
  constexpr int shape_of(int n) const { return shape_[g_[n].type]; }

  /// Whether it reduces to indices, which only its kernel's stores convert.
  constexpr bool reduces_to_indices(int n) const { return g_[n].op->kind == op_kind::reduction && g_[n].op->gives_indices; }

  constexpr int lanes_of_node(int n) const {
    const node& d = g_[n];
    int lanes = lanes_of_type_[d.type];
    if (d.op->kind == op_kind::contraction) return lanes;  // what a kernel of its own reads may be narrower
    const int* const in = g_.operands_of(n);
    for (int k = 0; k < d.count; ++k)
      if (const int type = g_[in[k]].type; type != d.type)
        lanes = common_lanes(reduces_to_indices(n) ? 0 : lanes, lanes_of_type_[type]);
    return lanes;
  }
  constexpr bool lanes_fit(int n, const cluster& c) const {
    const int lanes = lanes_[n];
    if (lanes == 0 || c.lane_bytes == 0 || lanes == c.lane_bytes) return true;
    return c.lane_bytes == -1 && g_[n].op->cost <= 4;
  }
  /// Whether the cluster has room for node n, which reads so many operands from outside at most.
  constexpr bool has_room(int n, int ci, int reads) const {
    const cluster& c = f_.clusters[ci];
    if (c.kind == cluster_kind::map && g_[n].op->kind == op_kind::elementwise && c.open > limits_.few)
      return c.size < limits_.map_nodes && c.reads < limits_.reads && c.reads + c.open + reads + 1 <= limits_.map_slots;
    if (c.size >= limits_.nodes || c.reads >= limits_.reads || c.reads + c.open + reads + 1 > limits_.slots) return false;
    // It needs one sweep more at most, which is looked for only where that would not fit.
    if ((c.size + 1) * (c.sweeps + 1) <= limits_.instructions) return true;
    const int sweeps = needs_sweeps(n, ci);
    return (c.size + 1) * (sweeps > c.sweeps ? sweeps : c.sweeps) <= limits_.instructions;
  }
  /// The sweep in which (or, for a value per row, after which) node n has its value in cluster c.
  constexpr int when_in(int n, int ci) const {
    int when = 0;
    const node& d = g_[n];
    const node_place* const places = f_.places.data();
    const int* const in = g_.operands_of(n);
    for (int k = 0; k < d.count; ++k) {
      if (f_.home_of(in[k]) != ci) continue;
      const int w = places[places[in[k]].root].when;
      if (w > when) when = w;
    }
    return d.op->kind == op_kind::reduction ? when + 1 : when;
  }
  constexpr int needs_sweeps(int n, int ci) const { return when_in(n, ci) + (g_[n].op->kind == op_kind::reduction ? 0 : 1); }

  constexpr bool per_row_shape(const tensor_type& t, const cluster& c) const {
    tensor_type row = c.space;
    for (int i = 0; i < row.rank; ++i)
      if ((c.reduced >> i & 1) != 0) row.extents[i] = 1;
    return same_squeezed(t, row);
  }
  /// Whether values per row, of shape t, broadcast to the elements of c as NumPy does it.
  constexpr bool broadcasts_along_rows(const tensor_type& t, const cluster& c) const {
    const int extra = c.space.rank - t.rank;
    for (int i = 0; i < c.space.rank; ++i) {
      const extent_value e = i < extra ? 1 : t.extents[i - extra];
      if (e != ((c.reduced >> i & 1) != 0 ? 1 : c.space.extents[i])) return false;
    }
    return true;
  }

  constexpr void make_scan(int ci, int n) {
    cluster& c = f_.clusters[ci];
    c.kind = cluster_kind::scan;
    c.reduced = std::int64_t{1} << g_.word(n, 0);
    c.backwards = (g_.word(n, 1) & scan_backwards) != 0;
  }
  /// Whether a cluster walks, or may come to walk, the elements as scan n does.
  constexpr bool scans_alike(int n, int ci) const {
    const cluster& c = f_.clusters[ci];
    return c.kind == cluster_kind::map || (c.kind == cluster_kind::scan && c.reduced == std::int64_t{1} << g_.word(n, 0) &&
                                           c.backwards == ((g_.word(n, 1) & scan_backwards) != 0));
  }

  /// Whether node n may be computed in cluster c: element by element, or once per row.
  constexpr bool can_join(int n, int ci) {
    const cluster& c = f_.clusters[ci];
    if (c.kind == cluster_kind::opaque || c.kind == cluster_kind::copy || c.kind == cluster_kind::call) return false;
    if (!lanes_fit(n, c) || !has_room(n, ci, g_[n].count)) return false;
    if (c.kind == cluster_kind::contraction && (lanes_[n] == -1 || !gives_vectors(c.root))) return false;
    const bool per_row = shape_of(n) != c.shape;
    if (per_row && (c.kind != cluster_kind::sweep || !per_row_shape(g_.type(n), c))) return false;
    const int* const in = g_.operands_of(n);
    for (int k = 0, count = g_[n].count; k < count; ++k) {
      const int h = f_.home_of(in[k]);
      if (h == ci ? !can_read_inside(n, in[k], c, per_row) : h >= 0 && !f_.order.allows(h, ci)) return false;
    }
    return true;
  }
  /// Whether member n of cluster c can have operand o, which c computes, without its going through memory.
  constexpr bool can_read_inside(int n, int o, const cluster& c, bool per_row) const {
    if (f_[o].root != o && !f_[o].transparent) return false;
    if (!f_[f_[o].root].per_row) return !per_row && shape_of(o) == c.shape;
    if (reduces_to_indices(f_[o].root)) return false;
    return per_row ? same_squeezed(g_.type(o), g_.type(n)) : broadcasts_along_rows(g_.type(o), c);
  }

  /// Whether a product is computed in vectors: of floats, or of elements that are narrower than its sums.
  constexpr bool gives_vectors(int n) const {
    return is_floating(g_.type(n).type) || g_.type(g_.operand(n, 0)).type != g_.type(n).type;
  }

  constexpr bool can_reduce(int n, int ci) const {
    const cluster& c = f_.clusters[ci];
    const int o = g_.operand(n, 0);
    const bool rows = c.kind == cluster_kind::map || (c.kind == cluster_kind::sweep && c.reduced == g_.word(n, 0));
    return rows && has_room(n, ci, 0) && !f_[o].per_row && shape_of(o) == c.shape && lanes_fit(n, c);
  }

  /// Two clusters over the same elements, neither of which needs the other; elementwise work goes along with anything.
  constexpr bool can_merge(int a, int b) {
    const cluster& x = f_.clusters[a];
    const cluster& y = f_.clusters[b];
    return x.shape == y.shape && kinds_merge(x, y) && both_fit(x, y) && f_.order.independent(a, b);
  }
  static constexpr bool kinds_merge(const cluster& x, const cluster& y) {
    const bool x_map = x.kind == cluster_kind::map, y_map = y.kind == cluster_kind::map;
    if (!(x_map && merges(y.kind)) && !(y_map && merges(x.kind)) && !are_alike_sweeps(x, y)) return false;
    const bool contraction = x.kind == cluster_kind::contraction || y.kind == cluster_kind::contraction;
    return !contraction || (x.lane_bytes != -1 && y.lane_bytes != -1);
  }
  static constexpr bool are_alike_sweeps(const cluster& x, const cluster& y) {
    return x.kind == y.kind && x.reduced == y.reduced &&
           (x.kind == cluster_kind::sweep || (x.kind == cluster_kind::scan && x.backwards == y.backwards));
  }
  static constexpr bool merges(cluster_kind k) {
    return k == cluster_kind::map || k == cluster_kind::sweep || k == cluster_kind::scan || k == cluster_kind::contraction;
  }
  constexpr bool both_fit(const cluster& x, const cluster& y) const {
    const int sweeps = x.sweeps > y.sweeps ? x.sweeps : y.sweeps;
    const bool maps = x.kind == cluster_kind::map && y.kind == cluster_kind::map && x.open + y.open > limits_.few;
    return x.size + y.size < (maps ? limits_.map_nodes : limits_.nodes) &&  // the node that joins both comes on top
           x.reads + y.reads <= limits_.reads &&
           x.reads + y.reads + x.open + y.open + 4 <= (maps ? limits_.map_slots : limits_.slots) &&  // that one has 4 at most
           (maps || (x.size + y.size + 1) * sweeps <= limits_.instructions) &&
           (x.lane_bytes == y.lane_bytes || x.lane_bytes == 0 || y.lane_bytes == 0);
  }

  constexpr void start(int n, cluster_kind kind) {
    cluster c;
    c.kind = kind;
    c.space = g_.type(n);
    c.shape = shape_of(n);
    c.root = n;
    c.lane_bytes = lanes_[n];
    f_.clusters.push_back(c);
    join(n, f_.order.add());
  }

  constexpr void join(int n, int ci) {
    cluster& c = f_.clusters[ci];
    node_place* const places = f_.places.data();
    node_place& own = places[n];
    own.when = when_in(n, ci);
    const int sweeps = own.when + (own.per_row ? 0 : 1);
    if (sweeps > c.sweeps) c.sweeps = sweeps;
    own.cluster = own.home = ci;
    ++c.size;
    ++c.open;
    if (c.kind != cluster_kind::opaque && c.lane_bytes == 0) c.lane_bytes = lanes_[n];
    int *const uses = uses_.data(), *const reader = reader_.data();
    const int* const in = g_.operands_of(n);
    for (int k = 0, count = g_[n].count; k < count; ++k) {
      const int o = in[k], h = f_.home_of(o);
      if (h == ci) {
        if (places[o].cluster >= 0 && --uses[o] == 0) --c.open;
        continue;
      }
      // What the cluster that was the last to read it reads again is one operand.
      const bool is_read = reader[o] > 0 && f_.order.find(reader[o] - 1) == ci;
      if (!is_read && constant_behind(g_, o) < 0) {
        reader[o] = ci + 1;
        ++c.reads;
      }
      if (h >= 0) f_.order.put(h, ci);
    }
  }

  constexpr void merge(int a, int b) {
    cluster& x = f_.clusters[a];
    const cluster& y = f_.clusters[b];
    x.size += y.size;
    x.reads += y.reads;
    x.open += y.open;
    if (y.sweeps > x.sweeps) x.sweeps = y.sweeps;
    if (x.kind == cluster_kind::map) {
      x.kind = y.kind;
      x.reduced = y.reduced;
      x.backwards = y.backwards;
      x.root = y.root;
    }
    if (x.lane_bytes == 0) x.lane_bytes = y.lane_bytes;
    f_.order.merge(a, b);
  }

  graph& g_;
  const target_description& target_;
  const cluster_limits& limits_;
  fusion f_;
  vector<int> shape_, lanes_of_type_;  ///< per type
  vector<int> lanes_;                  ///< per node: lane_bytes of a cluster of this node alone
  vector<int> reader_;                 ///< per node: the cluster that was the last to read it from outside, and 1
  vector<int> uses_;                   ///< per node: fetches, and operands outside of its cluster so far
};

}  // namespace etch::detail
