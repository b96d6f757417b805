// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/derived_shape.hpp>
#include <etch/ops/einsum.hpp>
#include <etch/ops/mean.hpp>
#include <etch/ops/rounding.hpp>

/// How much each pixel counts for each of a resized axis: weights as a matrix, so that resizing is a product, and so is its gradient.
namespace etch {

/// What `resize` takes for a value between pixels, by more than the two beside it: the cubic through four (Keys, a = -1/2); the mean of
/// what a pixel of the result covers.
inline constexpr struct bicubic {
} bicubic;
inline constexpr struct area {
} area;
/// Where an image becomes smaller, all pixels that one of the result covers count, not those beside its middle alone.
inline constexpr struct antialias {
} antialias;

namespace detail {

/// Keys's cubic at a distance of pixels, which has 4 of them.
template <class D>
constexpr auto keys_cubic(D d) {
  const auto near = (1.5_c * d - 2.5_c) * d * d + 1_c;
  const auto far = ((-0.5_c * d + 2.5_c) * d - 4_c) * d + 2_c;
  return where(d < 1_c, near, where(d < 2_c, far, 0_c));
}
/// A line down from the pixel itself to the next.
template <class D>
constexpr auto triangle(D d) {
  return maximum(1_c - d, 0_c);
}

/// (Extent, n): row i has the weights of x's n pixels along an axis for pixel i of Extent, as TensorFlow's kernels compute them.
template <int Axis, std::int64_t Extent, bool Smooths, class Method, operand_like X>
constexpr auto resampling_weights(X x, Method) {
  using T = typename X::value_type;
  const auto n = size_along(x, axis<Axis>);
  const auto scale = n / literal<static_cast<double>(Extent)>;
  const auto i = reshape(arange<T>(shape<Extent>{}), shape<Extent, 1>{});
  const auto j = numbers_along<T, Axis>(x);
  if constexpr (std::is_same_v<Method, struct area>) {
    const auto first = i * scale;
    const auto last = (i + 1_c) * scale;
    // Not as last - first, of which less is exact, where one pixel covers them.
    const auto part = where(j < first && j + 1_c > last, scale, minimum(j + 1_c, last) - maximum(j, first));
    return maximum(part, 0_c) / scale;
  } else {
    const auto weights = [&] {
      if constexpr (Smooths) {
        const auto d = abs(j + 0.5_c - (i + 0.5_c) * scale) / maximum(scale, 1_c);
        if constexpr (std::is_same_v<Method, struct bicubic>)
          return keys_cubic(d);
        else
          return triangle(d);
      } else {
        // TensorFlow looks the cubic up in a table of 1024 places between two pixels.
        const auto place = (i + 0.5_c) * scale - 0.5_c;
        const auto before = floor(place);
        return keys_cubic(abs(j - before - round((place - before) * 1024_c) * 0.0009765625_c));
      }
    }();
    return weights / sum(weights, axis<1>, keep_dims);
  }
}

/// "oi,aicd->aocd" for axis 1 of 4.
template <int Axis, int Rank>
inline constexpr auto resampling_letters = [] {
  char text[2 * Rank + 7]{};
  int n = 0;
  const auto write = [&](const char* letters) {
    while (*letters != '\0') text[n++] = *letters++;
  };
  write("oi,");
  for (int k = 0; k < Rank; ++k) text[n++] = k == Axis ? 'i' : static_cast<char>('a' + k);
  write("->");
  for (int k = 0; k < Rank; ++k) text[n++] = k == Axis ? 'o' : static_cast<char>('a' + k);
  char exact[2 * Rank + 6]{};
  for (int k = 0; k < 2 * Rank + 5; ++k) exact[k] = text[k];
  return fixed_string<2 * Rank + 6>(exact);
}();

template <int Axis, std::int64_t Extent, bool Smooths, class Method, operand_like X>
constexpr auto resample_axis(X x, Method method) {
  return einsum<resampling_letters<Axis, X::rank>>(resampling_weights<Axis, Extent, Smooths>(x, method), x);
}
template <int Axis, bool Smooths, class Method, operand_like X>
constexpr auto resample_axes(X x, shape<>, Method) {
  return x;
}
template <int Axis, bool Smooths, class Method, operand_like X, auto First, auto... Rest>
constexpr auto resample_axes(X x, shape<First, Rest...>, Method method) {
  return resample_axes<Axis + 1, Smooths>(resample_axis<Axis, static_cast<std::int64_t>(First), Smooths>(x, method),
                                          shape<Rest...>{}, method);
}

}  // namespace detail
}  // namespace etch
