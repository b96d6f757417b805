// SPDX-License-Identifier: MIT
// P6's two convolutions, forward, with bias and relu.
#include <memory>

#include <etch/convolution.hpp>

#include "session.hpp"

using namespace bench::suite;

namespace {

template <int Batch, int Size, int Channels, int Filters>
void add(worker& w) {
  static constexpr etch::placeholder<"images", float, Batch, Size, Size, Channels> images;
  static constexpr etch::placeholder<"kernel", float, 5, 5, Channels, Filters> kernel;
  static constexpr etch::placeholder<"bias", float, Filters> bias;
  struct operands {
    filled<float, Batch, Size, Size, Channels> images{1};
    filled<float, 5, 5, Channels, Filters> kernel{2};
    filled<float, Filters> bias{3};
  };
  const std::string size = std::to_string(Size), shape = "(" + std::to_string(Batch) + ", " + size + ", " + size + ", " +
                                                         std::to_string(Channels) + " to " + std::to_string(Filters) + ")";
  w.add("P6 convolution 5 x 5, " + shape + ", + bias, relu", "etch", 2.0 * Batch * Size * Size * 25 * Channels * Filters, 0, [] {
    const auto v = std::make_shared<operands>();
    return etch_job(
        etch::relu(etch::conv2d(images, kernel, etch::same_padding) + bias), [v] { return images = v->images.values; },
        [v] { return kernel = v->kernel.values; }, [v] { return bias = v->bias.values; });
  });
}

}  // namespace

int main() {
  worker w;
  add<50, 28, 1, 32>(w);
  add<50, 14, 32, 64>(w);
  return w.serve();
}
