// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/recorder.hpp>
#include <etch/image/image_axes.hpp>
#include <etch/image/resampling.hpp>

/// Images of other extents, in graphs and on values.
namespace etch::image {

namespace detail {

/// Of doubles and bfloat16 graphs alone know how.
template <class T>
inline constexpr bool is_resized_by_loops = std::is_integral_v<T> || std::is_same_v<T, float>;

template <class Method, class X>
auto resize_now(const X& x, std::int64_t height, std::int64_t width, bool smooths) {
  using T = typename X::value_type;
  using R = std::conditional_t<std::is_same_v<Method, struct nearest>, T, float>;
  constexpr int rows = rows_of<X>;
  const image_extents of{x.extent(rows), x.extent(rows + 1), x.extent(rows + 2)};
  if (height < 1 || width < 1 || of.height < 1 || of.width < 1)
    fail("image: resize: %lld x %lld pixels to %lld x %lld", static_cast<long long>(of.height), static_cast<long long>(of.width),
         static_cast<long long>(height), static_cast<long long>(width));
  tensor_type type = x.described().with(dtype_of<R>);
  type.extents[rows] = height;
  type.extents[rows + 1] = width;
  tensor<R, X::rank> made{eager::unmade{}};
  made.reset(type);
  resize_all<Method>(x.data(), rows == 0 ? 1 : x.extent(0), of, reinterpret_cast<R*>(made.bytes()), height, width, smooths);
  return made;
}

template <class... Options>
inline constexpr bool has_antialias = (std::is_same_v<Options, struct antialias> || ...);

}  // namespace detail

/// Images (height, width, channels), or a batch of them, with another height and width, as tf.image.resize: `resize<64, 64>(x)`,
/// `resize<64, 64>(x, bicubic, antialias)`; methods and options are those of `etch::resize`, and `bilinear` is what is not told. Values are
/// float32, of doubles double (`nearest` keeps the dtype), also where the extents are those that x has. Of expressions and recorded tensors it is
/// `etch::resize`, with gradients; of other tensors one loop.
template <std::int64_t Height, std::int64_t Width, operand_like X, class Method = struct bilinear, class... Options>
constexpr auto resize(X x, Method method = {}, Options... options) {
  static_assert(Height > 0 && Width > 0, "image::resize: an image has at least one pixel");
  if constexpr (!detail::takes_images<"image::resize", X>()) {
    return x;
  } else if constexpr (evaluated<X> && detail::is_resized_by_loops<typename X::value_type> &&
                       (std::is_same_v<Options, struct antialias> && ...)) {
    if constexpr (std::is_same_v<typename X::value_type, float>)
      if (eager::this_recorder != nullptr) return etch::resize(x, shape<Height, Width>{}, method, options...);
    return detail::resize_now<Method>(x, Height, Width, detail::has_antialias<Options...>);
  } else {
    return etch::resize(x, shape<Height, Width>{}, method, options...);
  }
}

/// The same of tensors, to extents that are known at run time: `resize(x, height, width, bilinear)`. No gradient passes: under a tape it
/// throws `etch::error` for floats, which `resize<64, 64>(x)` takes.
template <evaluated X, class Method = struct bilinear, class... Options>
  requires(std::is_same_v<Options, struct antialias> && ...)
auto resize(const X& x, std::int64_t height, std::int64_t width, Method = {}, Options...) {
  static_assert(detail::is_resized_by_loops<typename X::value_type>, "image::resize: of integers or float");
  if constexpr (!detail::takes_images<"image::resize", X>()) {
    return x;
  } else {
    if (std::is_same_v<typename X::value_type, float> && eager::this_recorder != nullptr)
      fail("image: resize: to extents of run time no gradient passes, write resize<64, 64>(x)");
    return detail::resize_now<Method>(x, height, width, detail::has_antialias<Options...>);
  }
}

}  // namespace etch::image
