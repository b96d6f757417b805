// SPDX-License-Identifier: MIT
// P10: blocks of convolutions forward, with weights in variables, and pools.
#include <memory>

#include <etch/convolution.hpp>

#include "session.hpp"

using namespace bench::suite;
using namespace etch::literals;

namespace {

constexpr auto relu6(auto x) { return etch::clip(x, 0_c, 6_c); }

template <int Size, int Channels, int Stride>
void add_depthwise(worker& w) {
  static constexpr etch::placeholder<"x", float, 1, Size, Size, Channels> x;
  static constexpr auto y =
      relu6(etch::nn::conv2d<"layer", Channels, 3>(x, etch::groups<Channels>, etch::strides<Stride>, etch::same_padding));
  constexpr int result = Size / Stride;
  const std::string size = std::to_string(Size), stride = Stride == 1 ? "" : ", stride " + std::to_string(Stride);
  w.add("P10 depthwise 3 x 3" + stride + ", (" + size + ", " + size + ", " + std::to_string(Channels) + "), + bias, relu6", "etch",
        2.0 * 9 * result * result * Channels, 0, [] {
          const auto input = std::make_shared<filled<float, 1, Size, Size, Channels>>(1u);
          return layers_job(y, {{"layer/kernel", 2}, {"layer/bias", 3}}, [input] { return x = input->values; });
        });
}

/// Blocks of MobileNet (Sandler et al. 2018): channels six times as many, a depthwise convolution, as many as before, + x.
template <int Size, int Channels, int Blocks>
void add_inverted_residuals(worker& w) {
  static constexpr int wide = 6 * Channels;
  static constexpr etch::placeholder<"x", float, 1, Size, Size, Channels> x;
  static constexpr auto block = [](auto in, auto h) {
    const auto expanded = relu6(etch::nn::conv2d<in / "expand", wide, 1>(h));
    const auto filtered = relu6(etch::nn::conv2d<in / "depthwise", wide, 3>(expanded, etch::groups<wide>, etch::same_padding));
    return h + etch::nn::conv2d<in / "project", Channels, 1>(filtered);
  };
  static constexpr auto y = [] {
    const auto first = etch::scope<"block0">(block, x);
    if constexpr (Blocks == 1)
      return first;
    else
      return etch::scope<"block4">(block,
                                   etch::scope<"block3">(block, etch::scope<"block2">(block, etch::scope<"block1">(block, first))));
  }();
  static_assert(Blocks == 1 || Blocks == 5);
  const std::string size = std::to_string(Size), blocks = Blocks == 1 ? "block" : std::to_string(Blocks) + " blocks";
  w.add("P10 MobileNet " + blocks + ", (" + size + ", " + size + ", " + std::to_string(Channels) + ")", "etch",
        2.0 * Blocks * Size * Size * wide * (2 * Channels + 9), 0, [] {
          const auto input = std::make_shared<filled<float, 1, Size, Size, Channels>>(1u);
          std::vector<weight> weights;
          for (int i = 0; i < Blocks; ++i) {
            const std::string in = "block" + std::to_string(i) + "/";
            const auto number = static_cast<std::uint32_t>(6 * i);
            weights.insert(weights.end(), {{in + "expand/kernel", number + 2, 0.2f},
                                           {in + "expand/bias", number + 3},
                                           {in + "depthwise/kernel", number + 4, 0.5f},
                                           {in + "depthwise/bias", number + 5},
                                           {in + "project/kernel", number + 6, 0.1f},
                                           {in + "project/bias", number + 7}});
          }
          return layers_job(y, weights, [input] { return x = input->values; });
        });
}

template <int Batch>
void add_residual(worker& w) {
  static constexpr etch::placeholder<"x", float, Batch, 56, 56, 64> x;
  static constexpr auto first = etch::relu(etch::nn::conv2d<"first", 64, 3>(x, etch::same_padding));
  static constexpr auto y = etch::relu(x + etch::nn::conv2d<"second", 64, 3>(first, etch::same_padding));
  w.add("P10 residual block, (56, 56, 64), batch " + std::to_string(Batch), "etch", 4.0 * Batch * 56 * 56 * 9 * 64 * 64, 0, [] {
    const auto input = std::make_shared<filled<float, Batch, 56, 56, 64>>(1u);
    return layers_job(y, {{"first/kernel", 2, 0.1f}, {"first/bias", 3}, {"second/kernel", 4, 0.1f}, {"second/bias", 5}},
                      [input] { return x = input->values; });
  });
}

/// Beside the reduction of a view of windows that lie side by side.
template <int Batch, int Size, int Channels, int Window>
void add_max_pool(worker& w) {
  static constexpr etch::placeholder<"x", float, Batch, Size, Size, Channels> x;
  const std::string window = std::to_string(Window), size = std::to_string(Size);
  const std::string name = "P10 max pool of " + window + " x " + window + ", stride 2, (" + std::to_string(Batch) + ", " + size +
                           ", " + size + ", " + std::to_string(Channels) + ")";
  const auto add = [&](const char* side, auto y) {
    w.add(name, side, 0, 0, [y] {
      const auto input = std::make_shared<filled<float, Batch, Size, Size, Channels>>(1u);
      return etch_job(y, [input] { return x = input->values; });
    });
  };
  add("etch", etch::max_pool2d(x, etch::window<Window>, etch::strides<2>));
  if constexpr (Window == 2) {
    constexpr int half = Size / 2;
    constexpr auto windows = etch::reshape(x, etch::shape<Batch, half, 2, half, 2, Channels>{});
    add("etch, a reduction", etch::max(windows, etch::axis<2, 4>));
  }
}

}  // namespace

int main() {
  worker w;
  add_depthwise<56, 64, 2>(w);
  add_depthwise<14, 384, 1>(w);
  add_inverted_residuals<28, 32, 1>(w);
  add_inverted_residuals<14, 64, 1>(w);
  add_inverted_residuals<14, 64, 5>(w);
  add_residual<1>(w);
  add_residual<8>(w);
  add_max_pool<50, 28, 32, 2>(w);
  add_max_pool<8, 28, 12, 2>(w);
  add_max_pool<8, 57, 64, 3>(w);
  return w.serve();
}
