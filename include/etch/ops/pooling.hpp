// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/convolve.hpp>

/// The largest element, and the mean, of each window, and their gradients. Images are (batch, axes..., channels).
namespace etch {

namespace detail {

template <class Op, int Arity, dtype_set Accepts, int WordsEach = pooled_axis::words_each>
struct pooling : op_defaults {
  static constexpr op_kind kind = op_kind::opaque;
  static constexpr op_role role = op_role::pool;
  static constexpr dtype_rule operands = dtype_rule::promote;
  static constexpr dtype_set accepts = Accepts;
  static constexpr int arity = Arity;
  static constexpr int cost = 1;
  static constexpr attribute_names names =
      attribute_names({"window"}, {"stride"}, {"dilation"}, {"before", attribute_kind::padding}, {"after", attribute_kind::padding})
          .repeated();

  static constexpr unsigned batch(const words&, int) { return detail::batch_of_all; }
  static constexpr bool fits(inference& context, const tensor_type* in, int count, const words& w) {
    for (int k = 0; k < count; ++k) {
      if (in[k].type != in[0].type) return fails(context, reason::dtypes_differ);
      if (!contains(Accepts, in[k].type)) return fails(context, why_not_accepted(in[k].type));
      if (in[k].rank != w.count / WordsEach + 2)
        return fails(context, reason::a_convolution_has_a_batch_axes_of_windows_and_channels);
    }
    return true;
  }
  /// The type of the windows of an image.
  static constexpr tensor_type windows_of(inference& context, const tensor_type& x, const words& w) {
    tensor_type r = x;
    for (int i = 0; i < w.count / WordsEach; ++i) {
      pooled_axis a = pooled_axis::of(w.at + WordsEach * i);
      r.extents[1 + i] = a.along.place(context, x.extents[1 + i], a.window);
    }
    return r;
  }
  static constexpr bool agree(inference& context, const tensor_type& a, const tensor_type& b) {
    return context.agree(a, b) || fails(context, reason::extents_differ);
  }
  static constexpr bool fails(inference& context, reason why) {
    context.fail(why, {});
    return false;
  }
};

}  // namespace detail

/// The largest element of each window, NaN if there is one; padding takes no part.
inline constexpr struct max_pool : detail::pooling<struct max_pool, 1, dtype_set::numeric> {
  static constexpr const char* name = "max_pool";
  static constexpr slope_kind slope = slope_kind::fixed;
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int count, const words& w) {
    return fits(context, in, count, w) ? windows_of(context, in[0], w) : in[0];
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} max_pool;

/// Of an image x and a number for each window: each number at the first place in x where its window has its largest element, or NaN;
/// sums where windows share a place.
inline constexpr struct max_pool_gradient : detail::pooling<struct max_pool_gradient, 2, dtype_set::numeric> {
  static constexpr const char* name = "max_pool_gradient";
  static constexpr slope_kind slope = slope_kind::fixed;
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int count, const words& w) {
    if (fits(context, in, count, w)) agree(context, windows_of(context, in[0], w), in[1]);
    return in[0];
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} max_pool_gradient;

/// Of two images x and g: g's element at the first place in x where the window has its largest element, or NaN.
inline constexpr struct max_pool_choice : detail::pooling<struct max_pool_choice, 2, dtype_set::numeric> {
  static constexpr const char* name = "max_pool_choice";
  static constexpr slope_kind slope = slope_kind::fixed;
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int count, const words& w) {
    return fits(context, in, count, w) && agree(context, in[0], in[1]) ? windows_of(context, in[0], w) : in[0];
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} max_pool_choice;

/// The mean of what each window has; padding takes no part and does not count. NaN where there is nothing else.
inline constexpr struct average_pool : detail::pooling<struct average_pool, 1, dtype_set::floating> {
  static constexpr const char* name = "average_pool";
  static constexpr slope_kind slope = slope_kind::fixed;
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int count, const words& w) {
    return fits(context, in, count, w) ? windows_of(context, in[0], w) : in[0];
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} average_pool;

/// Of a number for each window: each in equal parts at its window's places. One attribute more for each axis: the image's extent.
inline constexpr struct average_pool_gradient : detail::pooling<struct average_pool_gradient, 1, dtype_set::floating, 6> {
  static constexpr const char* name = "average_pool_gradient";
  static constexpr slope_kind slope = slope_kind::fixed;
  static constexpr attribute_names names =
      attribute_names({"window"}, {"stride"}, {"dilation"}, {"before", attribute_kind::padding}, {"after", attribute_kind::padding},
                      {"length", attribute_kind::extent})
          .repeated();
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int count, const words& w) {
    tensor_type r = in[0];
    if (!fits(context, in, count, w)) return r;
    for (int i = 0; i < w.count / 6; ++i) r.extents[1 + i] = w[6 * i + 5];
    agree(context, windows_of(context, r, w), in[0]);
    return r;
  }
  template <class V>
  static constexpr void vjp(const gradient_rule<V>& r);
} average_pool_gradient;

template <class V>
constexpr void max_pool::vjp(const gradient_rule<V>& r) {
  r.dx[0] = emit<struct max_pool_gradient>(r.attributes, r.x[0], r.dy);
}
template <class V>
constexpr void max_pool_gradient::vjp(const gradient_rule<V>& r) {
  r.dx[1] = emit<struct max_pool_choice>(r.attributes, r.x[0], r.dy);
}
template <class V>
constexpr void max_pool_choice::vjp(const gradient_rule<V>& r) {
  r.dx[1] = emit<struct max_pool_gradient>(r.attributes, r.x[0], r.dy);
}
template <class V>
constexpr void average_pool::vjp(const gradient_rule<V>& r) {
  words w;
  for (int i = 0; i < r.attributes.count / 5; ++i) {
    for (int k = 0; k < 5; ++k) w.push_back(r.attributes[5 * i + k]);
    w.push_back(r.x[0].type().extents[1 + i]);
  }
  r.dx[0] = emit<struct average_pool_gradient>(w, r.dy);
}
template <class V>
constexpr void average_pool_gradient::vjp(const gradient_rule<V>& r) {
  words w;
  for (int i = 0; i < r.attributes.count / 6; ++i)
    for (int k = 0; k < 5; ++k) w.push_back(r.attributes[6 * i + k]);
  r.dx[0] = emit<struct average_pool>(w, r.dy);
}

namespace detail {

template <class Op, int Count, const convolution_options& Options, operand_like X>
constexpr auto pool_last(X x) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return call<Op, attributes<(I % 5 == 0   ? Options.windows[I / 5]
                                : I % 5 == 1 ? Options.axes[I / 5].stride
                                : I % 5 == 2 ? Options.axes[I / 5].dilation
                                : I % 5 == 3 ? Options.axes[I / 5].before
                                             : Options.axes[I / 5].after)...>>(x);
  }(std::make_integer_sequence<int, 5 * Count>{});
}
template <class Op, int Count, fixed_string Function, operand_like X, class... Options>
constexpr auto pool(X x, Options...) {
  // Windows that are not said to lie otherwise lie side by side.
  constexpr const convolution_options& options = options_of<Count, side_by_side, Options...>;
  if constexpr (!are_possible<Function, options_of<Count, side_by_side, Options...>,
                              options.is_known && options.has_windows && options.groups == 1,
                              "window<2>, strides<2>, dilations<2>, same_padding, padding<1, 1>, channels_first", shown<X>,
                              got<Options...>>()) {
    return refused(x);
  } else if constexpr (X::rank != Count + 2) {
    raise<a_convolution_has_a_batch_axes_of_windows_and_channels, in_function<Function>, shown<X>,
          expected<number_of_axes<Count + 2>>>();
    return refused(x);
  } else {
    return with_channels_last<Count, options_of<Count, side_by_side, Options...>>(
        x, [](auto image) { return pool_last<Op, Count, options_of<Count, side_by_side, Options...>>(image); });
  }
}

}  // namespace detail

/// The largest element of each window of x (batch, height, width, channels): (batch, rows of windows, windows in a row, channels).
/// Options, in any order: `window<2>` or `window<2, 3>`, which must be there; `strides<1>`, otherwise the windows' extents;
/// `dilations<2>`; `same_padding`, `valid_padding` or `padding<1, 1>`, which takes no part; `channels_first`. The gradient goes to the first of equal
/// elements.
template <operand_like X, class... Options>
constexpr auto max_pool2d(X x, Options... options) {
  return detail::pool<struct max_pool, 2, "max_pool2d">(x, options...);
}
template <operand_like X, class... Options>
constexpr auto max_pool1d(X x, Options... options) {
  return detail::pool<struct max_pool, 1, "max_pool1d">(x, options...);
}
template <operand_like X, class... Options>
constexpr auto max_pool3d(X x, Options... options) {
  return detail::pool<struct max_pool, 3, "max_pool3d">(x, options...);
}
/// The mean of each window; options as of `max_pool2d`. Padding does not count.
template <operand_like X, class... Options>
constexpr auto average_pool2d(X x, Options... options) {
  return detail::pool<struct average_pool, 2, "average_pool2d">(x, options...);
}
template <operand_like X, class... Options>
constexpr auto average_pool1d(X x, Options... options) {
  return detail::pool<struct average_pool, 1, "average_pool1d">(x, options...);
}
template <operand_like X, class... Options>
constexpr auto average_pool3d(X x, Options... options) {
  return detail::pool<struct average_pool, 3, "average_pool3d">(x, options...);
}

/// Windows are an option, `window<2>`, since others stand beside them.
#define ETCH_REFUSE_WINDOW(NAME)                                                                                      \
  template <int First, int... Rest, class... A>                                                                       \
  constexpr auto NAME(const A&... a) {                                                                                \
    return detail::refuse_function<this_call_has_not_the_options_that_it_takes, #NAME, #NAME "($, window<2>)">(a...); \
  }
ETCH_REFUSE_WINDOW(max_pool1d)
ETCH_REFUSE_WINDOW(max_pool2d)
ETCH_REFUSE_WINDOW(max_pool3d)
ETCH_REFUSE_WINDOW(average_pool1d)
ETCH_REFUSE_WINDOW(average_pool2d)
ETCH_REFUSE_WINDOW(average_pool3d)
#undef ETCH_REFUSE_WINDOW

}  // namespace etch
