// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <etch/convolution.hpp>

/// `resize` against its definition, pixel by pixel in double precision, and its gradient as the adjoint of a linear map.
namespace {

template <class T>
void number(T& x) {
  unsigned g = 5;
  for (auto& e : x) {
    g = g * 1664525u + 1013904223u;
    e = static_cast<typename T::value_type>((g >> 8) % 251);
  }
}

/// Where pixel i of m lies among n.
double place(int i, int n, int m, bool aligns) {
  if (aligns) return m > 1 ? i * double(n - 1) / (m - 1) : 0;
  return std::clamp((i + 0.5) * n / m - 0.5, 0.0, double(n - 1));
}
/// The nearest of n pixels to pixel i of m: of two the one behind.
int nearest_to(int i, int n, int m, bool aligns) {
  if (aligns) return m > 1 ? (2 * i * (n - 1) + m - 1) / (2 * (m - 1)) : 0;
  return (2 * i + 1) * n / (2 * m);
}

template <class T, int H, int W, int Y, int X>
void check_values() {
  constexpr int N = 2, C = 3;
  static constexpr etch::placeholder<"x", T, N, H, W, C> x;
  static constexpr etch::placeholder<"f", T, N, C, H, W> f;
  CAPTURE(H);
  CAPTURE(W);
  CAPTURE(Y);
  CAPTURE(X);
  constexpr etch::shape<Y, X> to;
  const auto b = etch::resize(x, to, etch::bilinear);
  const auto a = etch::resize(x, to, etch::bilinear, etch::align_corners);
  const auto n = etch::resize(x, to, etch::nearest);
  const auto m = etch::resize(x, to, etch::nearest, etch::align_corners);
  const auto c = etch::resize(f, to, etch::bilinear, etch::align_corners, etch::channels_first);
  xt::xtensor<T, 4> xs = xt::zeros<T>({N, H, W, C}), fs = xt::zeros<T>({N, C, H, W});
  number(xs);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < H; ++j)
      for (int k = 0; k < W; ++k)
        for (int l = 0; l < C; ++l) fs(i, l, j, k) = xs(i, j, k, l);
  etch::session s(b, a, n, m, c);
  const auto [bs, as, ns, ms, cs] = s.run(b, a, n, m, c, x = xs, f = fs);
  REQUIRE(bs.shape() == std::array<std::size_t, 4>{N, Y, X, C});
  int wrong = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < Y; ++j)
      for (int k = 0; k < X; ++k)
        for (int l = 0; l < C; ++l) {
          const auto between = [&](bool aligns) {
            const double v = place(j, H, Y, aligns), u = place(k, W, X, aligns);
            const int j0 = static_cast<int>(v), k0 = static_cast<int>(u), j1 = std::min(j0 + 1, H - 1),
                      k1 = std::min(k0 + 1, W - 1);
            const auto at = [&](int p, int q) { return static_cast<double>(xs(i, p, q, l)); };
            const double upper = at(j0, k0) + (at(j0, k1) - at(j0, k0)) * (u - k0);
            const double lower = at(j1, k0) + (at(j1, k1) - at(j1, k0)) * (u - k0);
            return upper + (lower - upper) * (v - j0);
          };
          const auto near = [](double got, double expected) { return std::abs(got - expected) <= 1e-4; };
          wrong += near(static_cast<double>(bs(i, j, k, l)), between(false)) ? 0 : 1;
          wrong += near(static_cast<double>(as(i, j, k, l)), between(true)) ? 0 : 1;
          wrong += near(static_cast<double>(cs(i, l, j, k)), between(true)) ? 0 : 1;
          wrong += ns(i, j, k, l) == xs(i, nearest_to(j, H, Y, false), nearest_to(k, W, X, false), l) ? 0 : 1;
          wrong += ms(i, j, k, l) == xs(i, nearest_to(j, H, Y, true), nearest_to(k, W, X, true), l) ? 0 : 1;
        }
  CHECK(wrong == 0);
}

/// Weights of n pixels for pixel i of m, in double: the cubic and the line at distances of pixels, stretched where an image is smoothed;
/// what two pixels have in common.
enum class kernel { line, cubic, area };
std::vector<double> weights(kernel k, bool smooths, int i, int n, int m) {
  const double scale = double(n) / m, stretch = smooths ? std::max(scale, 1.0) : 1, middle = (i + 0.5) * scale - 0.5;
  // TensorFlow's table of the cubic has 1024 places between two pixels.
  const double place = smooths ? middle : std::floor(middle) + std::nearbyint((middle - std::floor(middle)) * 1024) / 1024;
  std::vector<double> w;
  double total = 0;
  for (int j = 0; j < n; ++j) {
    const double d = std::abs(j - place) / stretch;
    if (k == kernel::area)
      w.push_back(std::max(0.0, std::min(j + 1.0, (i + 1) * scale) - std::max(double(j), i * scale)));
    else if (k == kernel::line)
      w.push_back(std::max(0.0, 1 - d));
    else
      w.push_back(d < 1 ? 1.5 * d * d * d - 2.5 * d * d + 1 : d < 2 ? -0.5 * d * d * d + 2.5 * d * d - 4 * d + 2 : 0);
    total += w.back();
  }
  for (double& v : w) v /= total;
  return w;
}
/// y(0, j, k, 0) of x (1, H, W, 1), or of one image; along each axis by its weights.
template <class Y, class X>
int count_wrong(const Y& y, const X& x, kernel k, bool smooths, int h, int w, int to_h, int to_w) {
  int wrong = 0;
  for (int i = 0; i < to_h; ++i)
    for (int j = 0; j < to_w; ++j) {
      const auto rows = weights(k, smooths, i, h, to_h), columns = weights(k, smooths, j, w, to_w);
      double expected = 0;
      for (int a = 0; a < h; ++a)
        for (int b = 0; b < w; ++b)
          expected += rows[std::size_t(a)] * columns[std::size_t(b)] * static_cast<double>(x.data()[a * w + b]);
      wrong += std::abs(static_cast<double>(y.data()[i * to_w + j]) - expected) <= 2e-4 ? 0 : 1;
    }
  return wrong;
}

}  // namespace

TEST_SUITE("resize") {
  TEST_CASE("values") {
    check_values<float, 4, 6, 8, 12>();
    check_values<float, 7, 5, 3, 9>();
    check_values<float, 1, 1, 4, 5>();
    check_values<float, 9, 8, 1, 1>();
    check_values<double, 5, 7, 11, 3>();
    check_values<std::uint8_t, 6, 5, 13, 4>();
    check_values<std::int32_t, 6, 5, 13, 4>();
  }

  TEST_CASE("positions are exact along axes that floats do not count") {
    constexpr std::int64_t n = (std::int64_t{1} << 24) + 3;
    static constexpr etch::placeholder<"x", std::uint8_t, 1, etch::any<"n">, 1> x;
    const auto middle = etch::resize(x, etch::shape<1, 1>{}, etch::nearest);
    const auto line = etch::resize(x, etch::shape<1, 1>{}, etch::bilinear);
    const auto last = etch::resize(x, etch::shape<1, 2>{}, etch::nearest, etch::align_corners);
    xt::xtensor<std::uint8_t, 3> xs(std::array<std::size_t, 3>{1, n, 1});
    xs.fill(0);
    xs(0, n / 2, 0) = 7;
    xs(0, n - 1, 0) = 9;
    etch::session s(middle, line, last);
    const auto [m, l, e] = s.run(middle, line, last, x = xs);
    CHECK(m(0, 0, 0) == 7);
    CHECK(l(0, 0, 0) == 7);
    CHECK(e(0, 1, 0) == 9);
  }

  TEST_CASE("the gradient is the adjoint: <resize(v), c> = <v, gradient>") {
    static constexpr etch::placeholder<"x", double, 2, 5, 4, 3> x;
    static constexpr etch::placeholder<"c", double, 2, 7, 9, 3> c;
    const auto check_adjoint = [](auto y) {
      const auto g = etch::gradient(etch::sum(y * c), x);
      xt::xtensor<double, 4> xs = xt::zeros<double>({2, 5, 4, 3}), cs = xt::zeros<double>({2, 7, 9, 3});
      number(xs);
      number(cs);
      const auto left = etch::sum(y * c);
      const auto right = etch::sum(x * g);
      etch::session s(left, right);
      const auto [l, r] = s.run(left, right, x = xs, c = cs);
      CHECK(l == doctest::Approx(r).epsilon(1e-9));
    };
    constexpr etch::shape<7, 9> to;
    check_adjoint(etch::resize(x, to, etch::bilinear));
    check_adjoint(etch::resize(x, to, etch::nearest));
    check_adjoint(etch::resize(x, to, etch::bilinear, etch::align_corners));
  }

  TEST_CASE("one axis, three axes, named extents") {
    static constexpr etch::placeholder<"x", float, etch::any<"n">, etch::any<"width">, 2> x;
    static constexpr etch::placeholder<"v", float, 1, 3, 4, 5, 1> v;
    const auto y = etch::resize(x, etch::shape<6>{}, etch::bilinear);
    etch::session s(y);
    for (const int width : {1, 3, 6, 11}) {
      xt::xtensor<float, 3> xs = xt::zeros<float>({std::size_t{2}, static_cast<std::size_t>(width), std::size_t{2}});
      number(xs);
      const auto got = s.run(y, x = xs);
      int wrong = 0;
      for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 6; ++k)
          for (int l = 0; l < 2; ++l) {
            const double u = place(k, width, 6, false);
            const int k0 = static_cast<int>(u), k1 = std::min(k0 + 1, width - 1);
            const double a = static_cast<double>(xs(i, k0, l)), b = static_cast<double>(xs(i, k1, l));
            wrong += std::abs(static_cast<double>(got(i, k, l)) - (a + (b - a) * (u - k0))) <= 1e-4 ? 0 : 1;
          }
      CHECK(wrong == 0);
    }
    const auto z = etch::resize(v, etch::shape<6, 8, 10>{}, etch::nearest);
    etch::session t(z);
    xt::xtensor<float, 5> vs = xt::zeros<float>({1, 3, 4, 5, 1});
    number(vs);
    const auto got = t.run(z, v = vs);
    int wrong = 0;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 8; ++j)
        for (int k = 0; k < 10; ++k) wrong += got(0, i, j, k, 0) == vs(0, i / 2, j / 2, k / 2, 0) ? 0 : 1;
    CHECK(wrong == 0);
  }

  TEST_CASE("cubics, areas, and what is smoothed, of batches, single images and channels first") {
    static constexpr etch::placeholder<"x", float, 1, 7, etch::any<"width">, 1> x;
    static constexpr etch::placeholder<"one", std::uint8_t, 7, 5, 1> one;
    static constexpr etch::placeholder<"first", double, 1, 1, 7, 5> first;
    constexpr etch::shape<3, 8> to;
    const auto cubic = etch::resize(x, to, etch::bicubic);
    const auto smooth = etch::resize(one, to, etch::bicubic, etch::antialias);
    const auto line = etch::resize(first, to, etch::bilinear, etch::antialias, etch::channels_first);
    const auto areas = etch::resize(x, to, etch::area);
    const auto slope = etch::gradient(etch::sum(areas), x);
    etch::session s(cubic, smooth, line, areas, slope);
    xt::xtensor<float, 4> xs = xt::zeros<float>({1, 7, 5, 1});
    xt::xtensor<std::uint8_t, 3> ones = xt::zeros<std::uint8_t>({7, 5, 1});
    xt::xtensor<double, 4> firsts = xt::zeros<double>({1, 1, 7, 5});
    number(xs);
    number(ones);
    number(firsts);
    const auto [c, m, l, a, g] = s.run(cubic, smooth, line, areas, slope, x = xs, one = ones, first = firsts);
    CHECK(count_wrong(c, xs, kernel::cubic, false, 7, 5, 3, 8) == 0);
    CHECK(count_wrong(m, ones, kernel::cubic, true, 7, 5, 3, 8) == 0);
    CHECK(count_wrong(l, firsts, kernel::line, true, 7, 5, 3, 8) == 0);
    CHECK(count_wrong(a, xs, kernel::area, false, 7, 5, 3, 8) == 0);
    // Each of the 24 areas is shared out among what it covers: as many as there are for each pixel.
    for (const float v : g) CHECK(v == doctest::Approx(24 / 35.0));
    static_assert(std::is_same_v<decltype(smooth)::value_type, float> && std::is_same_v<decltype(line)::value_type, double>);
  }
}
