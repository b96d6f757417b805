// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/evaluate.hpp>
#include <etch/ops/derived_shape.hpp>

/// Where height, width and channels of images are.
namespace etch::image::detail {

/// The axis of rows; columns and channels follow. Of an image 0, of a batch 1.
template <class X>
inline constexpr int rows_of = X::rank - 3;

/// Whether x is an image (height, width, channels), or a batch of them; else an error.
template <fixed_string Function, class X>
constexpr bool takes_images() {
  if constexpr (!operand_like<X>)
    return raise<this_call_has_the_wrong_arguments, in_function<Function>, got<X>>();
  else if constexpr (X::rank != 3 && X::rank != 4)
    return raise<an_image_has_the_axes_height_width_channels_and_a_batch_one_before_them, in_function<Function>, shown<X>>();
  else
    return true;
}

/// The extent along an axis where the compiler knows it, else -1.
template <int Axis, class X>
inline constexpr std::int64_t known_extent = [] {
  if constexpr (evaluated<X>)
    return std::int64_t{-1};
  else if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(extent_along<Axis>(typename X::shape_type{}))>>)
    return static_cast<std::int64_t>(extent_along<Axis>(typename X::shape_type{}));
  else
    return std::int64_t{-1};
}();

/// The same, with so many channels; those of a tensor are looked at when it is there (`check_channels`).
template <fixed_string Function, std::int64_t Channels, class X>
constexpr bool takes_channels() {
  if constexpr (!takes_images<Function, X>())
    return false;
  else if constexpr (!evaluated<X> && known_extent<X::rank - 1, X> != Channels)
    return raise<the_last_axis_of_these_images_has_not_as_many_channels, in_function<Function>, shown<X>,
                 expected<shape<Channels>>>();
  else
    return true;
}
template <fixed_string Function, std::int64_t Channels, class X>
constexpr void check_channels([[maybe_unused]] const X& x) {
  if constexpr (evaluated<X>)
    if (x.extent(X::rank - 1) != Channels)
      fail("%s: images have %lld channels, expected are %lld", name_of<Function>::text,
           static_cast<long long>(x.extent(X::rank - 1)), static_cast<long long>(Channels));
}

}  // namespace etch::image::detail
