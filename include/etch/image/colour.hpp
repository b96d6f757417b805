// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include <etch/image/image_axes.hpp>
#include <etch/ops/composite.hpp>
#include <etch/ops/joining.hpp>

/// Colours of images (height, width, channels), or batches of them: functions of ops, with gradients. Floats are in [0, 1]; of images of
/// integers, which are taken as their dtype's fractions of its largest number, results are integers again, what is outside cut off.
namespace etch::image {

/// Images as another dtype, as tf.image.convert_image_dtype with `saturate`: integers are fractions of their dtype's largest number, so
/// uint8 255 is float 1.
template <class T, operand_like X>
constexpr auto convert_image_dtype(X x) {
  using From = typename X::value_type;
  constexpr bool to_floats = is_floating(dtype_of<T>), from_floats = is_floating(dtype_of<From>);
  static_assert((to_floats || std::is_integral_v<T>) && (from_floats || std::is_integral_v<From>),
                "image::convert_image_dtype: dtypes are integers and floats");
  if constexpr (std::is_same_v<T, From>) {
    return x;
  } else if constexpr (to_floats && from_floats) {
    return astype<T>(x);
  } else if constexpr (to_floats) {
    return astype<T>(x) * literal<1.0 / static_cast<double>(std::numeric_limits<From>::max())>;
  } else {
    static_assert(from_floats && sizeof(T) <= 2, "image::convert_image_dtype: from floats, to integers of 8 or 16 bits");
    constexpr double largest = static_cast<double>(std::numeric_limits<T>::max());
    constexpr double least = static_cast<double>(std::numeric_limits<T>::lowest());
    return astype<T>(minimum(maximum(x * literal<largest + 0.5>, literal<least>), literal<largest>));
  }
}

namespace detail {

/// f of images as floats, in the dtype that they have.
template <operand_like X, class F>
constexpr auto as_floats(X x, const F& f) {
  using T = typename X::value_type;
  if constexpr (is_floating(dtype_of<T>))
    return f(x);
  else
    return convert_image_dtype<T>(f(convert_image_dtype<float>(x)));
}
template <int Channel, operand_like X>
constexpr auto channel(X x) {
  return etch::detail::part_along<X::rank - 1, Channel, Channel + 1>(x);
}
/// Between 0 and 1.
template <class X>
constexpr auto clipped(X x) {
  return minimum(maximum(x, 0_c), 1_c);
}

/// The hue in [0, 6): red, yellow, green, cyan, blue, magenta.
template <class R, class G, class B, class High, class Range>
constexpr auto hue_of(R red, G green, B blue, High high, Range range) {
  const auto over = 1_c / where(range > 0_c, range, 1_c);
  const auto hue =
      where(red == high, (green - blue) * over, where(green == high, (blue - red) * over + 2_c, (red - green) * over + 4_c));
  return where(range > 0_c, where(hue < 0_c, hue + 6_c, hue), 0_c);
}
/// How much of the range between a colour's least and largest channel is missing in one of its channels. `From`: 5 red, 3 green, 1 blue.
template <int From, class Hue>
constexpr auto missing(Hue hue) {
  const auto moved = hue + literal<From>;
  const auto k = where(moved >= 6_c, moved - 6_c, moved);
  return clipped(minimum(k, 4_c - k));
}
template <class Hue, class High, class Range>
constexpr auto colours_of(Hue hue, High high, Range range) {
  return concat(axis<-1>, high - range * missing<5>(hue), high - range * missing<3>(hue), high - range * missing<1>(hue));
}

}  // namespace detail

/// x + delta.
template <operand_like X, class Delta>
constexpr auto adjust_brightness(X x, Delta delta) {
  return detail::as_floats(x, [&](auto image) { return image + delta; });
}

/// (x - mean) * factor + mean, of each channel of each image.
template <operand_like X, class Factor>
constexpr auto adjust_contrast(X x, Factor factor) {
  if constexpr (!detail::takes_images<"image::adjust_contrast", X>()) {
    return x;
  } else {
    return detail::as_floats(x, [&](auto image) {
      const auto middle = mean(image, axis<-3, -2>, keep_dims);
      return (image - middle) * factor + middle;
    });
  }
}

/// gain * x^gamma.
template <operand_like X, class Gamma, class Gain = decltype(1_c)>
constexpr auto adjust_gamma(X x, Gamma gamma, Gain gain = {}) {
  return detail::as_floats(x, [&](auto image) { return pow(image, gamma) * gain; });
}

/// The distance of colours from gray, in HSV: the saturation times a factor, up to 1.
template <operand_like X, class Factor>
constexpr auto adjust_saturation(X x, Factor factor) {
  if constexpr (!detail::takes_channels<"image::adjust_saturation", 3, X>()) {
    return x;
  } else {
    detail::check_channels<"image::adjust_saturation", 3>(x);
    return detail::as_floats(x, [&](auto image) {
      const auto high = max(image, axis<-1>, keep_dims);
      const auto range = high - min(image, axis<-1>, keep_dims);
      const auto saturation = where(high > 0_c, range / high, 0_c);
      const auto ratio = where(saturation > 0_c, detail::clipped(saturation * factor) / saturation, 0_c);
      return high - (high - image) * ratio;
    });
  }
}

/// Hues turned, delta times a whole turn.
template <operand_like X, class Delta>
constexpr auto adjust_hue(X x, Delta delta) {
  if constexpr (!detail::takes_channels<"image::adjust_hue", 3, X>()) {
    return x;
  } else {
    detail::check_channels<"image::adjust_hue", 3>(x);
    const auto sixths = [&] {
      if constexpr (std::is_arithmetic_v<Delta>)
        return delta * 6;
      else
        return delta * 6_c;
    }();
    return detail::as_floats(x, [&](auto image) {
      const auto high = max(image, axis<-1>, keep_dims);
      const auto range = high - min(image, axis<-1>, keep_dims);
      const auto turned =
          detail::hue_of(detail::channel<0>(image), detail::channel<1>(image), detail::channel<2>(image), high, range) + sixths;
      return detail::colours_of(turned - floor(turned * 0.16666666666666666_c) * 6_c, high, range);
    });
  }
}

/// 0.2989 red + 0.587 green + 0.114 blue, as one channel.
template <operand_like X>
constexpr auto rgb_to_grayscale(X x) {
  if constexpr (!detail::takes_channels<"image::rgb_to_grayscale", 3, X>()) {
    return x;
  } else {
    detail::check_channels<"image::rgb_to_grayscale", 3>(x);
    return detail::as_floats(x, [](auto image) {
      return detail::channel<0>(image) * 0.2989_c + detail::channel<1>(image) * 0.587_c + detail::channel<2>(image) * 0.114_c;
    });
  }
}
/// One channel as three equal ones.
template <operand_like X>
constexpr auto grayscale_to_rgb(X x) {
  if constexpr (!detail::takes_channels<"image::grayscale_to_rgb", 1, X>()) {
    return x;
  } else {
    detail::check_channels<"image::grayscale_to_rgb", 1>(x);
    return concat(axis<-1>, x, x, x);
  }
}

/// Red, green, blue of [0, 1] as hue, saturation and value, each of [0, 1]. Of floats.
template <operand_like X>
constexpr auto rgb_to_hsv(X x) {
  static_assert(is_floating(dtype_of<typename X::value_type>), "image::rgb_to_hsv: of floats, see convert_image_dtype");
  if constexpr (!detail::takes_channels<"image::rgb_to_hsv", 3, X>()) {
    return x;
  } else {
    detail::check_channels<"image::rgb_to_hsv", 3>(x);
    const auto high = max(x, axis<-1>, keep_dims);
    const auto range = high - min(x, axis<-1>, keep_dims);
    const auto hue = detail::hue_of(detail::channel<0>(x), detail::channel<1>(x), detail::channel<2>(x), high, range);
    return concat(axis<-1>, hue * 0.16666666666666666_c, where(high > 0_c, range / high, 0_c), high);
  }
}
/// The other way round.
template <operand_like X>
constexpr auto hsv_to_rgb(X x) {
  static_assert(is_floating(dtype_of<typename X::value_type>), "image::hsv_to_rgb: of floats");
  if constexpr (!detail::takes_channels<"image::hsv_to_rgb", 3, X>()) {
    return x;
  } else {
    detail::check_channels<"image::hsv_to_rgb", 3>(x);
    const auto value = detail::channel<2>(x);
    return detail::colours_of(detail::channel<0>(x) * 6_c, value, value * detail::channel<1>(x));
  }
}

/// Each image with mean 0 and standard deviation 1: (x - mean) / max(deviation, 1 / sqrt(n)), of its n elements. Floats; integers are taken as the
/// numbers that they are, as TensorFlow does, which the second deviation depends on.
template <operand_like X>
constexpr auto per_image_standardization(X x) {
  if constexpr (!detail::takes_images<"image::per_image_standardization", X>()) {
    return x;
  } else if constexpr (!is_floating(dtype_of<typename X::value_type>)) {
    return per_image_standardization(astype<float>(x));
  } else {
    const auto rest = x - mean(x, axis<-3, -2, -1>, keep_dims);
    const auto least = rsqrt(etch::detail::size_along(x, axis<-3, -2, -1>));
    return rest / maximum(etch::detail::sqrt_flat_at_zero(mean(square(rest), axis<-3, -2, -1>, keep_dims)), least);
  }
}

/// (x - mean) / deviation, where these are numbers or have one for each channel: what a network was trained with.
template <operand_like X, class Mean, class Deviation>
constexpr auto normalize(X x, Mean mean_of_channels, Deviation deviation) {
  if constexpr (!is_floating(dtype_of<typename X::value_type>))
    return normalize(convert_image_dtype<float>(x), mean_of_channels, deviation);
  else
    return (x - mean_of_channels) / deviation;
}

}  // namespace etch::image
