// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/arithmetic.hpp>
#include <etch/ops/axis_letters.hpp>
#include <etch/ops/contraction.hpp>

/// Sums of products along any axes of two tensors.
namespace etch {

namespace detail {

/// The letters of a contraction: of either operand's axes, and of the result's. A letter of one operand alone is one of the result.
struct contraction_letters {
  axis_letters a, b, result;

  constexpr axis_letters inner() const { return a.both_with(b).but(result); }
  constexpr axis_letters rows() const { return a.but(b); }
  constexpr axis_letters columns() const { return b.but(a); }
  constexpr contraction_letters exchanged() const { return {b, a, result}; }
  /// Whether b is better the first operand: the second one is that whose own axis the result has last, so that vectors, which lie along
  /// columns, are stored as they are. An operand without an axis of its own is the second: it is a column then.
  constexpr bool is_better_exchanged() const {
    if (columns().count == 0 || rows().count == 0) return columns().count > 0;
    return a.has(result.but(a.both_with(b)).last());
  }
  /// The same with other letters: the result's are a, b, c, ..., those that are summed i, j, k, ... in the order of the first operand.
  constexpr contraction_letters canonical() const {
    const axis_letters summed = inner();
    contraction_letters r = *this;
    for (axis_letters* each : {&r.a, &r.b, &r.result})
      for (int i = 0; i < each->count; ++i) {
        const int kept = result.find(each->at[i]);
        each->at[i] = static_cast<char>(kept >= 0 ? 'a' + kept : first_inner + summed.find(each->at[i]));
      }
    return r;
  }
  /// Whether it is a matrix product of the operands as they are: of a stack that both have, of matrices, or of one and a column.
  constexpr bool is_matmul() const {
    if (b.count == 1 && inner().count == 1) return a.count == 2 && a == result + b;
    const axis_letters stack = a.both_with(b).both_with(result);
    return rows().count == 1 && columns().count == 1 && a == stack + rows() + inner() && b == stack + inner() + columns() &&
           inner().count == 1 && result == stack + rows() + columns();
  }

  static constexpr char first_inner = 'a' + max_rank;
  static constexpr bool is_inner(char letter) { return letter >= first_inner; }
};

/// Where the axes `to` are among the axes `from`.
constexpr words order_of(const axis_letters& to, const axis_letters& from) {
  words w;
  for (int i = 0; i < to.count; ++i) w.push_back(from.find(to.at[i]));
  return w;
}
constexpr bool is_in_order(const words& order) {
  for (int i = 0; i < order.count; ++i)
    if (order[i] != i) return false;
  return true;
}
/// x, whose axes are `from`, with those that it has of `to` in that order. In gradient rules.
template <handle V>
constexpr V arranged(V x, const axis_letters& from, const axis_letters& to) {
  const words order = order_of(to.both_with(from), from);
  return is_in_order(order) ? x : emit<struct transpose>(order, x);
}
/// The same, and axes of extent 1 for the others.
template <handle V>
constexpr V spread(V x, const axis_letters& from, const axis_letters& to) {
  const V in_order = arranged(x, from, to);
  tensor_type type = x.type();
  type.rank = 0;
  for (int i = 0; i < to.count; ++i) type.extents[type.rank++] = from.has(to.at[i]) ? x.type().extents[from.find(to.at[i])] : 1;
  return reshape.to(in_order, type);
}

}  // namespace detail

/// The sums, along the axes whose letters the result has not, of products of an element of either operand; what `einsum` of two operands
/// that share such a letter is. Attributes: a word of letters for each operand's axes. The result's axes are a, b, c, ... up to h; those
/// that are summed are i, j, k, ..., which both operands have. At least one is summed.
inline constexpr struct tensor_contraction : op_defaults {
  static constexpr const char* name = "tensor_contraction";
  static constexpr op_kind kind = op_kind::contraction;
  static constexpr op_role role = op_role::contraction;
  static constexpr int arity = 2;
  static constexpr dtype_rule operands = dtype_rule::promote;
  static constexpr dtype_set accepts = dtype_set::numeric;
  static constexpr int cost = 2;
  static constexpr bool has_simpler_forms = true;
  static constexpr attribute_names names = attribute_names({"a", attribute_kind::letters}, {"b", attribute_kind::letters});

  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    tensor_type r = in[0];
    if (in[0].type != in[1].type) return context.fail(reason::dtypes_differ, r);
    if (!contains(accepts, r.type)) return context.fail(why_not_accepted(r.type), r);
    const detail::contraction_letters letters = letters_of(w);
    if (in[0].rank != letters.a.count || in[1].rank != letters.b.count) return context.fail(reason::rank_too_small, r);
    for (int i = 0; i < letters.a.count; ++i) {
      const int other = letters.b.find(letters.a.at[i]);
      if (other >= 0 && !context.agree(in[0].extents[i], in[1].extents[other]))
        return context.fail(reason::inner_extents_differ, r);
    }
    r.rank = letters.result.count;
    for (int k = 2; k-- > 0;) {
      const detail::axis_letters& own = k == 0 ? letters.a : letters.b;
      for (int i = 0; i < own.count; ++i)
        if (!letters.is_inner(own.at[i])) r.extents[own.at[i] - 'a'] = in[k].extents[i];
    }
    return r;
  }
  static constexpr void axes(extent_table&, const tensor_type* in, const tensor_type& result, const words& w, product_axes& p) {
    const detail::contraction_letters letters = letters_of(w);
    for (int i = 0; i < result.rank; ++i) {
      const bool in_a = letters.a.has(letters.result.at[i]), in_b = letters.b.has(letters.result.at[i]);
      p.of[i] = in_a == in_b ? product_axes::group::stack : in_a ? product_axes::group::rows : product_axes::group::columns;
    }
    for (int k = 0; k < 2; ++k) {
      const detail::axis_letters& own = k == 0 ? letters.a : letters.b;
      for (int i = 0; i < own.count; ++i) {
        const char l = own.at[i];
        if (k == 0 && letters.is_inner(l)) p.add_inner(in[0].extents[i]);
        p.operand[k].add(i, letters.is_inner(l) ? result.rank + (l - letters.first_inner) : l - 'a');
      }
    }
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r) {
    const detail::contraction_letters letters = letters_of(r.attributes);
    r.dx[0] = of(r.dy, r.x[1], {letters.result, letters.b, letters.a});
    r.dx[1] = of(r.dy, r.x[0], {letters.result, letters.a, letters.b});
  }
  /// One that is a matrix product, perhaps of transposed operands, is that: equal values are equal nodes.
  template <class V>
  static constexpr V simpler(const rewriting<V>& r) {
    return matmul_of(r.x[0], r.x[1], letters_of(r.attributes));
  }

 private:
  static constexpr detail::contraction_letters letters_of(const words& w) {
    detail::contraction_letters r{detail::axis_letters::of(w[0]), detail::axis_letters::of(w[1]), {}};
    for (char l = 'a'; r.a.has(l) || r.b.has(l); ++l)
      if (!r.is_inner(l)) r.result.push_back(l);
    return r;
  }
  /// In gradient rules. What is not summed at all is a product of elements, which fuses.
  template <class V>
  static constexpr V of(V a, V b, const detail::contraction_letters& letters) {
    if (letters.inner().count == 0)
      return detail::spread(a, letters.a, letters.result) * detail::spread(b, letters.b, letters.result);
    return letters.is_better_exchanged() ? in_order(b, a, letters.exchanged()) : in_order(a, b, letters);
  }
  /// Of matrices it is their product at once: loops add up all steps' in one (`passes/reverse_mode.hpp`), and tapes read them either way.
  template <class V>
  static constexpr V in_order(V a, V b, const detail::contraction_letters& letters) {
    if (letters.a.count == 2 && letters.b.count == 2 && letters.result.count == 2) return matmul_of(a, b, letters);
    const detail::contraction_letters canonical = letters.canonical();
    return emit<struct tensor_contraction>(words(canonical.a.word(), canonical.b.word()), a, b);
  }
  /// Not valid where it is none, or would take more than an exchange of axes.
  template <class V>
  static constexpr V matmul_of(V a, V b, const detail::contraction_letters& l) {
    const int stacked = l.result.count - 2;
    if (l.inner().count != 1 || stacked < 0) return V{};
    if (!l.rows().has(l.result.at[stacked]) || !l.columns().has(l.result.last())) return V{};
    const detail::axis_letters stack = l.result.without(stacked + 1).without(stacked);
    // An operand may lack axes of the stack in front, along which it repeats.
    for (const detail::axis_letters* own : {&l.a, &l.b}) {
      bool began = false;
      for (int i = 0; i < stack.count; ++i) {
        if (began && !own->has(stack.at[i])) return V{};
        began = own->has(stack.at[i]);
      }
    }
    detail::axis_letters row, column;
    row.push_back(l.result.at[stacked]);
    column.push_back(l.result.last());
    return emit<struct matmul>(words(), detail::arranged(a, l.a, stack + row + l.inner()),
                               detail::arranged(b, l.b, stack + l.inner() + column));
  }
} tensor_contraction;

}  // namespace etch
