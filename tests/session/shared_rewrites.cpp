// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/convolution.hpp>

#include "executors.hpp"

/// Steps that passes make of others and that threads share give what one thread gives, to the last bit, NaN and infinities among the
/// numbers.
namespace {

using namespace etch::literals;
using namespace executors;

/// Every 32-bit index below `extent`, some outside of it.
template <int N>
auto indices(int extent) {
  xt::xtensor<std::int32_t, 1> at = xt::zeros<std::int32_t>({static_cast<std::size_t>(N)});
  for (std::size_t i = 0; i < at.size(); ++i) at(i) = static_cast<std::int32_t>(i * 37 % static_cast<std::size_t>(extent + 3)) - 1;
  return at;
}

}  // namespace

TEST_SUITE("shared rewrites") {
  TEST_CASE("transposes of elementwise values in one kernel") {
    const fed<"pixels", std::uint8_t, 61, 50, 3> pixels;
    const fed<"x", float, 61, 50, 3> x;
    const fed<"d", double, 33, 4, 70> d;
    const fed<"colour", float, 3> colour;
    constexpr auto planes = [](auto v) { return etch::transpose(v, etch::axis<2, 0, 1>); };
    CHECK(shared(planes((etch::astype<float>(pixels.slot) / 256_c - colour.slot) * 2_c), pixels(), colour()) == 1);
    CHECK(shared(planes(x.slot * x.slot - colour.slot) + 1_c, x(), colour()) == 1);
    CHECK(shared(planes(etch::where(x.slot > 1_c, x.slot, colour.slot)), x(), colour()) == 1);
    CHECK(shared(planes(d.slot * 3_c), d()) == 1);
    static constexpr etch::placeholder<"named", float, etch::any<"n">, 50, 3> named;
    CHECK(shared(planes(etch::exp(named * 0.5_c)), named = x.values) == 1);
  }

  TEST_CASE("resized images, with what is done to their pixels") {
    const fed<"bytes", std::uint8_t, 2, 96, 70, 3> bytes;
    const fed<"x", float, 2, 41, 30, 4> x;
    const fed<"first", double, 2, 3, 20, 31> first;
    constexpr etch::shape<56, 64> to;
    CHECK(shared((etch::resize(bytes.slot, to, etch::bilinear) - 127_c) / 128_c, bytes()) >= 1);
    CHECK(shared(etch::resize(bytes.slot, to, etch::bicubic, etch::antialias), bytes()) >= 1);
    CHECK(shared(etch::resize(x.slot, to, etch::bilinear, etch::align_corners), x()) >= 1);
    CHECK(shared(etch::resize(x.slot, to, etch::nearest), x()) >= 1);
    CHECK(shared(etch::resize(x.slot, to, etch::area), x()) >= 1);
    CHECK(shared(etch::resize(first.slot, to, etch::bilinear, etch::channels_first), first()) >= 1);
    CHECK(shared(etch::gradient(etch::sum(etch::square(etch::resize(x.slot, to, etch::bilinear))), x.slot), x()) >= 1);
  }

  TEST_CASE("short rows with operands that each repeats, and pools") {
    const fed<"x", float, 3001, 3> x;
    const fed<"y", float, 999, 10> y;
    const fed<"row", float, 3> row;
    const fed<"other", float, 10> other;
    CHECK(shared(etch::relu(x.slot + row.slot), x(), row()) == 1);
    CHECK(shared((y.slot - other.slot) * other.slot, y(), other()) == 1);
    const fed<"image", float, 3, 29, 28, 125> image;
    CHECK(shared(etch::max_pool2d(image.slot, etch::window<3>, etch::strides<2>), image()) == 1);
    CHECK(shared(etch::average_pool2d(image.slot, etch::window<2>), image()) == 1);
  }

  TEST_CASE("edges that are views, and arrays that are joined") {
    const fed<"x", float, 90, 130> x;
    constexpr auto five_points = [](auto v) {
      constexpr auto inner = etch::section<1, -1>;
      return etch::slice(v, etch::section<0, -2>, inner) + etch::slice(v, etch::section<2>, inner) +
             etch::slice(v, inner, etch::section<0, -2>) + etch::slice(v, inner, etch::section<2>) -
             4_c * etch::slice(v, inner, inner);
    };
    CHECK(shared(five_points(etch::pad(x.slot, etch::padding<1>, etch::padding<1>, etch::edge)), x()) >= 1);
    CHECK(shared(five_points(etch::pad(x.slot, etch::padding<1>, etch::padding<1>)), x()) >= 1);
    CHECK(shared(etch::tanh(etch::concat(etch::axis<1>, x.slot * 2_c, etch::exp(x.slot), x.slot)), x()) >= 1);
  }

  TEST_CASE("variables that change where they lie") {
    const fed<"x", float, 500, 40> x;
    static constexpr auto table = etch::variable<"table">(etch::random_uniform<"start">(etch::shape<3000, 40>{}));
    static constexpr etch::placeholder<"ids", std::int32_t, 500> ids;
    const auto rows = indices<500>(3000);
    // What follows an update reads the table as it left it.
    constexpr auto updated = [](auto update) { return etch::after(table * 1_c, etch::group(update)); };
    CHECK(shared(updated(etch::assign(table,
                                      table - 0.5_c * etch::scatter_add(etch::zeros<float>(etch::shape<3000, 40>{}), ids, x.slot))),
                 x(), ids = rows) >= 1);
    constexpr auto loss = etch::sum(etch::square(etch::gather(table, ids) - x.slot));
    CHECK(shared(updated(etch::assign(table, table - 0.1_c * etch::gradient(loss, table))), x(), ids = rows) >= 1);
    CHECK(shared(updated(etch::assign(table, table * 0.9_c + 1_c))) >= 1);
    static constexpr auto u = etch::variable<"u">(etch::random_uniform<"heat">(etch::shape<120, 90>{}));
    constexpr auto inner = etch::slice(u, etch::section<1, -1>, etch::section<1, -1>);
    constexpr auto step = etch::assign(inner, inner * 0.5_c + etch::slice(u, etch::section<0, -2>, etch::section<1, -1>) * 0.25_c +
                                                  etch::slice(u, etch::section<2>, etch::section<1, -1>) * 0.25_c);
    CHECK(shared(etch::after(u * 1_c, etch::group(step))) >= 1);
  }

  TEST_CASE("updates of large variables behind products, of float and double") {
    const auto check = []<class T>(T) {
      const fed<"x", T, 90, 600> x;
      const fed<"y", T, 90, 523> y;
      static constexpr auto w = etch::variable<"w">(etch::random_uniform<"start", T>(etch::shape<600, 523>{}));
      static constexpr auto m = etch::variable<"m">(etch::zeros<T>(etch::shape<600, 523>{}));
      const auto slope = etch::matmul(etch::transpose(x.slot), y.slot);
      const auto moment = etch::assign(m, m * 0.9_c + slope);
      const auto train = etch::group(etch::assign(w, w - 0.01_c * moment), moment);
      CHECK(shared(etch::after(w * 1_c + m, train), x(), y()) >= 1);
    };
    check(1.f);
    check(1.);
  }

  TEST_CASE("attention of several heads, by blocks of rows") {
    const fed<"q", float, 4, 200, 64> q;
    const fed<"k", float, 4, 333, 64> k;
    const fed<"v", float, 4, 333, 48> v;
    const auto scores = etch::matmul(q.slot, etch::matrix_transpose(k.slot)) * 0.125_c;
    CHECK(shared(etch::matmul(etch::softmax(scores, etch::axis<2>), v.slot), q(), k(), v()) >= 1);
    static constexpr etch::placeholder<"named", float, 4, etch::any<"tokens">, 64> named;
    const auto weights = etch::softmax(etch::matmul(named, etch::matrix_transpose(k.slot)), etch::axis<2>);
    CHECK(shared(etch::matmul(weights, v.slot), named = q.values, k(), v()) >= 1);
  }
}
