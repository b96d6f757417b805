// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/axes.hpp>
#include <etch/ops/convolution_phases.hpp>
#include <etch/ops/windows.hpp>

/// Convolution and its two adjoints, for any number of axes.
///
/// The three are the partial derivatives of one sum, over all places of windows and all places in a window,
///   sum of x[n, stride * o + dilation * k - before, g, c] * w[k, g, c, f] * y[n, o, g, f]
/// where x is the image (batch, axes..., channels), w the kernel (axes..., channels, filters) and y the result (batch, axes...,
/// filters). Of grouped channels all three have one axis more, g, before the last (of w: the last two). So the gradients of each are
/// the others. Where each channel has one filter, its own, x is (batch, axes..., channels), w (axes..., channels) and y (batch, axes...,
/// channels): one axis for g, c and f. Of that kernel the gradient is the one with groups of one channel and one filter.
/// Attributes, for each axis of windows: stride, dilation, before, after; see `window_axis`.
namespace etch {

namespace detail {

/// How the image of a convolution is padded before it is computed: into memory with zeros, by the op `pad`. What is left out instead
/// takes no copy.
struct image_padding {
  bool any = false;
  bool has_steps = false;
  bool is_empty = false;  ///< an axis has no elements: then nothing is read
  words pad;              ///< the attributes of `pad`
  tensor_type type;       ///< of the padded image
  words after;            ///< the attributes of the convolution of the padded image

  /// Axis i of the image, which has `step` - 1 zeros between its elements.
  constexpr void add(extent_table& extents, int i, std::int64_t step, std::int64_t before, std::int64_t behind) {
    const std::int64_t front = before > 0 ? before : 0, back = behind > 0 ? behind : 0;
    has_steps = has_steps || step != 1;
    any = any || step != 1 || front != 0 || back != 0;
    pad.push_back(front);
    pad.push_back(back);
    pad.push_back(step);
    is_empty = is_empty || type.extents[i] == 0;
    type.extents[i] = extents.sum(extents.scaled(type.extents[i], step), 1 - step + front + back);
  }
  constexpr void add_whole() {
    pad.push_back(0);
    pad.push_back(0);
    pad.push_back(1);
  }
};

/// What the three have in common. Each says which shape it has, how it pads its first operand (`pad_along`) and how it walks them.
template <class Op>
struct convolution_family : op_defaults {
  static constexpr op_kind kind = op_kind::contraction;
  static constexpr op_role role = op_role::convolution;
  static constexpr int arity = 2;
  static constexpr dtype_rule operands = dtype_rule::promote;
  static constexpr dtype_set accepts = dtype_set::numeric;
  static constexpr int cost = 2;
  static constexpr bool has_simpler_forms = true;
  static constexpr attribute_names names =
      attribute_names({"stride"}, {"dilation"}, {"before", attribute_kind::padding}, {"after", attribute_kind::padding}).repeated();

  /// The number of axes of windows, and whether channels are grouped.
  static constexpr int axes_in(const words& w) { return w.count / 4; }
  static constexpr int groups_in(const tensor_type& t, const words& w) { return t.rank - axes_in(w) - 2; }

  /// The second operand has `less` axes less than the first.
  static constexpr bool fits(inference& context, const tensor_type& a, const tensor_type& b, const words& w, int less = 0) {
    if (a.type != b.type) return fails(context, reason::dtypes_differ);
    if (!contains(accepts, a.type)) return fails(context, why_not_accepted(a.type));
    if (a.rank < axes_in(w) + 2) return fails(context, reason::rank_too_small);
    if (a.rank - less != b.rank || a.rank > axes_in(w) + 3 - less)
      return fails(context, reason::a_convolution_has_a_batch_axes_of_windows_and_channels);
    return true;
  }
  /// Whether two extents agree: those of channels or filters, or of a batch.
  static constexpr void match(inference& context, extent_value a, extent_value b, reason otherwise) {
    if (!context.agree(a, b)) context.fail(otherwise, {});
  }
  static constexpr bool fails(inference& context, reason why) {
    context.fail(why, {});
    return false;
  }

  static constexpr image_padding padding_of(extent_table& extents, const tensor_type* in, const words& w) {
    image_padding p;
    p.type = in[0];
    inference context{extents};
    p.add_whole();
    for (int i = 0; i < axes_in(w); ++i) Op::pad_along(context, in, window_axis::of(w, i), i, p);
    while (p.pad.count < 3 * in[0].rank) p.add_whole();
    return p;
  }
  /// Of an image that is padded in memory, unless it may be read outside. A transposed one is not: in memory its channels lie apart.
  template <class V>
  static constexpr V simpler(const rewriting<V>& r) {
    const tensor_type in[] = {r.x[0].type(), r.x[1].type()};
    const image_padding p = padding_of(extents_of(r.x[0]), in, r.attributes);
    if (!p.has_steps && Op::may_read_outside(in, r.attributes) && !is_transposed(r.x[0]) && !is_transposed(r.x[1])) return V{};
    return p.any && !p.is_empty ? emit<Op>(p.after, emit_as<struct pad>(p.pad, p.type, r.x[0]), r.x[1]) : V{};
  }
  template <class V>
  static constexpr bool is_transposed(V x) {
    const V inner = operand_of<struct reshape>(x, 0);
    return operand_of<struct transpose>(inner.valid() ? inner : x, 0).valid();
  }
  /// Makes places outside of the first operand part of it.
  static constexpr void read_outside(extent_table& extents, const tensor_type* in, const words& w, product_axes& p) {
    const image_padding around = padding_of(extents, in, w);
    for (int i = 1; i <= axes_in(w); ++i) {
      const std::int64_t front = around.pad[3 * i], back = around.pad[3 * i + 1];
      if (front != 0) p.operand[0].begin[i] = -front;
      if (front != 0 || back != 0) p.outside |= 1u << i;
    }
  }
  /// Channels times filters, as extents of floats: of fewer, to find what lies inside takes longer than to multiply zeros.
  static constexpr std::int64_t least_read_outside = 1024;
  static constexpr bool may_read_outside(dtype type, extent_value channels, extent_value filters) {
    return is_floating(type) && is_static(channels) && is_static(filters) && channels * filters >= least_read_outside;
  }
  /// Where axis i of the first operand is read from on: what is left out of it.
  static constexpr std::int64_t first_read(std::int64_t before) { return before < 0 ? -before : 0; }
};

/// The two that walk an image with a kernel, whose axis `Channels`, counted from the last, is summed over with the image's. `Along` gives
/// a window_axis its paddings as numbers, and the result's extent.
template <class Op, extent_value (window_axis::*Along)(inference&, extent_value, extent_value), int Channels>
struct convolution_of_image : convolution_family<Op> {
  using family = convolution_family<Op>;

  /// Whether each channel has one filter, its own.
  static constexpr bool is_channelwise(const tensor_type* in) { return in[1].rank < in[0].rank; }
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    tensor_type r = in[0];
    if (!family::fits(context, in[0], in[1], w, is_channelwise(in) ? 1 : 0)) return r;
    const int last = r.rank - 1, groups = family::groups_in(r, w);
    for (int i = 0; i < family::axes_in(w); ++i) {
      window_axis a = window_axis::of(w, i);
      r.extents[1 + i] = (a.*Along)(context, in[0].extents[1 + i], in[1].extents[i]);
    }
    if (is_channelwise(in)) {
      family::match(context, in[0].extents[last], in[1].extents[last - 1], reason::channels_differ);
      return r;
    }
    if (groups != 0) family::match(context, in[0].extents[last - 1], in[1].extents[last - 2], reason::channels_differ);
    family::match(context, in[0].extents[last], in[1].extents[last - Channels], reason::channels_differ);
    r.extents[last] = in[1].extents[last - 1 + Channels];
    return r;
  }
  static constexpr bool may_read_outside(const tensor_type* in, const words&) {
    const tensor_type& kernel = in[1];
    return is_channelwise(in) ||
           family::may_read_outside(kernel.type, kernel.extents[kernel.rank - 2], kernel.extents[kernel.rank - 1]);
  }
  static constexpr void axes(extent_table& extents, const tensor_type* in, const tensor_type& result, const words& w,
                             product_axes& p) {
    const int last = result.rank - 1, count = family::axes_in(w);
    p.of[last] = is_channelwise(in) ? product_axes::group::stack : product_axes::group::columns;
    for (int i = 0; i <= count; ++i) p.of[i] = product_axes::group::rows;
    p.operand[0].add(0, 0);
    for (int i = 0; i < count; ++i) {
      Op::walk_along(window_axis::of(w, i), in[1].extents[i], i, result.rank + i, p);
      p.add_inner(in[1].extents[i]);
    }
    if (may_read_outside(in, w)) family::read_outside(extents, in, w, p);
    if (is_channelwise(in)) {
      p.operand[0].add(last, last);
      p.operand[1].add(last - 1, last);
      return;
    }
    if (family::groups_in(in[0], w) != 0) {
      p.operand[0].add(last - 1, last - 1);
      p.operand[1].add(last - 2, last - 1);
    }
    p.operand[0].add(last, result.rank + count);
    p.operand[1].add(last - Channels, result.rank + count);
    p.operand[1].add(last - 1 + Channels, last);
    p.add_inner(in[0].extents[last]);
  }
  /// The attributes with paddings as numbers, and nothing left over behind the last window: those of the gradients.
  template <class V>
  static constexpr words placed(const gradient_rule<V>& r) {
    words w;
    inference context{extents_of(r.dy)};
    for (int i = 0; i < family::axes_in(r.attributes); ++i) {
      window_axis a = window_axis::of(r.attributes, i);
      (a.*Along)(context, r.x[0].type().extents[1 + i], r.x[1].type().extents[i]);
      a.append_to(w);
    }
    return w;
  }
};

}  // namespace detail

/// y of x and w.
inline constexpr struct convolution : detail::convolution_of_image<struct convolution, &window_axis::place, 1> {
  static constexpr const char* name = "convolution";

  static constexpr void pad_along(inference& context, const tensor_type* in, window_axis a, int i, detail::image_padding& p) {
    a.place(context, in[0].extents[1 + i], in[1].extents[i]);
    p.add(context.extents, 1 + i, 1, a.before, a.after);
    window_axis{a.stride, a.dilation, a.before < 0 ? a.before : 0, a.after < 0 ? a.after : 0}.append_to(p.after);
  }
  static constexpr void walk_along(window_axis a, std::int64_t, int i, int inner, product_axes& p) {
    p.operand[0].begin[1 + i] = first_read(a.before);
    p.operand[0].add(1 + i, 1 + i, a.stride);
    p.operand[0].add(1 + i, inner, a.dilation);
    p.operand[1].add(i, inner);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} convolution;

/// x of y and w: where the result's windows lie exactly. A convolution transposed.
inline constexpr struct convolution_transpose
    : detail::convolution_of_image<struct convolution_transpose, &window_axis::length, 0> {
  static constexpr const char* name = "convolution_transpose";

  /// With strides by phases, where there are not too many. Of each channel alone the phases would take longer to join than the zeros
  /// to multiply.
  template <class V>
  static constexpr V simpler(const rewriting<V>& r) {
    const tensor_type in[] = {r.x[0].type(), r.x[1].type()};
    window_axis along[max_rank];
    inference context{extents_of(r.x[0])};
    for (int i = 0; i < axes_in(r.attributes); ++i) {
      along[i] = window_axis::of(r.attributes, i);
      along[i].length(context, in[0].extents[1 + i], in[1].extents[i]);
    }
    detail::phases<struct convolution_transpose, V> phases(r, along, axes_in(r.attributes));
    if (!is_channelwise(in) && phases.are_there()) return phases.joined();
    return family::simpler(r);
  }
  /// The result is a convolution of y, its elements as far apart as windows, with the kernel reversed.
  static constexpr void pad_along(inference& context, const tensor_type* in, window_axis a, int i, detail::image_padding& p) {
    a.length(context, in[0].extents[1 + i], in[1].extents[i]);
    const std::int64_t around = a.reach(in[1].extents[i]) - 1;
    p.add(context.extents, 1 + i, a.stride, around - a.before, around - a.after);
    window_axis{1, a.dilation, a.before > around ? a.before : around, a.after > around ? a.after : around}.append_to(p.after);
  }
  static constexpr void walk_along(window_axis a, std::int64_t window, int i, int inner, product_axes& p) {
    p.operand[0].begin[1 + i] = first_read(a.reach(window) - 1 - a.before);
    p.operand[0].add(1 + i, 1 + i);
    p.operand[0].add(1 + i, inner, a.dilation);
    p.operand[1].begin[i] = window - 1;
    p.operand[1].add(i, inner, -1);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} convolution_transpose;

/// w of x and y: what a kernel's gradient is.
inline constexpr struct convolution_kernel : detail::convolution_family<struct convolution_kernel> {
  static constexpr const char* name = "convolution_kernel";

  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words& w) {
    tensor_type r = in[0];
    if (!fits(context, in[0], in[1], w)) return r;
    const int last = r.rank - 1, count = axes_in(w), groups = groups_in(r, w);
    for (int i = 0; i < count; ++i)
      r.extents[i] = window_axis::of(w, i).extent(context, in[0].extents[1 + i], in[1].extents[1 + i]);
    match(context, in[0].extents[0], in[1].extents[0], reason::batch_extents_differ);
    if (groups != 0) {
      match(context, in[0].extents[last - 1], in[1].extents[last - 1], reason::channels_differ);
      r.extents[last - 2] = in[0].extents[last - 1];
    }
    r.extents[last - 1] = in[0].extents[last];
    r.extents[last] = in[1].extents[last];
    return r;
  }
  static constexpr void pad_along(inference& context, const tensor_type*, window_axis a, int i, detail::image_padding& p) {
    p.add(context.extents, 1 + i, 1, a.before, a.after);
    window_axis{a.stride, a.dilation, a.before < 0 ? a.before : 0, a.after < 0 ? a.after : 0}.append_to(p.after);
  }
  /// Also where each group has one channel and one filter.
  static constexpr bool may_read_outside(const tensor_type* in, const words& w) {
    const extent_value channels = in[0].extents[in[0].rank - 1], filters = in[1].extents[in[1].rank - 1];
    return (groups_in(in[0], w) != 0 && channels == 1 && filters == 1) ||
           convolution_family::may_read_outside(in[0].type, channels, filters);
  }
  static constexpr void axes(extent_table& extents, const tensor_type* in, const tensor_type& result, const words& w,
                             product_axes& p) {
    const int last = result.rank - 1, count = axes_in(w), groups = groups_in(in[0], w);
    for (int i = 0; i < last; ++i) p.of[i] = product_axes::group::rows;
    if (groups != 0) p.of[last - 2] = product_axes::group::stack;
    p.of[last] = product_axes::group::columns;
    p.operand[0].add(0, result.rank);
    p.operand[1].add(0, result.rank);
    p.add_inner(in[1].extents[0]);
    for (int i = 0; i < count; ++i) {
      const window_axis a = window_axis::of(w, i);
      p.operand[0].begin[1 + i] = first_read(a.before);
      p.operand[0].add(1 + i, i, a.dilation);
      p.operand[0].add(1 + i, result.rank + 1 + i, a.stride);
      p.operand[1].add(1 + i, result.rank + 1 + i);
      p.add_inner(in[1].extents[1 + i]);
    }
    if (groups != 0) {
      p.operand[0].add(last - 1, last - 2);
      p.operand[1].add(last - 1, last - 2);
    }
    p.operand[0].add(last, last - 1);
    p.operand[1].add(last, last);
    if (may_read_outside(in, w)) read_outside(extents, in, w, p);
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} convolution_kernel;

namespace detail {
/// The adjoint of a kernel: of image x and result y.
template <class V>
constexpr V kernel_of(const gradient_rule<V>& r, const words& w, V x, V y) {
  const tensor_type kernel = r.x[1].type();
  if (kernel.rank == x.type().rank) return emit<struct convolution_kernel>(w, x, y);
  const auto with_one_more = [](V of) {
    tensor_type type = of.type();
    type.extents[type.rank++] = 1;
    return emit_as<struct reshape>(words(), type, of);
  };
  return emit_as<struct reshape>(words(), kernel, emit<struct convolution_kernel>(w, with_one_more(x), with_one_more(y)));
}
}  // namespace detail

template <class V>
constexpr void convolution::vjp(const gradient_rule<V>& r) {
  const words w = placed(r);
  r.dx[0] = emit<struct convolution_transpose>(w, r.dy, r.x[1]);
  r.dx[1] = detail::kernel_of(r, w, r.x[0], r.dy);
}
template <class V>
constexpr void convolution_transpose::vjp(const gradient_rule<V>& r) {
  const words w = placed(r);
  r.dx[0] = emit<struct convolution>(w, r.dy, r.x[1]);
  r.dx[1] = detail::kernel_of(r, w, r.dy, r.x[0]);
}
template <class V>
constexpr void convolution_kernel::vjp(const gradient_rule<V>& r) {
  r.dx[0] = emit<struct convolution_transpose>(r.attributes, r.x[1], r.dy);
  r.dx[1] = emit<struct convolution>(r.attributes, r.x[0], r.dy);
}

}  // namespace etch
