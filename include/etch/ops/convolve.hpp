// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/convolution.hpp>
#include <etch/ops/derived_shape.hpp>

/// Convolutions as they are called.
namespace etch {

/// Options of convolutions: how far apart windows lie, how far apart their elements lie; one number, or one for each axis.
template <std::int64_t... Steps>
struct strides_of {};
template <std::int64_t... Steps>
inline constexpr strides_of<Steps...> strides{};
template <std::int64_t... Steps>
struct dilations_of {};
template <std::int64_t... Steps>
inline constexpr dilations_of<Steps...> dilations{};
/// Of pools: the extents of windows, one for all axes or one for each.
template <std::int64_t... Extents>
struct window_of {};
template <std::int64_t... Extents>
inline constexpr window_of<Extents...> window{};
/// Channels fall into so many groups, each of which has filters of its own. As many groups as channels: a depthwise convolution.
template <std::int64_t Count>
struct groups_of {};
template <std::int64_t Count>
inline constexpr groups_of<Count> groups{};
/// Zeros around, so that there are as many windows as strides in the axis (TensorFlow's "SAME"); none, which is what holds without an
/// option. `padding<1, 2>` says them, once for all axes or once for each.
inline constexpr struct same_padding {
} same_padding;
inline constexpr struct valid_padding {
} valid_padding;
/// Channels lie before the axes of windows, not behind: (batch, channels, height, width). Costs no copy of the operand.
inline constexpr struct channels_first {
} channels_first;

namespace detail {

/// Pools' windows are as far apart as they are large, unless strides are said.
struct side_by_side {};

struct convolution_options {
  static constexpr int most = 3;
  window_axis axes[most];
  std::int64_t windows[most] = {1, 1, 1};
  bool has_windows = false, lie_side_by_side = false, has_strides = false;
  std::int64_t groups = 1;
  bool channels_first = false;
  bool is_positive = true, has_one_for_each_axis = true, is_known = true;
  int paddings = 0;

  constexpr void read(int count, const std::int64_t* numbers, int given, std::int64_t window_axis::* to) {
    has_one_for_each_axis = has_one_for_each_axis && (given == 1 || given == count);
    for (int i = 0; i < count; ++i) {
      const std::int64_t number = numbers[given == count ? i : 0];
      is_positive = is_positive && number > 0 && number < (std::int64_t{1} << 31);
      axes[i].*to = number;
    }
  }
  template <std::int64_t... S>
  constexpr void read(int count, strides_of<S...>) {
    constexpr std::int64_t numbers[] = {S..., 1};
    read(count, numbers, sizeof...(S), &window_axis::stride);
    has_strides = true;
  }
  template <std::int64_t... D>
  constexpr void read(int count, dilations_of<D...>) {
    constexpr std::int64_t numbers[] = {D..., 1};
    read(count, numbers, sizeof...(D), &window_axis::dilation);
  }
  template <std::int64_t Before, std::int64_t After>
  constexpr void read(int count, padding_of<Before, After>) {
    // The first stands for all axes until there is another.
    for (int i = paddings; i < count; ++i) axes[i].before = Before, axes[i].after = After;
    ++paddings;
  }
  template <std::int64_t Count>
  constexpr void read(int, groups_of<Count>) {
    groups = Count;
    is_positive = is_positive && Count > 0;
  }
  template <std::int64_t... E>
  constexpr void read(int count, window_of<E...>) {
    constexpr std::int64_t numbers[] = {E..., 1};
    convolution_options others;
    others.read(count, numbers, sizeof...(E), &window_axis::stride);
    for (int i = 0; i < count; ++i) windows[i] = others.axes[i].stride;
    is_positive = is_positive && others.is_positive;
    has_one_for_each_axis = has_one_for_each_axis && others.has_one_for_each_axis;
    has_windows = true;
  }
  constexpr void read(int, side_by_side) { lie_side_by_side = true; }
  constexpr void read(int count, struct same_padding) {
    for (int i = 0; i < count; ++i) axes[i].before = axes[i].after = same_paddings;
  }
  constexpr void read(int, struct valid_padding) {}
  constexpr void read(int, struct channels_first) { channels_first = true; }
  template <class Other>
  constexpr void read(int, const Other&) {
    is_known = false;
  }
};
/// What options say of `Count` axes.
template <int Count, class... Options>
inline constexpr convolution_options options_of = [] {
  convolution_options o;
  (o.read(Count, Options{}), ...);
  o.has_one_for_each_axis = o.has_one_for_each_axis && (o.paddings <= 1 || o.paddings == Count);
  if (o.lie_side_by_side && !o.has_strides)
    for (int i = 0; i < Count; ++i) o.axes[i].stride = o.windows[i];
  return o;
}();

/// Whether a call with these options is possible; otherwise that is an error.
template <fixed_string Function, const convolution_options& Options, bool IsKnown, fixed_string Written, class... Facts>
constexpr bool are_possible() {
  if constexpr (!IsKnown)
    raise<this_call_has_not_the_options_that_it_takes, in_function<Function>, Facts..., instead_write<Written>>();
  else if constexpr (!Options.is_positive)
    raise<strides_dilations_windows_and_groups_are_positive, in_function<Function>, Facts...>();
  else if constexpr (!Options.has_one_for_each_axis)
    raise<there_is_not_one_number_for_each_axis_of_windows, in_function<Function>, Facts...>();
  return IsKnown && Options.is_positive && Options.has_one_for_each_axis;
}

/// An axis becomes two, the first of `Groups`; the last two become one.
template <int Axis, std::int64_t Groups, fixed_string Function>
struct split_channels {
  using where = rule_of<Function>;
  static constexpr std::int64_t divisor = Groups;
  static constexpr tensor_type shape(inference& context, const tensor_type& x) {
    tensor_type r = x;
    if (x.rank == max_rank) return context.fail(reason::too_many_axes, x);
    for (int i = r.rank++; i > Axis + 1; --i) r.extents[i] = r.extents[i - 1];
    const extent_value each = context.extents.quotient(x.extents[Axis], Groups);
    if (each == unknown_extent) return context.fail(reason::groups_do_not_divide_the_channels, x);
    r.extents[Axis] = Groups;
    r.extents[Axis + 1] = each;
    return r;
  }
};
template <fixed_string Function>
struct joined_channels {
  using where = rule_of<Function>;
  static constexpr tensor_type shape(inference& context, const tensor_type& x) {
    tensor_type r = x;
    --r.rank;
    r.extents[r.rank - 1] = context.extents.product(x.extents[r.rank - 1], x.extents[r.rank]);
    return r;
  }
};

/// x with its axis From behind or before the others from axis To on.
template <int From, int To, operand_like X>
constexpr auto with_axis_moved(X x) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return transpose(x, axis_list<(I == To                            ? From
                                   : From < To && I >= From && I < To ? I + 1
                                   : From > To && I > To && I <= From ? I - 1
                                                                      : I)...>{});
  }(std::make_integer_sequence<int, X::rank>{});
}

/// f of x with its channels last, the result with its channels where x has them.
template <int Count, const convolution_options& Options, operand_like X, class F>
constexpr auto with_channels_last(X x, const F& f) {
  if constexpr (Options.channels_first)
    return with_axis_moved<Count + 1, 1>(f(with_axis_moved<1, Count + 1>(x)));
  else
    return f(x);
}

template <class Op, int Count, const convolution_options& Options, operand_like X, operand_like W>
constexpr auto convolve_last(X x, W w) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return call<Op, attributes<(I % 4 == 0   ? Options.axes[I / 4].stride
                                : I % 4 == 1 ? Options.axes[I / 4].dilation
                                : I % 4 == 2 ? Options.axes[I / 4].before
                                             : Options.axes[I / 4].after)...>>(x, w);
  }(std::make_integer_sequence<int, 4 * Count>{});
}
/// Whether an extent, as it stands in a shape, is that number.
template <class Extent>
constexpr bool is_number(const Extent& extent, std::int64_t n) {
  if constexpr (std::is_integral_v<Extent>)
    return extent == n;
  else
    return false;
}
/// Whether the kernel has one filter for each of so many groups of one channel, as far as the compiler knows.
template <int Count, std::int64_t Groups, operand_like W>
constexpr bool has_channelwise_kernel() {
  if constexpr (expression<W>)
    return is_number(extent_along<Count>(typename W::shape_type{}), 1) &&
           is_number(extent_along<Count + 1>(typename W::shape_type{}), Groups);
  else
    return false;
}
template <class Op, int Count, fixed_string Function, const convolution_options& Options, operand_like X, operand_like W>
constexpr auto convolve_channels(X x, W w) {
  return convolve_last<Op, Count, Options>(x, reshaped_by<joined_channels<Function>>(w));
}
template <class Op, int Count, fixed_string Function, const convolution_options& Options, operand_like X, operand_like W>
constexpr auto convolve_each_group(X x, W w) {
  // Filters fall into groups, those of a kernel behind its channels.
  const auto kernel = with_axis_moved<Count + 1, Count>(reshaped_by<split_channels<Count + 1, Options.groups, Function>>(w));
  const auto image = reshaped_by<split_channels<Count + 1, Options.groups, Function>>(x);
  return reshaped_by<joined_channels<Function>>(convolve_last<Op, Count, Options>(image, kernel));
}
template <class Op, int Count, fixed_string Function, const convolution_options& Options, operand_like X, operand_like W>
constexpr auto convolve_groups(X x, W w) {
  if constexpr (Options.groups == 1) {
    return convolve_last<Op, Count, Options>(x, w);
  } else if constexpr (evaluated<X> && evaluated<W>) {
    return w.extent(Count) == 1 && w.extent(Count + 1) == Options.groups ? convolve_channels<Op, Count, Function, Options>(x, w)
                                                                         : convolve_each_group<Op, Count, Function, Options>(x, w);
  } else if constexpr (has_channelwise_kernel<Count, Options.groups, W>()) {
    return convolve_channels<Op, Count, Function, Options>(x, w);
  } else {
    return convolve_each_group<Op, Count, Function, Options>(x, w);
  }
}

template <class Op, int Count, fixed_string Function, operand_like X, operand_like W, class... Options>
constexpr auto convolve(X x, W w, Options...) {
  constexpr const convolution_options& options = options_of<Count, Options...>;
  if constexpr (!are_possible<Function, options_of<Count, Options...>, options.is_known && !options.has_windows,
                              "strides<2>, dilations<2>, groups<4>, same_padding, padding<1, 1>, channels_first", shown<X>,
                              shown<W>, got<Options...>>()) {
    return refused(x, w);
  } else if constexpr (X::rank != Count + 2 || W::rank != Count + 2) {
    return refusal<a_convolution_has_a_batch_axes_of_windows_and_channels, in_function<Function>, shown<X>, shown<W>,
                   expected<number_of_axes<Count + 2>>>(x, w);
  } else {
    return with_channels_last<Count, options_of<Count, Options...>>(
        x, [w](auto image) { return convolve_groups<Op, Count, Function, options_of<Count, Options...>>(image, w); });
  }
}

}  // namespace detail

#define ETCH_CONVOLUTION(NAME, AXES, OP)                        \
  template <operand_like X, operand_like W, class... Options>   \
  constexpr auto NAME(X x, W w, Options... options) {           \
    return detail::convolve<OP, AXES, #NAME>(x, w, options...); \
  }

/// The cross-correlation of x (batch, height, width, channels) with the kernel w (height, width, channels, filters). It is (batch,
/// rows of windows, windows in a row, filters): sums of windows times the kernel, which is not reversed. Options, in any order:
/// `strides<2>` and `dilations<2, 1>`, `same_padding`, `valid_padding` or `padding<1, 2>`, `groups<4>`, `channels_first` for x and
/// the result; with groups w has the channels of one group. A stride other than 1 needs static extents.
ETCH_CONVOLUTION(conv2d, 2, struct convolution)
/// `conv2d` along one axis: x (batch, length, channels), w (length, channels, filters).
ETCH_CONVOLUTION(conv1d, 1, struct convolution)
/// `conv2d` along three axes: x (batch, depth, height, width, channels), w (depth, height, width, channels, filters).
ETCH_CONVOLUTION(conv3d, 3, struct convolution)

/// Transposed convolution: the adjoint of `conv2d` with respect to its image. x (batch, height, width, filters) and the kernel w
/// (height, width, channels, filters) give the sums (batch, strides * (height - 1) + reach, ..., channels) of the windows' copies,
/// without what `padding` would put around them; with `same_padding` strides * height. The kernel is laid out as TensorFlow's.
ETCH_CONVOLUTION(conv2d_transpose, 2, struct convolution_transpose)
ETCH_CONVOLUTION(conv1d_transpose, 1, struct convolution_transpose)
ETCH_CONVOLUTION(conv3d_transpose, 3, struct convolution_transpose)
#undef ETCH_CONVOLUTION

}  // namespace etch
