// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include <etch/control.hpp>
#include <etch/convolution.hpp>

#include "executors.hpp"

/// Steps that threads share give what one thread gives, to the last bit.
namespace {

using namespace etch::literals;
using namespace executors;

template <int M, int K, int N>
void products() {
  const fed<"a", float, M, K> a;
  const fed<"b", float, K, N> b;
  const fed<"at", float, K, M> at;
  const fed<"bt", float, N, K> bt;
  const fed<"bias", float, N> bias;
  CAPTURE(M);
  CAPTURE(K);
  CAPTURE(N);
  const int least = N > 4 || K > 64 ? 1 : 0;  // a row of few columns is written out, and such rows are not shared
  CHECK(shared(etch::relu(etch::matmul(a.slot, b.slot) + bias.slot), a(), b(), bias()) >= least);
  CHECK(shared(etch::matmul(etch::transpose(at.slot), b.slot), at(), b()) >= least);
  CHECK(shared(etch::matmul(a.slot, etch::transpose(bt.slot)), a(), bt()) >= least);
}

}  // namespace

TEST_SUITE("slices") {
  TEST_CASE("maps") {
    const fed<"x", float, 3001> x;
    const fed<"y", float, 7, 5, 301> y;
    const fed<"r", float, 301> r;
    const fed<"c", float, 5, 1> c;
    const fed<"d", double, 2049> d;
    const fed<"i", std::int32_t, 1000> i;
    const fed<"u", std::uint8_t, 70, 33> u;
    CHECK(shared(etch::tanh(x.slot) * x.slot + 1_c, x()) == 1);
    CHECK(shared(etch::exp(y.slot) * r.slot - c.slot, y(), r(), c()) == 1);
    CHECK(shared(etch::where(d.slot > 0_c, d.slot, -d.slot), d()) == 1);
    CHECK(shared(etch::floor_divide(i.slot * 3_c, 7_c), i()) == 1);
    CHECK(shared(etch::astype<float>(u.slot) * 0.5_c, u()) == 1);
    CHECK(shared(etch::transpose(u.slot) + 1_c, u()) == 1);
  }

  TEST_CASE("sweeps, along, across and short") {
    const fed<"x", float, 37, 130> x;
    const fed<"y", double, 5, 19, 260> y;
    const fed<"z", float, 4000, 3> z;
    const fed<"w", float, 3, 2000> w;
    const fed<"b", std::uint8_t, 300, 70> b;
    CHECK(shared(etch::sum(x.slot, etch::axis<1>), x()) == 1);
    CHECK(shared(etch::softmax(x.slot, etch::axis<1>), x()) == 1);
    CHECK(shared(etch::logsumexp(y.slot, etch::axis<2>), y()) == 1);
    CHECK(shared(etch::sum(y.slot, etch::axis<1>), y()) == 1);
    CHECK(shared(etch::max(w.slot, etch::axis<0>) * 2_c, w()) == 1);
    CHECK(shared(etch::softmax(w.slot, etch::axis<0>), w()) == 1);
    CHECK(shared(etch::softmax(z.slot, etch::axis<1>), z()) == 1);
    CHECK(shared(etch::sum(z.slot, etch::axis<1>), z()) == 1);
    CHECK(shared(etch::variance(x.slot, etch::axis<0>), x()) >= 0);
    CHECK(shared(etch::sum(b.slot, etch::axis<1>), b()) == 1);
    CHECK(shared(etch::sum(x.slot), x()) >= 0);
  }

  TEST_CASE("products") {
    products<64, 64, 64>();
    products<1, 300, 401>();
    products<3, 100, 77>();
    products<2, 131, 601>();
    products<4, 90, 1033>();
    products<50, 300, 128>();
    products<101, 333, 117>();
    products<97, 64, 1023>();
    products<800, 77, 33>();
    products<300, 270, 200>();
    products<10, 2500, 40>();
    products<13, 150, 625>();
    products<129, 2100, 49>();
    products<1000, 40, 3>();
    products<1000, 40, 1>();
  }

  TEST_CASE("stacks of products") {
    const fed<"a", float, 14, 20, 30> a;
    const fed<"b", float, 14, 30, 17> b;
    const fed<"c", float, 2, 150, 100> c;
    const fed<"d", float, 2, 100, 170> d;
    CHECK(shared(etch::matmul(a.slot, b.slot), a(), b()) == 1);
    CHECK(shared(etch::matmul(c.slot, d.slot) * 2_c, c(), d()) >= 1);
  }

  TEST_CASE("convolutions and pools, with their gradients") {
    const fed<"x", float, 5, 19, 18, 3> x;
    const fed<"k", float, 3, 3, 3, 20> k;
    const auto y = etch::conv2d(x.slot, k.slot, etch::same_padding);
    CHECK(shared(y, x(), k()) >= 1);
    CHECK(shared(etch::gradient(etch::sum(etch::tanh(y)), x.slot), x(), k()) >= 1);
    CHECK(shared(etch::gradient(etch::sum(etch::tanh(y)), k.slot), x(), k()) >= 1);
    const fed<"each", float, 3, 19, 18, 150> each;
    const fed<"filters", float, 3, 3, 1, 150> filters;
    const auto alone = etch::conv2d(each.slot, filters.slot, etch::same_padding, etch::groups<150>);
    CHECK(shared(alone, each(), filters()) >= 1);
    CHECK(shared(etch::gradient(etch::sum(etch::tanh(alone)), each.slot), each(), filters()) >= 1);
    CHECK(shared(etch::gradient(etch::sum(etch::tanh(alone)), filters.slot), each(), filters()) >= 1);
    // Rows are put in order, and shared as they are then: 5,130 of them, of which 4,096 and the rest are ordered together.
    const fed<"wide", float, 15, 19, 18, 32> wide;
    const fed<"many", float, 3, 3, 32, 40> many;
    const auto left_out = etch::conv2d(wide.slot, many.slot, etch::same_padding);
    CHECK(shared(left_out, wide(), many()) >= 1);
    CHECK(shared(etch::gradient(etch::sum(etch::tanh(left_out)), wide.slot), wide(), many()) >= 1);
    CHECK(shared(etch::gradient(etch::sum(etch::tanh(left_out)), many.slot), wide(), many()) >= 1);
    // 1,080 rows of partial sums: more than lie in a block.
    const fed<"deep", float, 2, 9, 9, 120> deep;
    const fed<"few", float, 3, 3, 120, 8> few;
    CHECK(shared(etch::gradient(etch::sum(etch::square(etch::conv2d(deep.slot, few.slot, etch::same_padding))), few.slot), deep(),
                 few()) >= 1);
    const auto apart = etch::conv2d(x.slot, k.slot, etch::strides<2>);
    CHECK(shared(etch::gradient(etch::sum(etch::tanh(apart)), x.slot), x(), k()) >= 1);
    const auto pooled = etch::max_pool2d(x.slot, etch::window<2>);
    CHECK(shared(pooled, x()) == 1);
    CHECK(shared(etch::gradient(etch::sum(etch::square(pooled)), x.slot), x()) >= 1);
    CHECK(shared(etch::gradient(etch::sum(etch::square(etch::average_pool2d(x.slot, etch::window<3>, etch::strides<1>))), x.slot),
                 x()) >= 1);
  }

  TEST_CASE("other kernels along a batch") {
    const fed<"x", float, 40, 50> x;
    CHECK(shared(etch::cumsum(x.slot, etch::axis<1>), x()) == 1);
    CHECK(shared(etch::cumsum(x.slot, etch::axis<0>), x()) == 0);
    CHECK(shared(etch::sort(x.slot), x()) == 1);
    CHECK(shared(etch::argsort(x.slot, etch::axis<0>), x()) >= 0);
    CHECK(shared(etch::pad(x.slot, etch::padding<0>, etch::padding<2, 1>), x()) == 1);
    CHECK(shared(etch::pad(x.slot, etch::padding<1>, etch::padding<2, 1>), x()) == 0);
    CHECK(shared(etch::linear_recurrence(x.slot, x.slot * 2_c, etch::axis<1>), x()) == 1);
    const fed<"rows", std::int32_t, 90, 3> rows;
    const fed<"places", std::int32_t, 40, 50> places;
    CHECK(shared(etch::gather(x.slot, rows.slot), x(), rows()) == 1);
    CHECK(shared(etch::gather(x.slot, rows.slot, etch::axis<1>), x(), rows()) == 1);
    CHECK(shared(etch::take_along_axis(x.slot, places.slot, etch::axis<1>), x(), places()) == 1);
    CHECK(shared(etch::take_along_axis(x.slot, places.slot, etch::axis<0>), x(), places()) == 0);
    CHECK(shared(etch::add_along_axis(x.slot, places.slot, x.slot, etch::axis<1>), x(), places()) == 1);
    CHECK(shared(etch::concat(etch::axis<1>, x.slot, x.slot, x.slot), x()) >= 1);
    CHECK(shared(etch::concat(etch::axis<0>, x.slot, x.slot), x()) >= 0);
    CHECK(shared(etch::roll<7>(x.slot, etch::axis<1>), x()) == 1);
    CHECK(shared(etch::roll<7>(x.slot, etch::axis<0>), x()) == 0);
  }

  TEST_CASE("a training step of 2,000 runs, bound and not") {
    static constexpr etch::placeholder<"x", float, 64, 20> x;
    static constexpr etch::placeholder<"labels", std::int32_t, 64> labels;
    constexpr auto hidden = etch::tanh(etch::nn::dense<"hidden", 33>(x));
    constexpr auto loss = etch::mean(
        etch::nn::sparse_softmax_cross_entropy(etch::nn::dense<"logits", 5>(etch::dropout<"drop">(hidden, 0.3_c)), labels));
    constexpr auto train = etch::optimizers::adam(1e-2_c).minimize(loss);
    xt::xtensor<float, 2> xs = xt::zeros<float>({64, 20});
    fill(xs.data(), 600, 1);
    for (float& v : xs) v = v < 2 ? v : 0;
    xt::xtensor<std::int32_t, 1> ys = xt::zeros<std::int32_t>({64});
    for (std::size_t i = 0; i < 64; ++i) ys(i) = static_cast<std::int32_t>(i * 7 % 5);
    etch::session alone(loss, train), shared(loss, train);
    alone.initialize(1);
    shared.initialize(1);
    eager_pool pool(3);
    shared.set_executor(&pool);
    auto first = alone.bind(loss, train, x = xs, labels = ys);
    auto second = shared.bind(loss, train, x = xs, labels = ys);
    int wrong = 0;
    for (int i = 0; i < 1000; ++i) wrong += equal_bits(first(), second()) ? 0 : 1;
    for (int i = 0; i < 1000; ++i)
      wrong += equal_bits(alone.run(loss, train, x = xs, labels = ys), shared.run(loss, train, x = xs, labels = ys)) ? 0 : 1;
    CHECK(wrong == 0);
    CHECK(std::isfinite(first()));
  }

  TEST_CASE("named extents, loops and branches") {
    static constexpr etch::placeholder<"x", float, etch::any<"n">, 40> x;
    static constexpr etch::placeholder<"w", float, 40, 40> w;
    constexpr auto steps =
        etch::while_loop<20>([](auto s) { return std::get<0>(s) < 12_c; },
                             [](auto s) { return std::tuple(std::get<0>(s) + 1_c, etch::tanh(etch::matmul(std::get<1>(s), w))); },
                             std::tuple(etch::literal<0>, x));
    constexpr auto y = std::get<1>(steps);
    xt::xtensor<float, 2> ws = xt::zeros<float>({40, 40});
    fill(ws.data(), 1600, 5);
    for (float& v : ws) v = v < 2 ? v / 8 : 0;
    etch::session s(y), t(y);
    backwards turned(5);
    t.set_executor(&turned);
    for (const int rows : {1, 7, 300, 0, 55}) {
      xt::xtensor<float, 2> xs = xt::zeros<float>({static_cast<std::size_t>(rows), std::size_t{40}});
      fill(xs.data(), xs.size(), 7);
      CHECK(equal_bits(s.run(y, x = xs, w = ws), t.run(y, x = xs, w = ws)));
    }
    CHECK(turned.shared > 0);
  }
}
