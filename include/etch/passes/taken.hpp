// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/comparison.hpp>
#include <etch/ops/movement.hpp>
#include <etch/ops/reduction.hpp>

/// Masks of adjoints: which elements are made of something that a `where` has taken. What it has not taken contributes an exact 0, also
/// where a rule multiplies that 0 by an infinite slope or by NaN. Written once for graphs and tapes, as gradient rules are.
namespace etch::detail {

/// The conditions that all held where an element was taken, from the loss on; none: every element counts.
template <class V>
struct taken_mask {
  static constexpr int most = 4;
  struct condition {
    V holds{};
    bool is_negated = false;
  };
  condition at[most]{};
  int count = 0;
  constexpr bool is_all() const { return count == 0; }
};

template <handle V>
constexpr taken_mask<V> mask_of(V holds) {
  taken_mask<V> m;
  m.at[m.count++].holds = holds;
  return m;
}
/// A mask as bools, in a shape that broadcasts to that of the adjoint.
template <handle V>
constexpr V bools_of(const taken_mask<V>& m) {
  V all{};
  for (int i = 0; i < m.count; ++i) {
    const V holds = m.at[i].is_negated ? emit<struct logical_not>(words(), m.at[i].holds) : m.at[i].holds;
    all = all.valid() ? emit<struct logical_and>(words(), all, holds) : holds;
  }
  return all;
}
/// The mask of what is chosen where the condition holds, or does not.
template <handle V>
constexpr taken_mask<V> chosen_within(const taken_mask<V>& before, V condition, bool is_negated) {
  taken_mask<V> m = before.count < taken_mask<V>::most ? before : mask_of(bools_of(before));
  m.at[m.count++] = {condition, is_negated};
  return m;
}
constexpr bool is_same_value(const ref& a, const ref& b) { return a.node == b.node; }
/// The mask of a sum. Both sides of one `where` together are all that it was asked for: so a leaky relu leaves no mask behind.
template <handle V>
constexpr taken_mask<V> either(const taken_mask<V>& a, const taken_mask<V>& b) {
  if (a.is_all() || b.is_all()) return taken_mask<V>();
  int same = 0;
  while (same < a.count && same < b.count && is_same_value(a.at[same].holds, b.at[same].holds) &&
         a.at[same].is_negated == b.at[same].is_negated)
    ++same;
  taken_mask<V> common = a;
  common.count = same;
  if (same == a.count || same == b.count) return common;
  if (same + 1 == a.count && same + 1 == b.count && is_same_value(a.at[same].holds, b.at[same].holds)) return common;
  return mask_of(emit<struct logical_or>(words(), bools_of(a), bools_of(b)));
}

/// Whether any element holds along those axes, which stay.
template <handle V>
constexpr V any_along(V holds, std::int64_t axes) {
  const tensor_type type = holds.type();
  std::int64_t reduced = 0;
  for (int i = 0; i < type.rank; ++i)
    if ((axes >> i & 1) != 0 && type.extents[i] != 1) reduced |= std::int64_t{1} << i;
  return reduced == 0 ? holds : emit<struct reduce_any>(words(reduced, 1), holds);
}
/// With so many axes, new ones in front.
template <handle V>
constexpr V with_rank(V holds, int rank) {
  tensor_type type = holds.type();
  if (type.rank >= rank) return holds;
  const int extra = rank - type.rank;
  for (int i = rank - 1; i >= 0; --i) type.extents[i] = i >= extra ? type.extents[i - extra] : 1;
  type.rank = rank;
  return reshape.to(holds, type);
}
/// Whether any element holds of those that one of type `to` was repeated to.
template <handle V>
constexpr V unbroadcast_any(V holds, const tensor_type& to) {
  tensor_type type = holds.type();
  const int extra = type.rank - to.rank;
  std::int64_t axes = 0;
  for (int i = 0; i < type.rank; ++i)
    if (i < extra || to.extents[i - extra] == 1) axes |= std::int64_t{1} << i;
  const V any = any_along(holds, axes);
  if (extra <= 0) return any;
  type = any.type();
  type.rank = to.rank;
  for (int i = 0; i < to.rank; ++i) type.extents[i] = any.type().extents[i + extra];
  return reshape.to(any, type);
}
template <handle V>
constexpr taken_mask<V> unbroadcast_any(const taken_mask<V>& m, const tensor_type& to) {
  bool fits = true;
  for (int i = 0; i < m.count; ++i) {
    const tensor_type own = m.at[i].holds.type();
    fits = fits && own.rank <= to.rank;
    for (int k = 1; k <= own.rank && fits; ++k) fits = own.extents[own.rank - k] == 1 || to.extents[to.rank - k] != 1;
  }
  return fits ? m : mask_of(unbroadcast_any(bools_of(m), to));
}

/// What masks have to know of an op.
struct mask_facts {
  op_kind kind = op_kind::opaque;
  op_role role = op_role::other;
  slope_kind slope = slope_kind::of_operands;
  unsigned (*batch)(const words&, int) = nullptr;
  void (*axes)(extent_table&, const tensor_type*, const tensor_type&, const words&, product_axes&) = nullptr;

  constexpr bool is_elementwise() const { return kind == op_kind::elementwise || role == op_role::broadcast; }
  /// Whether its rule moves elements of the adjoint in a way that the rule alone knows.
  constexpr bool moves() const { return slope == slope_kind::fixed && !is_elementwise() && kind != op_kind::reduction; }
};

/// Of a sum of products: whether anything taken is made of the elements of operand k, along those of its axes that the result has.
template <handle V>
constexpr V any_of_product(const mask_facts& op, const words& w, V holds, const tensor_type& y, const tensor_type* x, int k) {
  product_axes p;
  op.axes(extents_of(holds), x, y, w, p);
  const index_map& at = p.operand[k];
  int axis_of[max_rank], terms[max_rank] = {};
  for (int i = 0; i < at.count; ++i) {
    const index_map::term& t = at.terms[i];
    axis_of[t.operand_axis] = ++terms[t.operand_axis] == 1 && t.result_axis < y.rank ? t.result_axis : -1;
  }
  words order;
  std::int64_t others = (std::int64_t{1} << y.rank) - 1;
  for (int i = 0; i < x[k].rank; ++i) {
    if (terms[i] == 0 || axis_of[i] < 0) continue;
    order.push_back(axis_of[i]);
    others &= ~(std::int64_t{1} << axis_of[i]);
  }
  for (int i = 0; i < y.rank; ++i)
    if ((others >> i & 1) != 0) order.push_back(i);
  bool in_order = true;
  for (int i = 0; i < y.rank; ++i) in_order = in_order && order[i] == i;
  const V there = any_along(with_rank(holds, y.rank), others), any = in_order ? there : emit<struct transpose>(order, there);
  tensor_type type = any.type();
  type.rank = x[k].rank;
  for (int i = 0, from = 0; i < x[k].rank; ++i) type.extents[i] = terms[i] == 0 || axis_of[i] < 0 ? 1 : any.type().extents[from++];
  return reshape.to(any, type);
}
/// The same of products with vectors, as tapes have them.
template <handle V>
constexpr V any_of_vectors(const mask_facts& op, const words& w, V holds, const tensor_type& y, const tensor_type* x, int k) {
  const bool is_row = x[0].rank == 1, is_column = x[1].rank == 1;
  const auto with_one = [](tensor_type type, int at) {
    for (int i = type.rank++; i > at; --i) type.extents[i] = type.extents[i - 1];
    type.extents[at] = 1;
    return type;
  };
  tensor_type whole = with_rank(holds, y.rank).type(), result = y;
  if (is_column) whole = with_one(whole, whole.rank), result = with_one(result, result.rank);
  if (is_row) whole = with_one(whole, whole.rank - 1), result = with_one(result, result.rank - 1);
  const tensor_type in[] = {is_row ? with_one(x[0], 0) : x[0], is_column ? with_one(x[1], 1) : x[1]};
  const V any = any_of_product(op, w, reshape.to(holds, whole), result, in, k);
  if (x[k].rank > 1) return any;
  tensor_type one = any.type();
  one.rank = 0;
  return reshape.to(any, one);
}

/// The mask of operand k of an op that is not elementwise, where `holds` is that of its result: of what anything taken is made of. It
/// may hold for more: of a product for an element whose row of the result has anything taken, of an op with a kernel of its own for all
/// of an element along the first axis, or for all.
template <handle V>
constexpr V any_behind(const mask_facts& op, const words& w, V holds, const tensor_type& y, const tensor_type* x, int k) {
  if (op.kind == op_kind::reduction) {
    if (w[1] != 0) return holds;
    tensor_type type = with_rank(holds, y.rank).type();
    const tensor_type own = type;
    type.rank = x[k].rank;
    for (int i = 0, from = 0; i < type.rank; ++i) type.extents[i] = (w[0] >> i & 1) != 0 ? 1 : own.extents[from++];
    return reshape.to(holds, type);
  }
  if (op.axes != nullptr)
    return x[0].rank == 1 || x[1].rank == 1 ? any_of_vectors(op, w, holds, y, x, k) : any_of_product(op, w, holds, y, x, k);
  const unsigned batch = op.batch != nullptr && y.rank > 0 && x[k].rank > 0 ? op.batch(w, y.rank) : 0;
  const bool by_first = (batch & 1) != 0 && (batch >> (1 + k) & 1) != 0;
  const V any = any_along(with_rank(holds, y.rank), by_first ? ~std::int64_t{1} : ~std::int64_t{0});
  tensor_type type = any.type();
  if (!by_first) type.rank = 0;
  if (by_first)
    for (type.rank = 1; type.rank < x[k].rank; ++type.rank) type.extents[type.rank] = 1;
  return reshape.to(any, type);
}

/// What is wanted of an operand.
enum class wanted_part : std::uint8_t { nothing, gradient, gradient_and_mask };

/// Runs a rule on an adjoint with a mask: what it gives for elements of which nothing was taken is 0, and masks[k] is the mask of what it
/// adds to operand k. `run` is the rule, `reach` the op's own or null, Tools knows masks of V. Factors of products that are variables are taken
/// for finite: to pass over each weight once more was most of what a mask cost a dense layer.
template <class Tools, handle V, class Run>
constexpr void run_masked(const Tools& tools, const mask_facts& op, const typename Tools::mask& m, const gradient_rule<V>& r,
                          const wanted_part* wanted, const char* is_variable, const Run& run, const Run& reach,
                          typename Tools::mask* masks) {
  constexpr wanted_part nothing = wanted_part::nothing, with_mask = wanted_part::gradient_and_mask;
  using bools = typename Tools::bools;
  if (op.slope == slope_kind::chosen) {
    run(r);
    for (int k = 1; k < 3; ++k)
      if (wanted[k] == with_mask) masks[k] = tools.chosen(m, r.x[0], k == 2, r.x[k].type());
    return;
  }
  if (op.is_elementwise()) {
    run(r);
    const bools holds = op.slope == slope_kind::of_operands ? tools.bools_of(m) : bools{};
    for (int k = 0; k < r.count; ++k) {
      if (wanted[k] == nothing || !r.dx[k].valid()) continue;
      if (holds.valid()) r.dx[k] = tools.select(holds, r.dx[k]);
      if (wanted[k] == with_mask) masks[k] = tools.unbroadcast(m, r.x[k].type());
    }
    return;
  }
  const bools holds = tools.bools_of(m);
  vector<bools> behind(r.count, bools{});
  bool any_mask = false;
  for (int k = 0; k < r.count; ++k) any_mask = any_mask || wanted[k] == with_mask;
  const auto find_moved = [&](const auto& rule) {
    vector<V> moved(r.count, V());
    rule(gradient_rule<V>{r.attributes, r.x, r.count, r.y, tools.numbers(holds, r.dy), moved.data()});
    for (int k = 0; k < r.count; ++k)
      if (moved[k].valid()) behind[k] = tools.is_not_zero(moved[k]);
  };
  if (op.moves()) {
    run(r);
    if (any_mask) find_moved(run);
    for (int k = 0; k < r.count; ++k)
      if (wanted[k] == with_mask && behind[k].valid()) masks[k] = tools.mask_of(behind[k]);
    return;
  }
  // Rules that add up would add 0 times infinity: they are given 0 for operands, and results, that nothing taken is made of.
  vector<V> x(r.count, V());
  vector<tensor_type> types(r.count);
  for (int k = 0; k < r.count; ++k) types[k] = r.x[k].type();
  if (reach != nullptr) find_moved(reach);
  for (int k = 0; k < r.count; ++k) {
    x[k] = r.x[k];
    if (!is_floating(types[k].type) || (op.axes != nullptr && is_variable[k] != 0)) continue;
    if (reach == nullptr) behind[k] = tools.any_behind(op, r.attributes, holds, r.y.type(), types.data(), k);
    const bool is_read = op.axes != nullptr ? wanted[1 - k] != nothing : op.kind != op_kind::reduction;
    if (is_read && behind[k].valid()) x[k] = tools.select(behind[k], x[k]);
  }
  const V y = op.kind == op_kind::opaque || op.kind == op_kind::scan ? tools.select(holds, r.y) : r.y;
  run(gradient_rule<V>{r.attributes, x.data(), r.count, y, r.dy, r.dx});
  for (int k = 0; k < r.count; ++k) {
    if (wanted[k] == nothing || !r.dx[k].valid()) continue;
    if (behind[k].valid() && op.slope == slope_kind::of_operands) r.dx[k] = tools.select(behind[k], r.dx[k]);
    if (wanted[k] == with_mask && behind[k].valid()) masks[k] = tools.mask_of(behind[k]);
  }
}

}  // namespace etch::detail
