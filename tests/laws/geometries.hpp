// SPDX-License-Identifier: MIT
#pragma once
#include "windows.hpp"

/// The convolutions and pools that are tried in a session and on a tape, and operands for them.
namespace laws {

// Convolutions.
inline constexpr geometry plain{.batch = 2, .extents = {5, 6}, .channels = 3, .filters = 4, .window = {3, 2}};
inline constexpr geometry same_odd{.batch = 2, .extents = {7, 6}, .channels = 3, .filters = 17, .window = {5, 5}, .is_same = true};
inline constexpr geometry same_even{.batch = 1, .extents = {6, 5}, .channels = 2, .filters = 3, .window = {2, 4}, .is_same = true};
inline constexpr geometry with_strides{
    .batch = 2, .extents = {8, 9}, .channels = 2, .filters = 5, .window = {3, 3}, .stride = {2, 3}};
inline constexpr geometry strided_same{
    .batch = 2, .extents = {8, 9}, .channels = 2, .filters = 5, .window = {3, 5}, .stride = {2, 3}, .is_same = true};
inline constexpr geometry apart{
    .batch = 1, .extents = {9, 11}, .channels = 1, .filters = 1, .window = {1, 2}, .stride = {3, 4}, .is_same = true};
/// Strides and dilations with a common factor: some elements of the image meet no window. And more phases than are computed one by one.
inline constexpr geometry common_steps{
    .batch = 2, .extents = {17, 15}, .channels = 3, .filters = 4, .window = {3, 4}, .stride = {4, 2}, .dilation = {2, 4}};
inline constexpr geometry many_phases{
    .batch = 1, .extents = {14, 13}, .channels = 2, .filters = 3, .window = {6, 5}, .stride = {5, 4}, .is_same = true};
inline constexpr geometry strided_less{.batch = 2,
                                       .extents = {12, 11},
                                       .channels = 3,
                                       .filters = 2,
                                       .window = {4, 3},
                                       .stride = {2, 3},
                                       .before = {-1, 2},
                                       .after = {0, -2}};
inline constexpr geometry dilated{
    .batch = 2, .extents = {9, 10}, .channels = 3, .filters = 2, .window = {3, 3}, .dilation = {2, 3}};
inline constexpr geometry all_of_it{.batch = 2,
                                    .extents = {10, 9},
                                    .channels = 4,
                                    .filters = 6,
                                    .window = {3, 2},
                                    .stride = {2, 3},
                                    .dilation = {3, 2},
                                    .before = {1, 4},
                                    .after = {5, 0},
                                    .groups = 2};
inline constexpr geometry padded_far{
    .batch = 1, .extents = {3, 2}, .channels = 2, .filters = 3, .window = {2, 3}, .before = {4, 3}, .after = {5, 4}};
inline constexpr geometry depthwise{
    .batch = 2, .extents = {6, 5}, .channels = 6, .filters = 6, .window = {3, 3}, .groups = 6, .is_same = true};
/// Each channel with filters of its own: strides, dilations and paddings; more channels than a vector has lanes, and some left; more
/// elements of windows, and of images, than are summed at a time; rows that lie apart in more ways than one.
inline constexpr geometry channelwise = all_of_it.with_channels(37, 37, 37);
inline constexpr geometry channelwise_inside{
    .batch = 2, .extents = {7, 8}, .channels = 16, .filters = 16, .window = {3, 3}, .groups = 16};
inline constexpr geometry channelwise_same{
    .batch = 3, .extents = {15, 14}, .channels = 72, .filters = 72, .window = {3, 3}, .groups = 72, .is_same = true};
inline constexpr geometry channelwise_strided{.batch = 2,
                                              .extents = {9, 12},
                                              .channels = 33,
                                              .filters = 33,
                                              .window = {3, 5},
                                              .stride = {2, 2},
                                              .groups = 33,
                                              .is_same = true};
inline constexpr geometry channelwise_large{
    .batch = 1, .extents = {29, 27}, .channels = 19, .filters = 19, .window = {24, 23}, .groups = 19, .is_same = true};
inline constexpr geometry channelwise_far = padded_far.with_channels(5, 5, 5);
inline constexpr geometry channelwise_less{.batch = 2,
                                           .extents = {9, 8},
                                           .channels = 20,
                                           .filters = 20,
                                           .window = {3, 3},
                                           .before = {-2, 1},
                                           .after = {1, -3},
                                           .groups = 20};
inline constexpr geometry no_images_channelwise{
    .batch = 0, .extents = {4, 5}, .channels = 6, .filters = 6, .window = {2, 2}, .groups = 6, .is_same = true};
inline constexpr geometry two_filters_each{
    .batch = 2, .extents = {6, 5}, .channels = 9, .filters = 18, .window = {3, 3}, .stride = {2, 1}, .groups = 9, .is_same = true};
/// So many channels and filters that what lies outside of the image is left out, not multiplied: panels that fill no register; strides,
/// dilations, paddings and groups; more rows than are put in order together, more sums than a block is deep, more classes of rows than
/// there are numbers for, images that are smaller than the windows.
inline constexpr geometry left_out{.batch = 3, .extents = {9, 8}, .channels = 40, .filters = 26, .window = {5, 4}, .is_same = true};
inline constexpr geometry left_out_apart = channelwise.with_channels(64, 66, 2);
inline constexpr geometry left_out_far = padded_far.with_channels(32, 33);
inline constexpr geometry left_out_less = channelwise_less.with_channels(40, 40);
inline constexpr geometry left_out_of_many{
    .batch = 5, .extents = {32, 31}, .channels = 32, .filters = 32, .window = {2, 1}, .is_same = true};
inline constexpr geometry left_out_deep{
    .batch = 2, .extents = {7, 6}, .channels = 100, .filters = 20, .window = {5, 5}, .is_same = true};
inline constexpr geometry left_out_everywhere{
    .batch = 1, .extents = {2, 3}, .channels = 32, .filters = 32, .window = {2, 1}, .before = {40, 40}, .after = {40, 40}};
inline constexpr geometry none_left_out{
    .batch = 0, .extents = {4, 5}, .channels = 32, .filters = 32, .window = {2, 2}, .is_same = true};
inline constexpr geometry whole{.batch = 3, .extents = {4, 5}, .channels = 3, .filters = 7, .window = {4, 5}};
inline constexpr geometry one_by_one{.batch = 2, .extents = {4, 5}, .channels = 9, .filters = 19, .window = {1, 1}};
inline constexpr geometry one_by_one_strided{
    .batch = 2, .extents = {5, 5}, .channels = 9, .filters = 9, .window = {1, 1}, .stride = {2, 2}};
inline constexpr geometry no_images{.batch = 0, .extents = {4, 5}, .channels = 3, .filters = 2, .window = {2, 2}, .is_same = true};
/// More rows than a block has, more sums than a block is deep, more columns than a panel.
inline constexpr geometry large{.batch = 3, .extents = {13, 12}, .channels = 90, .filters = 37, .window = {5, 5}, .is_same = true};
/// What is also tried with channels first.
inline constexpr geometry three_channels{
    .batch = 2, .extents = {8, 9}, .channels = 3, .filters = 5, .window = {3, 5}, .stride = {2, 3}, .is_same = true};

// Pools.
inline constexpr geometry side_by_side{.batch = 2, .extents = {6, 8}, .channels = 5, .window = {2, 2}, .stride = {2, 2}};
inline constexpr geometry some_left{.batch = 2, .extents = {7, 9}, .channels = 35, .window = {2, 4}, .stride = {2, 4}};
inline constexpr geometry shared{.batch = 1, .extents = {6, 7}, .channels = 17, .window = {3, 3}};
inline constexpr geometry padded_pools{.batch = 2,
                                       .extents = {5, 6},
                                       .channels = 16,
                                       .window = {3, 2},
                                       .stride = {2, 3},
                                       .dilation = {2, 1},
                                       .before = {2, 1},
                                       .after = {1, 0}};
inline constexpr geometry same_as{
    .batch = 2, .extents = {5, 7}, .channels = 3, .window = {3, 3}, .stride = {2, 2}, .is_same = true};
/// Channels for four, two and one register and some that fill none, of floats and of doubles.
inline constexpr geometry many_channels{.batch = 1, .extents = {5, 6}, .channels = 125, .window = {2, 3}, .stride = {2, 3}};
inline constexpr geometry many_channels_shared{
    .batch = 1, .extents = {5, 4}, .channels = 125, .window = {3, 3}, .stride = {2, 2}, .is_same = true};
inline constexpr geometry no_images_to_pool{.batch = 0, .extents = {4, 4}, .channels = 3, .window = {2, 2}, .stride = {2, 2}};

/// Operands of a convolution, and what plain loops make of them.
template <class T>
struct convolution_values {
  explicit convolution_values(const geometry& g, unsigned seed = 7) : of(g), generator(seed) {}

  geometry of;
  std::mt19937 generator;
  image<T> x = integers<T>(generator, {of.batch, of.extents[0], of.extents[1], of.channels});
  image<T> w = integers<T>(generator, {of.window[0], of.window[1], of.channels / of.groups, of.filters});
  image<T> dy = integers<T>(generator, {of.batch, of.windows(0), of.windows(1), of.filters});

  /// The result, and the adjoints of x and w.
  auto expected() const { return std::tuple(convolved(of, x, w), image_adjoint(of, dy, w), kernel_adjoint(of, x, dy)); }
};

/// The same of the two pools.
template <class T>
struct pool_values {
  explicit pool_values(const geometry& g) : of(g) {}

  geometry of;
  std::mt19937 generator{11};
  image<T> x = multiples_of_72<T>(generator, {of.batch, of.extents[0], of.extents[1], of.channels});
  image<T> dy = multiples_of_72<T>(generator, {of.batch, of.windows(0), of.windows(1), of.channels});

  /// The largest, the means, and the adjoints of x of both.
  auto expected() const {
    const pooled<T> r = pool(of, x, dy);
    return std::tuple(r.largest, r.mean, r.largest_adjoint, r.mean_adjoint);
  }
};

}  // namespace laws
