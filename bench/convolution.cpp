// SPDX-License-Identifier: MIT
// Convolutions of float32 on one thread: forward with bias and relu, and the gradients of image and kernel, as a share of what the
// core's multiply-adders can do; beside them the same forward by copying windows into rows of a matrix ("im2col") and one matrix product
// of etch's. bench/convolution_pytorch.py times the same layers in PyTorch.
#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include <etch/convolution.hpp>

#include "measure.hpp"
#include "peak.hpp"

using namespace etch::literals;

namespace {

using image = xt::xtensor<float, 4>;

image random_image(std::size_t n, std::size_t h, std::size_t w, std::size_t c, unsigned seed) {
  image a(std::array{n, h, w, c});
  bench::fill(a.data(), a.size(), -1, 1, seed);
  return a;
}

/// Images of Size x Size, windows of Window x Window with zeros around, as many as pixels.
template <int Batch, int Size, int Channels, int Filters, int Window>
void time_layer(double peak) {
  constexpr std::size_t n = Batch, s = Size, c = Channels, f = Filters, k = Window;
  constexpr etch::placeholder<"x", float, Batch, Size, Size, Channels> x;
  constexpr etch::placeholder<"w", float, Window, Window, Channels, Filters> w;
  constexpr etch::placeholder<"bias", float, Filters> bias;
  constexpr etch::placeholder<"dy", float, Batch, Size, Size, Filters> dy;
  constexpr etch::placeholder<"rows", float, Batch * Size * Size, Window * Window * Channels> rows;
  constexpr auto plain = etch::conv2d(x, w, etch::same_padding);
  constexpr auto y = etch::relu(plain + bias);
  constexpr auto g = etch::gradients(etch::sum(plain * dy), x, w);
  constexpr auto dx = std::get<0>(g);
  constexpr auto dw = std::get<1>(g);
  constexpr auto product =
      etch::relu(etch::matmul(rows, etch::reshape(w, etch::shape<Window * Window * Channels, Filters>{})) + bias);
  etch::session session(y, dx, dw, product);

  const image vx = random_image(n, s, s, c, 1), vw = random_image(k, k, c, f, 2), vdy = random_image(n, s, s, f, 3);
  xt::xtensor<float, 1> vb(std::array{f});
  bench::fill(vb.data(), vb.size(), -1, 1, 4);
  xt::xtensor<float, 2> matrix(std::array{n * s * s, k * k * c});
  const auto copy_windows = [&] {
    constexpr std::ptrdiff_t before = (Window - 1) / 2;
    float* to = matrix.data();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t oh = 0; oh < s; ++oh)
        for (std::size_t ow = 0; ow < s; ++ow)
          for (std::size_t kh = 0; kh < k; ++kh)
            for (std::size_t kw = 0; kw < k; ++kw, to += c) {
              const std::ptrdiff_t h = static_cast<std::ptrdiff_t>(oh + kh) - before,
                                   v = static_cast<std::ptrdiff_t>(ow + kw) - before;
              if (h < 0 || v < 0 || h >= Size || v >= Size)
                std::fill_n(to, c, 0.f);
              else
                std::copy_n(&vx(i, static_cast<std::size_t>(h), static_cast<std::size_t>(v), 0), c, to);
            }
  };
  copy_windows();

  auto forward = session.bind(y, x = vx, w = vw, bias = vb);
  auto of_image = session.bind(dx, dy = vdy, w = vw);
  auto of_kernel = session.bind(dw, dy = vdy, x = vx);
  auto by_rows = session.bind(product, rows = matrix, w = vw, bias = vb);
  const image got = forward();
  const xt::xtensor<float, 2> expected = by_rows();
  bench::check("forward", got.data(), std::vector<double>(expected.begin(), expected.end()), 1e-4, k * k * c);
  // The adjoints: sum(y dy) is sum(x dx), and sum(w dw), of the plain convolution y.
  const image value = session.run(plain, x = vx, w = vw), a = of_image(), b = of_kernel();
  const auto dot = [](const image& p, const image& q) {
    double total = 0;
    for (std::size_t i = 0; i < p.size(); ++i) total += static_cast<double>(p.data()[i]) * static_cast<double>(q.data()[i]);
    return total;
  };
  const double all = dot(value, vdy);
  if (std::abs(dot(vx, a) - all) > 1e-3 * std::abs(all) || std::abs(dot(vw, b) - all) > 1e-3 * std::abs(all)) {
    std::fprintf(stderr, "the gradients are no adjoints: %g, %g, %g\n", all, dot(vx, a), dot(vw, b));
    std::exit(1);
  }

  const double flop = 2.0 * Batch * Size * Size * Window * Window * Channels * Filters;
  std::printf("%d images %d x %d x %d, %d windows %d x %d, %.0f MFLOP\n", Batch, Size, Size, Channels, Filters, Window, Window,
              flop * 1e-6);
  const std::vector<bench::timing> t = bench::measure({{"forward, bias, relu", [&] { forward(); }},
                                                       {"gradient of the image", [&] { of_image(); }},
                                                       {"gradient of the kernel", [&] { of_kernel(); }},
                                                       {"forward by rows of windows",
                                                        [&] {
                                                          copy_windows();
                                                          by_rows();
                                                        }}},
                                                      {11, 0.02});
  for (const bench::timing& each : t)
    std::printf("  %-28s %8.2f ms  %5.1f GFLOP/s, %.2f of the peak\n", each.name.c_str(), each.median * 1e3,
                flop / each.median * 1e-9, flop / each.median / peak);
}

}  // namespace

int main() {
  bench::heading("convolutions, NHWC, one thread");
  const double peak = bench::fma_peak();
  std::printf("peak %.1f GFLOP/s\n", peak * 1e-9);
  time_layer<50, 28, 1, 32, 5>(peak);
  time_layer<50, 14, 32, 64, 5>(peak);
  time_layer<8, 56, 64, 64, 3>(peak);
  time_layer<8, 14, 256, 256, 3>(peak);
  time_layer<8, 28, 128, 256, 1>(peak);
}
