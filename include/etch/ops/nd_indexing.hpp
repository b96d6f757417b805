// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/exponential.hpp>
#include <etch/ops/indexing.hpp>

/// Indices of several axes at once: each row of `indices` is a position along the first axes of x.
namespace etch {

namespace detail {
/// The type of what positions of `width` axes pick out of x.
constexpr tensor_type picked_type(inference& context, const tensor_type& x, const tensor_type& indices, std::int64_t width) {
  tensor_type r = indices.with(x.type);
  if (!is_integer(indices.type)) return context.fail(reason::indices_are_not_integers, r);
  if (indices.rank < 1 || width < 0 || width > x.rank) return context.fail(reason::rank_too_small, x);
  if (indices.rank - 1 + x.rank - width > max_rank) return context.fail(reason::too_many_axes, x);
  r.rank = indices.rank - 1;
  for (int i = static_cast<int>(width); i < x.rank; ++i) r.extents[r.rank++] = x.extents[i];
  return indices.extents[indices.rank - 1] == width ? r : context.fail(reason::extents_differ, r);
}

/// How many axes the positions in `indices` have.
template <int Width, operand_like I>
constexpr int width_of() {
  if constexpr (Width >= 0) {
    return Width;
  } else {
    static_assert(expression<I>,
                  "gather_nd, scatter_nd: of eager tensors one says how many axes the indices have: gather_nd<2>(x, indices)");
    if constexpr (expression<I>) {
      constexpr auto width = extent_along<-1>(typename I::shape_type{});
      static_assert(std::is_integral_v<std::remove_cvref_t<decltype(width)>>,
                    "gather_nd, scatter_nd: the last extent of the indices is a number");
      return static_cast<int>(width);
    } else {
      return 1;
    }
  }
}
}  // namespace detail

/// Parts of x by position: called as `gather_nd(x, indices)`. Attribute: how many axes a position has.
struct nd_gather : opaque<nd_gather, 2> {
  static constexpr const char* name = "gather_nd";
  static constexpr bool takes_indices = true, copies_elements = true;
  static constexpr slope_kind slope = slope_kind::fixed;
  static constexpr attribute_names names = {{"width"}};
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    return detail::picked_type(context, in[0], in[1], w[0]);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
};

/// x with parts of it changed by position: called as `scatter_nd(x, indices, updates, add)`. Attributes: how many axes a position
/// has; 0 to replace, 1 to add, 2 for the smaller, 3 for the larger.
struct nd_scatter : opaque<nd_scatter, 3> {
  static constexpr const char* name = "scatter_nd";
  static constexpr bool changes_operand = true;
  static constexpr bool adds_updates(const words& w) { return w[1] == 1; }
  static constexpr bool takes_indices = true;
  static constexpr dtype rule_counts_in = dtype::int64;
  static constexpr attribute_names names = {{"width"}, {"mode"}};
  static constexpr bool has_reach = true;
  static constexpr int cost = 1;
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    const tensor_type picked = detail::picked_type(context, in[0], in[1], w[0]);
    if (context.failure != reason::none) return in[0];
    if (w[1] != 0 && !contains(dtype_set::numeric, in[0].type)) return context.fail(why_not_accepted(in[0].type), in[0]);
    if (in[2].type != in[0].type) return context.fail(reason::dtypes_differ, in[0]);
    return context.agree(in[2], picked) ? in[0] : context.fail(reason::extents_differ, in[0]);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
  template <class V>
  static constexpr void reach(const gradient_rule<V>& r);
};

namespace detail {
/// Whether an update is the one that stays of those that replace the same part: the last one. Of the updates' shape, but for
/// axes of extent 1.
template <class V>
constexpr V stays(const gradient_rule<V>& r) {
  const std::int64_t width = r.attributes[0];
  tensor_type rows = r.x[1].type().with(dtype::int64), places = r.x[0].type().with(dtype::int64), line = rows;
  --rows.rank;
  places.rank = static_cast<int>(width);
  line.rank = 1;
  line.extents[0] = rules::element_count(extents_of(r.dy), rows);
  // 0, 1, 2, ... : each row's own number, of which the last one written remains.
  const V ones = filled(r.dy, line, 1);
  const V numbers = reshape.to(emit<struct cumsum>(words(0, 2), ones), rows);
  const V nothing = filled(r.dy, places, -1);
  const V written = emit<nd_scatter>(words(width, 0), nothing, r.x[1], numbers);
  const V last = emit<nd_gather>(words(width), written, r.x[1]) == numbers;
  tensor_type aligned = last.type();
  for (int i = static_cast<int>(width); i < r.x[0].type().rank; ++i) aligned.extents[aligned.rank++] = 1;
  return reshape.to(last, aligned);
}

/// Each of several equal extremes gets an equal part of the gradient, as in max and min.
template <class V>
constexpr void scattered_extreme_vjp(const gradient_rule<V>& r) {
  const words width(r.attributes[0]), adding(r.attributes[0], 1), type(static_cast<int>(r.dy.type().type));
  const V kept = emit<cast>(type, r.x[0] == r.y);
  const V taken = emit<cast>(type, r.x[2] == emit<nd_gather>(width, r.y, r.x[1]));
  const V share = r.dy / emit<nd_scatter>(adding, kept, r.x[1], taken);
  r.dx[0] = kept * share;
  r.dx[2] = taken * emit<nd_gather>(width, share, r.x[1]);
}
}  // namespace detail

template <class V>
constexpr void nd_gather::vjp(const gradient_rule<V>& r) {
  const V zeros = filled(r.dy, r.x[0].type(), 0);
  r.dx[0] = emit<nd_scatter>(words(r.attributes[0], 1), zeros, r.x[1], r.dy);
}
template <class V>
constexpr void nd_scatter::vjp(const gradient_rule<V>& r) {
  if (r.attributes[1] > 1) {
    detail::scattered_extreme_vjp(r);
    return;
  }
  const V picked = emit<nd_gather>(words(r.attributes[0]), r.dy, r.x[1]);
  if (r.attributes[1] == 1) {
    r.dx[0] = r.dy;
    r.dx[2] = picked;
  } else {
    const V zeros = filled(r.dy, r.x[2].type(), 0);
    r.dx[0] = emit<nd_scatter>(r.attributes, r.dy, r.x[1], zeros);
    r.dx[2] = where(detail::stays(r), picked, 0_c);
  }
}

template <class V>
constexpr void nd_scatter::reach(const gradient_rule<V>& r) {
  if (r.attributes[1] <= 1) return vjp(r);
  r.dx[0] = r.dy;
  r.dx[2] = emit<nd_gather>(words(r.attributes[0]), r.dy, r.x[1]);
}

/// Parts of x by position: `gather_nd(x, indices)`. Of indices (..., width) it has the shape (...) + x's without its first `width`
/// axes. An index outside [0, n) is clamped as in gather. Of eager tensors, whose extents the compiler does not know, one says the
/// width: `gather_nd<2>(x, indices)`.
template <int Width = -1, operand_like X, operand_like I>
constexpr auto gather_nd(X x, I indices) {
  return call<nd_gather, attributes<detail::width_of<Width, I>()>>(x, indices);
}

namespace detail {
constexpr int mode_of() { return 0; }
constexpr int mode_of(struct add) { return 1; }
constexpr int mode_of(struct minimum) { return 2; }
constexpr int mode_of(struct maximum) { return 3; }
}  // namespace detail

/// x with parts of it replaced, by position as in `gather_nd`: `scatter_nd(x, indices, updates)`. Of several updates of one part the
/// last one stays. With `add`, `minimum` or `maximum` behind: what is there and all updates, combined.
template <int Width = -1, operand_like X, operand_like I, operand_like U, class... Combined>
  requires requires(Combined... combined) { detail::mode_of(combined...); }
constexpr auto scatter_nd(X x, I indices, U updates, Combined...) {
  return call<nd_scatter, attributes<detail::width_of<Width, I>(), detail::mode_of(Combined{}...)>>(x, indices, updates);
}

}  // namespace etch
