// SPDX-License-Identifier: MIT
#include "modes.hpp"

/// "The gradient of a pad is the part of the adjoint that lies where x went", also where nothing is put before x, so that it begins where the
/// adjoint does, and beside what broadcasts it, reverses it or reads it in one kernel. Expected values are written down.
namespace {

using namespace etch;
using namespace etch::literals;
using laws::check_described;
using laws::described;

constexpr placeholder<"x", float, 5> x;
constexpr placeholder<"one", float, 1> one;
constexpr placeholder<"row", float, 1, 3> row;
constexpr placeholder<"v", float, any<"n">> v;

const xt::xtensor<float, 1> five = {1, 2, 3, 4, 5};

/// d/dy of the sum of pad(y)^2 times 1, 2, 3, ...: 2 y times these.
template <class... Padding>
constexpr auto slope_of(auto y, Padding... paddings) {
  const auto padded = pad(y, paddings...);
  return gradient(sum(square(padded) * stop_gradient(cumsum(padded * 0_c + 1_c, axis<0>))), y);
}

template <class E, class... Feeds>
void check(const E&, laws::expected wanted, const char* what, Feeds... feeds) {
  session s(E{});
  check_described(described(s.run(E{}, feeds...)), wanted, 0, what);
  check_described(described(etch::reference::run(E{}, feeds...)), wanted, 0, what);
}

}  // namespace

TEST_CASE("OPTG-08: the gradient of a pad behind x, beside others in its kernel") {
  constexpr auto g = slope_of(x, padding<0, 2>);
  check(g, {{5}, {2, 8, 18, 32, 50}}, "alone", x = five);
  check(g - x, {{5}, {1, 6, 15, 28, 45}}, "less x", x = five);
  check(g * g + x, {{5}, {5, 66, 327, 1028, 2505}}, "squared", x = five);
  check(slope_of(x, padding<3, 0>) - x, {{5}, {7, 18, 33, 52, 75}}, "before x", x = five);
  check(slope_of(x, padding<0>) - x, {{5}, {1, 6, 15, 28, 45}}, "of no padding", x = five);
  check(slope_of(x, padding<0, 1000>) - x, {{5}, {1, 6, 15, 28, 45}}, "far behind x", x = five);
}

TEST_CASE("OPTG-08: the gradient of a pad of one element, which broadcasts") {
  const xt::xtensor<float, 1> three = {3};
  check(slope_of(one, padding<0, 3>) + x, {{5}, {7, 8, 9, 10, 11}}, "an element", one = three, x = five);
  constexpr placeholder<"r", float, 4, 3> r;
  const xt::xtensor<float, 2> row_of_three = {{1, 2, 3}};
  const xt::xtensor<float, 2> rs = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
  constexpr auto g = gradient(sum(square(pad(row, padding<0, 3>, padding<0>)) * r), row);  // 2 8 18
  check(g + r, {{4, 3}, {3, 10, 21, 6, 13, 24, 9, 16, 27, 12, 19, 30}}, "a row", row = row_of_three, r = rs);
}

TEST_CASE("OPTG-08: parts of the gradient of a pad, and it in reverse") {
  constexpr auto g = slope_of(x, padding<0, 2>);
  check(flip(g) - x, {{5}, {49, 30, 15, 4, -3}}, "in reverse", x = five);
  check(slice(g, section<-2>), {{2}, {32, 50}}, "the last two", x = five);
  check(slice(g, section<1, to_end, 2>), {{2}, {8, 32}}, "each second", x = five);
  check(flip(slope_of(v, padding<0, 2>)) - v, {{5}, {49, 30, 15, 4, -3}}, "of a named extent, in reverse", v = five);
  check(slope_of(v, padding<0, 2>) - v, {{5}, {1, 6, 15, 28, 45}}, "of a named extent", v = five);
  check(slope_of(pad(x, padding<0, 1>), padding<0, 2>) * 1_c, {{6}, {2, 8, 18, 32, 50, 0}}, "of a pad, by it", x = five);
  check(gradient(sum(square(pad(pad(x, padding<0, 1>), padding<0, 2>))), x) - x, {{5}, {1, 2, 3, 4, 5}}, "of a pad of a pad",
        x = five);
}

TEST_CASE("OPTG-08: gradients of two pads of one sum") {
  constexpr placeholder<"y", float, 6> y;
  constexpr auto loss = sum(square(pad(x, padding<0, 3>) + pad(y, padding<0, 2>)));
  const xt::xtensor<float, 1> six = {1, 1, 1, 1, 1, 1};
  check(gradient(loss, x) - x, {{5}, {3, 4, 5, 6, 7}}, "by the shorter one", x = five, y = six);
  check(gradient(loss, y) - y, {{6}, {3, 5, 7, 9, 11, 1}}, "by the longer one", x = five, y = six);
  check(concat(axis<0>, gradient(loss, x), gradient(loss, y)), {{11}, {4, 6, 8, 10, 12, 4, 6, 8, 10, 12, 2}}, "both", x = five,
        y = six);
}

TEST_CASE("OPTG-08: images whose paddings lie behind them, as strides of two have it") {
  // tanh has its adjoint as its first operand.
  constexpr placeholder<"image", double, 2, 2> image;
  const xt::xtensor<double, 2> at = {{0.5, -0.25}, {1, 0}};
  constexpr auto y = pad(etch::tanh(image), padding<0, 1>, padding<0, 1>);
  constexpr auto g = gradient(sum(square(y)), image);
  std::vector<double> wanted;
  for (const double a : at) wanted.push_back(2 * std::tanh(a) * (1 - std::tanh(a) * std::tanh(a)));
  session s(g);
  check_described(described(s.run(g, image = at)), {{2, 2}, wanted}, 1e-14, "an image");
}
