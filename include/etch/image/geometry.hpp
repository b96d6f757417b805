// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include <etch/image/image_axes.hpp>
#include <etch/ops/axes.hpp>

/// Images (height, width, channels), or batches of them, whose pixels lie elsewhere: turned, cut, with a border. Functions of ops, with
/// gradients. Where a part is given in angle brackets they take expressions and tensors, as arguments tensors.
namespace etch::image {

namespace detail {

/// Both axes of images, the others as they are.
template <std::int64_t... Rows, std::int64_t... Columns, operand_like X>
constexpr auto slice_images(X x, section_of<Rows...> rows, section_of<Columns...> columns) {
  if constexpr (X::rank == 3)
    return slice(x, rows, columns);
  else
    return slice(x, section<>, rows, columns);
}

/// A part of an image, or a border around it: how far its first pixel is from the other's.
struct box {
  std::int64_t top, left, height, width;
};
[[noreturn, gnu::noinline, gnu::cold]] inline void refuse_box(const char* function, const box& inner, std::int64_t height,
                                                              std::int64_t width) {
  fail("%s: %lld x %lld pixels at %lld, %lld are not within %lld x %lld", function, static_cast<long long>(inner.height),
       static_cast<long long>(inner.width), static_cast<long long>(inner.top), static_cast<long long>(inner.left),
       static_cast<long long>(height), static_cast<long long>(width));
}
/// Written so that nothing overflows.
constexpr bool is_within(const box& b, std::int64_t height, std::int64_t width) {
  return b.top >= 0 && b.left >= 0 && b.height >= 1 && b.width >= 1 && b.height <= height && b.width <= width &&
         b.top <= height - b.height && b.left <= width - b.width;
}
inline void check_box(const char* function, const box& inner, std::int64_t height, std::int64_t width) {
  if (!is_within(inner, height, width)) refuse_box(function, inner, height, width);
}

template <class Op, class X>
auto move_now(const X& x, const words& attributes) {
  tensor<typename X::value_type, X::rank> made{eager::unmade{}};
  const eager::value* const in[] = {&x};
  eager::apply<Op, X::type, X::type>(attributes, in, 1, made);
  return made;
}
template <class X>
auto crop_now(const char* function, const X& x, const box& part) {
  constexpr int rows = rows_of<X>;
  check_box(function, part, x.extent(rows), x.extent(rows + 1));
  words w;
  if constexpr (rows == 1)
    for (const std::int64_t word : {std::int64_t{0}, to_end, std::int64_t{1}}) w.push_back(word);
  for (const auto& [first, count] : {std::pair(part.top, part.height), std::pair(part.left, part.width)})
    for (const std::int64_t word : {first, first + count, std::int64_t{1}}) w.push_back(word);
  return move_now<struct slice>(x, w);
}
template <class X>
auto pad_now(const char* function, const X& x, std::int64_t top, std::int64_t left, std::int64_t height, std::int64_t width) {
  constexpr int rows = rows_of<X>;
  const box inner{top, left, x.extent(rows), x.extent(rows + 1)};
  check_box(function, inner, height, width);
  words w;
  for (int axis = 0; axis < X::rank; ++axis) {
    const std::int64_t before = axis == rows ? top : axis == rows + 1 ? left : 0;
    const std::int64_t all = axis == rows ? height : axis == rows + 1 ? width : x.extent(axis);
    for (const std::int64_t word : {before, all - before - x.extent(axis), std::int64_t{1}}) w.push_back(word);
  }
  return move_now<struct pad>(x, w);
}

/// Where the middle of an axis begins, of which a fraction is left: as tf.image.central_crop rounds.
constexpr std::int64_t central_begin(std::int64_t extent, double fraction) {
  const auto n = static_cast<double>(extent);
  return static_cast<std::int64_t>((n - n * fraction) / 2);
}
/// Where an axis is cut, and where what is left begins, to be of another extent.
struct centred {
  std::int64_t cut, left, before;
};
constexpr centred centre(std::int64_t extent, std::int64_t wanted) {
  const std::int64_t more = wanted - extent;
  return {more < 0 ? -more / 2 : 0, extent < wanted ? extent : wanted, more > 0 ? more / 2 : 0};
}

template <fixed_string Function, class X>
constexpr bool takes_images_of_known_extents() {
  if constexpr (!takes_images<Function, X>())
    return false;
  else if constexpr (!evaluated<X> && (known_extent<rows_of<X>, X> < 0 || known_extent<rows_of<X> + 1, X> < 0))
    return raise<an_image_has_the_axes_height_width_channels_and_a_batch_one_before_them, in_function<Function>, shown<X>>();
  else
    return true;
}

}  // namespace detail

/// Columns in reverse.
template <operand_like X>
constexpr auto flip_left_right(X x) {
  if constexpr (!detail::takes_images<"image::flip_left_right", X>())
    return x;
  else
    return flip(x, axis<-2>);
}
/// Rows in reverse.
template <operand_like X>
constexpr auto flip_up_down(X x) {
  if constexpr (!detail::takes_images<"image::flip_up_down", X>())
    return x;
  else
    return flip(x, axis<-3>);
}
/// Rows as columns.
template <operand_like X>
constexpr auto transpose(X x) {
  if constexpr (!detail::takes_images<"image::transpose", X>())
    return x;
  else if constexpr (X::rank == 3)
    return etch::transpose(x, axis<1, 0, 2>);
  else
    return etch::transpose(x, axis<0, 2, 1, 3>);
}
/// Turned to the left, `Turns` times by 90 degrees: pixel (i, j) of one turn is pixel (j, width - 1 - i).
template <int Turns = 1, operand_like X>
constexpr auto rot90(X x) {
  constexpr int turns = (Turns % 4 + 4) % 4;
  if constexpr (!detail::takes_images<"image::rot90", X>() || turns == 0)
    return x;
  else if constexpr (turns == 1)
    return flip_up_down(transpose(x));
  else if constexpr (turns == 2)
    return flip(x, axis<-3, -2>);
  else
    return transpose(flip_up_down(x));
}

/// Height x width pixels from (top, left) on: `crop_to_bounding_box<8, 0, 32, 64>(x)`. A part that is not within the image is an error.
template <std::int64_t Top, std::int64_t Left, std::int64_t Height, std::int64_t Width, operand_like X>
constexpr auto crop_to_bounding_box(X x) {
  constexpr detail::box part{Top, Left, Height, Width};
  if constexpr (!detail::takes_images_of_known_extents<"image::crop_to_bounding_box", X>()) {
    return x;
  } else if constexpr (evaluated<X>) {
    return detail::crop_now("image::crop_to_bounding_box", x, part);
  } else {
    constexpr int rows = detail::rows_of<X>;
    if constexpr (!detail::is_within(part, detail::known_extent<rows, X>, detail::known_extent<rows + 1, X>))
      return etch::detail::refusal<this_part_reaches_outside_of_the_image, in_function<"image::crop_to_bounding_box">, shown<X>>(x);
    else
      return detail::slice_images(x, section<Top, Top + Height>, section<Left, Left + Width>);
  }
}
/// The same, of tensors: `crop_to_bounding_box(x, top, left, height, width)`.
template <evaluated X>
auto crop_to_bounding_box(const X& x, std::int64_t top, std::int64_t left, std::int64_t height, std::int64_t width) {
  if constexpr (!detail::takes_images<"image::crop_to_bounding_box", X>())
    return x;
  else
    return detail::crop_now("image::crop_to_bounding_box", x, {top, left, height, width});
}

/// Zeros around, so that images have height x width pixels, the first of x's at (top, left): `pad_to_bounding_box<2, 2, 32, 32>(x)`.
template <std::int64_t Top, std::int64_t Left, std::int64_t Height, std::int64_t Width, operand_like X>
constexpr auto pad_to_bounding_box(X x) {
  if constexpr (!detail::takes_images_of_known_extents<"image::pad_to_bounding_box", X>()) {
    return x;
  } else if constexpr (evaluated<X>) {
    return detail::pad_now("image::pad_to_bounding_box", x, Top, Left, Height, Width);
  } else {
    constexpr int rows = detail::rows_of<X>;
    constexpr std::int64_t height = detail::known_extent<rows, X>, width = detail::known_extent<rows + 1, X>;
    if constexpr (!detail::is_within({Top, Left, height, width}, Height, Width))
      return etch::detail::refusal<this_part_reaches_outside_of_the_image, in_function<"image::pad_to_bounding_box">, shown<X>>(x);
    else if constexpr (X::rank == 3)
      return pad(x, padding<Top, Height - Top - height>, padding<Left, Width - Left - width>, padding<0>);
    else
      return pad(x, padding<0>, padding<Top, Height - Top - height>, padding<Left, Width - Left - width>, padding<0>);
  }
}
/// The same, of tensors.
template <evaluated X>
auto pad_to_bounding_box(const X& x, std::int64_t top, std::int64_t left, std::int64_t height, std::int64_t width) {
  if constexpr (!detail::takes_images<"image::pad_to_bounding_box", X>())
    return x;
  else
    return detail::pad_now("image::pad_to_bounding_box", x, top, left, height, width);
}

/// The middle, a fraction of each extent: `central_crop(x, 0.5_c)`; of tensors also a number.
template <operand_like X, class Fraction>
constexpr auto central_crop(X x, Fraction fraction) {
  const auto check = [](double f) {
    if (!(f > 0 && f <= 1)) fail("image::central_crop: a fraction of %g, expected is one above 0 and at most 1", f);
    return f;
  };
  if constexpr (!detail::takes_images_of_known_extents<"image::central_crop", X>()) {
    return x;
  } else if constexpr (evaluated<X>) {
    constexpr int rows = detail::rows_of<X>;
    const double f = check([&] {
      if constexpr (etch::detail::is_literal<Fraction>)
        return static_cast<double>(Fraction::value);
      else
        return static_cast<double>(fraction);
    }());
    const std::int64_t top = detail::central_begin(x.extent(rows), f), left = detail::central_begin(x.extent(rows + 1), f);
    return detail::crop_now("image::central_crop", x, {top, left, x.extent(rows) - 2 * top, x.extent(rows + 1) - 2 * left});
  } else if constexpr (!etch::detail::is_literal<Fraction>) {
    return etch::detail::refusal<this_call_has_the_wrong_arguments, in_function<"image::central_crop">, shown<X>,
                                 instead_write<"central_crop(x, 0.5_c)">>(x);
  } else {
    constexpr double f = static_cast<double>(Fraction::value);
    static_assert(f > 0 && f <= 1, "image::central_crop: a fraction is above 0 and at most 1");
    constexpr int rows = detail::rows_of<X>;
    constexpr std::int64_t height = detail::known_extent<rows, X>, width = detail::known_extent<rows + 1, X>;
    constexpr std::int64_t top = detail::central_begin(height, f), left = detail::central_begin(width, f);
    return detail::slice_images(x, section<top, height - top>, section<left, width - left>);
  }
}

/// The middle of larger images, zeros around smaller ones: of tensors `resize_with_crop_or_pad(x, height, width)`.
template <evaluated X>
auto resize_with_crop_or_pad(const X& x, std::int64_t height, std::int64_t width) {
  if constexpr (!detail::takes_images<"image::resize_with_crop_or_pad", X>()) {
    return x;
  } else {
    constexpr int rows = detail::rows_of<X>;
    const detail::centred h = detail::centre(x.extent(rows), height), w = detail::centre(x.extent(rows + 1), width);
    constexpr const char* function = "image::resize_with_crop_or_pad";
    return detail::pad_now(function, detail::crop_now(function, x, {h.cut, w.cut, h.left, w.left}), h.before, w.before, height,
                           width);
  }
}

/// The same, also of expressions: `resize_with_crop_or_pad<64, 64>(x)`.
template <std::int64_t Height, std::int64_t Width, operand_like X>
constexpr auto resize_with_crop_or_pad(X x) {
  if constexpr (!detail::takes_images_of_known_extents<"image::resize_with_crop_or_pad", X>()) {
    return x;
  } else if constexpr (evaluated<X>) {
    return resize_with_crop_or_pad(x, Height, Width);
  } else {
    constexpr int rows = detail::rows_of<X>;
    constexpr detail::centred h = detail::centre(detail::known_extent<rows, X>, Height);
    constexpr detail::centred w = detail::centre(detail::known_extent<rows + 1, X>, Width);
    return pad_to_bounding_box<h.before, w.before, Height, Width>(crop_to_bounding_box<h.cut, w.cut, h.left, w.left>(x));
  }
}
}  // namespace etch::image
