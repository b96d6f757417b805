// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <bit>

#include <etch/base/philox.hpp>
#include <etch/image/colour.hpp>
#include <etch/image/geometry.hpp>

/// Random forms of what images become, of tensors. What is drawn follows from the seed alone, two integers: not from threads, from what was
/// called before or from the machine. The same seed draws what TensorFlow's functions of these names draw.
namespace etch::image {

/// Of one call: `{seed, number of the element}`. Calls with one seed draw the same.
using seed = std::array<std::int64_t, 2>;

namespace detail {

/// Words of Philox as tf.random.stateless_uniform keys it: the seed is scrambled, since users' seeds are small.
class seeded_words {
 public:
  explicit seeded_words(const seed& s) {
    const philox::block mixed =
        philox::generate(static_cast<std::uint64_t>(s[0]), static_cast<std::uint64_t>(s[1]), 0x02461e293ec8f720);
    key_ = mixed.word[0] | std::uint64_t{mixed.word[1]} << 32;
    high_ = mixed.word[2] | std::uint64_t{mixed.word[3]} << 32;
  }
  std::uint32_t word(std::uint64_t i) const { return philox::generate(i / 4, high_, key_).word[i % 4]; }
  /// In [0, 1).
  float uniform(std::uint64_t i = 0) const { return std::bit_cast<float>((word(i) & 0x7fffffu) | 0x3f800000u) - 1; }
  /// In [0, last], for an axis: TensorFlow draws an int32 below the largest.
  std::int64_t place(std::uint64_t axis, std::int64_t last) const {
    return static_cast<std::int64_t>(word(axis) % 0x7fffffffu) % (last + 1);
  }
  float uniform_between(float low, float high) const { return uniform() * (high - low) + low; }

 private:
  std::uint64_t key_, high_;
};

inline void check_range(const char* function, float low, float high, float least) {
  if (!(low >= least) || !(low < high))
    fail("%s: from %g up to %g, expected is a range from %g on", function, static_cast<double>(low), static_cast<double>(high),
         static_cast<double>(least));
}
inline void check_max_delta(const char* function, float max_delta) {
  if (!(max_delta >= 0)) fail("%s: max_delta is %g, expected is at least 0", function, static_cast<double>(max_delta));
}

/// Of a batch for each image one of several arrays of the same shape, `of[number(i)]`.
template <std::size_t N, class X, class Number>
X choose_each(const std::array<const X*, N>& of, const Number& number) {
  using T = typename X::value_type;
  X made{eager::unmade{}};
  made.reset(of[0]->described());
  auto* const to = reinterpret_cast<T*>(made.bytes());
  const std::int64_t images = made.extent(0), size = images == 0 ? 0 : made.size() / images;
  for (std::int64_t i = 0; i < images; ++i)
    std::copy_n(of[number(static_cast<std::uint64_t>(i))]->data() + i * size, size, to + i * size);
  return made;
}
/// `flipped` where a coin says so, for each image of a batch on its own.
template <class X>
X choose(const X& x, const X& flipped, const seed& s) {
  const seeded_words words(s);
  if constexpr (X::rank == 3)
    return words.uniform() < 0.5f ? flipped : x;
  else
    return choose_each(std::array{&x, &flipped}, [&](std::uint64_t i) { return words.uniform(i) > 0.5f ? 1u : 0u; });
}

}  // namespace detail

/// Columns in reverse in one of two cases.
template <evaluated X>
X stateless_random_flip_left_right(const X& x, const seed& s) {
  return detail::choose(x, flip_left_right(x), s);
}
/// Rows in reverse in one of two cases.
template <evaluated X>
X stateless_random_flip_up_down(const X& x, const seed& s) {
  return detail::choose(x, flip_up_down(x), s);
}

/// Turned to the left by none, one, two or three quarters, each image of a batch on its own, which must be square: so that all keep
/// their extents. TensorFlow has no such function.
template <evaluated X>
X stateless_random_rot90(const X& x, const seed& s) {
  if constexpr (!detail::takes_images<"image::stateless_random_rot90", X>()) {
    return x;
  } else {
    const detail::seeded_words words(s);
    const auto turns = [&](std::uint64_t i) { return words.word(i) >> 30; };
    if constexpr (X::rank == 3) {
      const std::uint32_t n = turns(0);
      return n == 0 ? x : n == 1 ? rot90<1>(x) : n == 2 ? rot90<2>(x) : rot90<3>(x);
    } else {
      if (x.extent(1) != x.extent(2))
        fail("image::stateless_random_rot90: images of %lld x %lld pixels in a batch, which must be square",
             static_cast<long long>(x.extent(1)), static_cast<long long>(x.extent(2)));
      const X once = rot90<1>(x), twice = rot90<2>(x), thrice = rot90<3>(x);
      return detail::choose_each(std::array{&x, &once, &twice, &thrice}, turns);
    }
  }
}

/// `adjust_brightness` by a delta of [-max_delta, max_delta).
template <evaluated X>
X stateless_random_brightness(const X& x, float max_delta, const seed& s) {
  detail::check_max_delta("image::stateless_random_brightness", max_delta);
  return adjust_brightness(x, detail::seeded_words(s).uniform_between(-max_delta, max_delta));
}
/// `adjust_contrast` by a factor of [lower, upper).
template <evaluated X>
X stateless_random_contrast(const X& x, float lower, float upper, const seed& s) {
  detail::check_range("image::stateless_random_contrast", lower, upper, 0);
  return adjust_contrast(x, detail::seeded_words(s).uniform_between(lower, upper));
}
/// `adjust_saturation` by a factor of [lower, upper).
template <evaluated X>
X stateless_random_saturation(const X& x, float lower, float upper, const seed& s) {
  detail::check_range("image::stateless_random_saturation", lower, upper, 0);
  return adjust_saturation(x, detail::seeded_words(s).uniform_between(lower, upper));
}
/// `adjust_hue` by a delta of [-max_delta, max_delta); max_delta is at most 0.5.
template <evaluated X>
X stateless_random_hue(const X& x, float max_delta, const seed& s) {
  detail::check_max_delta("image::stateless_random_hue", max_delta);
  if (max_delta > 0.5f) fail("image::stateless_random_hue: max_delta is %g, half a turn is 0.5", static_cast<double>(max_delta));
  return adjust_hue(x, detail::seeded_words(s).uniform_between(-max_delta, max_delta));
}

/// A part of height x width pixels, each place as likely as the next: of an image as tf.image.stateless_random_crop of
/// (height, width, channels). Of a batch the same part of all.
template <evaluated X>
X stateless_random_crop(const X& x, std::int64_t height, std::int64_t width, const seed& s) {
  constexpr const char* function = "image::stateless_random_crop";
  if constexpr (!detail::takes_images<"image::stateless_random_crop", X>()) {
    return x;
  } else {
    constexpr int rows = detail::rows_of<X>;
    detail::check_box(function, {0, 0, height, width}, x.extent(rows), x.extent(rows + 1));
    const detail::seeded_words words(s);
    return detail::crop_now(function, x,
                            {words.place(0, x.extent(rows) - height), words.place(1, x.extent(rows + 1) - width), height, width});
  }
}
/// Height x width pixels, zeros but for the image, whose places are all as likely: of a batch the same of all. Behind it a
/// `stateless_random_crop` of the image's extents moves it by some pixels. TensorFlow has no such function.
template <evaluated X>
X stateless_random_pad(const X& x, std::int64_t height, std::int64_t width, const seed& s) {
  constexpr const char* function = "image::stateless_random_pad";
  if constexpr (!detail::takes_images<"image::stateless_random_pad", X>()) {
    return x;
  } else {
    constexpr int rows = detail::rows_of<X>;
    detail::check_box(function, {0, 0, x.extent(rows), x.extent(rows + 1)}, height, width);
    const detail::seeded_words words(s);
    return detail::pad_now(function, x, words.place(0, height - x.extent(rows)), words.place(1, width - x.extent(rows + 1)), height,
                           width);
  }
}

}  // namespace etch::image
