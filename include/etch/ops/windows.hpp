// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/op.hpp>

/// Where the windows of a convolution lie.
namespace etch {

/// Stands in the attributes of a convolution for paddings that follow from the extents: those of `same_padding`.
inline constexpr std::int64_t same_paddings = INT64_MAX;

/// Windows along one axis: each of `extent` elements that lie `dilation` apart, each `stride` elements behind the one before, the first
/// `before` elements before the axis begins. `after` elements follow the axis until the last window ends: zeros, as are those before;
/// negative numbers say how many elements of the axis are left out.
struct window_axis {
  std::int64_t stride = 1, dilation = 1, before = 0, after = 0;

  /// Of axis i of a convolution with those attributes.
  static constexpr window_axis of(const words& w, int i) { return {w[4 * i], w[4 * i + 1], w[4 * i + 2], w[4 * i + 3]}; }
  constexpr void append_to(words& w) const {
    w.push_back(stride);
    w.push_back(dilation);
    w.push_back(before);
    w.push_back(after);
  }
  /// How far a window of that extent reaches.
  constexpr std::int64_t reach(std::int64_t extent) const { return dilation * (extent - 1) + 1; }

  /// The number of windows of an extent along an axis of n; `after` becomes what it is without the elements behind the last window.
  /// `same_padding`: as many windows as strides in n, what is missing before and behind, one more behind where it is odd (TensorFlow's "SAME").
  constexpr extent_value place(inference& context, extent_value n, extent_value extent) {
    if (!is_static(extent)) return fail(context, reason::a_window_has_a_named_extent);
    const std::int64_t reached = reach(extent);
    if (extent < 1) return fail(context, reason::a_window_is_empty);
    if (!is_static(n)) {
      if (stride != 1) return fail(context, reason::a_stride_along_a_named_extent);
      if (before == same_paddings) spread(reached - 1);
      return context.extents.sum(n, before + after - reached + 1);
    }
    if (before == same_paddings) {
      const std::int64_t missing = ((n + stride - 1) / stride - 1) * stride + reached - n;
      spread(missing > 0 ? missing : 0);
    }
    const std::int64_t room = n + before + after - reached;
    if (room < 0 && n == 0) return 0;
    if (room < 0) return fail(context, reason::a_window_is_larger_than_its_padded_operand);
    after -= room % stride;
    return room / stride + 1;
  }
  /// The extent of the axis along which that many windows lie, where nothing is left over. `same_padding`: as many strides.
  constexpr extent_value length(inference& context, extent_value count, extent_value extent) {
    if (!is_static(extent)) return fail(context, reason::a_window_has_a_named_extent);
    if (extent < 1) return fail(context, reason::a_window_is_empty);
    if (before == same_paddings) {
      const std::int64_t over = reach(extent) - stride;
      before = over > 0 ? over / 2 : 0;
      after = over - before;
    }
    if (count == 0) return 0;
    const extent_value n = context.extents.sum(context.extents.scaled(count, stride), reach(extent) - stride - before - after);
    return is_static(n) && n < 0 ? fail(context, reason::a_window_is_larger_than_its_padded_operand) : n;
  }
  /// The extent of windows of which that many lie along n, where nothing is left over.
  constexpr extent_value extent(inference& context, extent_value n, extent_value count) const {
    const extent_value reached =
        context.extents.difference(context.extents.sum(n, before + after + stride), context.extents.scaled(count, stride));
    if (!is_static(reached)) return fail(context, reason::a_window_has_a_named_extent);
    return (reached - 1) / dilation + 1;
  }

 private:
  constexpr void spread(std::int64_t missing) {
    before = missing / 2;
    after = missing - before;
  }
  static constexpr extent_value fail(inference& context, reason why) {
    context.fail(why, {});
    return 1;
  }
};

/// The windows of a pool along one axis: how many elements each has, and where they lie.
struct pooled_axis {
  static constexpr int words_each = 5;
  std::int64_t window = 1;
  window_axis along;

  /// Of its attributes: the number of elements, then as a convolution's.
  static constexpr pooled_axis of(const std::int64_t* w) { return {w[0], {w[1], w[2], w[3], w[4]}}; }
};

}  // namespace etch
