// SPDX-License-Identifier: MIT
#include <cmath>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <xtensor/xview.hpp>

#include <etch/debug.hpp>
#include <etch/etch.hpp>
#include <etch/print.hpp>
#include "reference/run.hpp"

#include <eager/contents.hpp>

/// bfloat16 in what users hand in and get back: feeds, fetches, constants, variables, checkpoints, gradients.
using namespace etch::literals;

namespace {
using contents::floats;
using etch::bfloat16;

constexpr etch::placeholder<"s", bfloat16> s;
constexpr etch::placeholder<"x", bfloat16, etch::any<"n">, 3> x;

}  // namespace

TEST_CASE("numbers, braces, spans and arrays of bfloat16 are fed; numbers and arrays are fetched") {
  etch::session session(s, x, etch::transpose(x), etch::astype<float>(x));
  CHECK(session.run(s, s = bfloat16(0.1f)) == bfloat16(0.1f));
  static_assert(std::is_same_v<decltype(session.run(s, s = bfloat16(1))), bfloat16>);
  // A number of C++ is rounded, as a double that is fed to a float is.
  CHECK(session.run(s, s = 0.1).bits == 0x3dcd);
  CHECK(session.run(s, s = 3).bits == 0x4040);
  CHECK_THROWS_AS(session.run(s, s = 1e39), etch::error);

  const std::vector<float> expected{1, 2, 3, 4, 5, 6};
  CHECK(floats(session.run(x, x = {{1, 2, 3}, {4, 5, 6}})) == expected);
  std::vector<bfloat16> flat;
  for (const float v : expected) flat.push_back(bfloat16(v));
  CHECK(floats(session.run(x, x = flat)) == expected);
  CHECK(floats(session.run(x, x = std::span<const bfloat16>(flat))) == expected);
  xt::xtensor<bfloat16, 2> array({2, 3});
  for (std::size_t i = 0; i < 6; ++i) array.data()[i] = flat[i];
  CHECK(floats(session.run(etch::astype<float>(x), x = array)) == expected);
  // A view whose elements do not lie side by side is copied.
  CHECK(floats(session.run(x, x = xt::view(array, xt::range(1, 2), xt::all()))) == std::vector<float>{4, 5, 6});
}

TEST_CASE("constants of bfloat16 are rounded when they are compiled") {
  constexpr auto third = etch::astype<bfloat16>(0.333_c);
  constexpr auto filled = etch::full<bfloat16>(etch::shape<2, 3>{}, 0.1_c);
  constexpr auto sum = etch::astype<float>(third) + etch::astype<float>(s);
  etch::session session(sum, filled, etch::astype<float>(filled));
  CHECK(session.run(sum, s = bfloat16(1)) == float(bfloat16(0.333f)) + 1.f);
  for (const bfloat16 v : session.run(filled)) CHECK(v.bits == 0x3dcd);
  for (const float v : session.run(etch::astype<float>(filled))) CHECK(v == float(bfloat16(0.1f)));
  CHECK(etch::reference::run(sum, s = bfloat16(1)) == float(bfloat16(0.333f)) + 1.f);
}

TEST_CASE("variables of bfloat16 take half the bytes; they are listed, printed, saved and restored") {
  constexpr auto w = etch::variable<"w">(etch::full<bfloat16>(etch::shape<2, 3>{}, 0.1_c));
  constexpr auto next = etch::assign(w, etch::astype<bfloat16>(etch::astype<float>(w) * 2_c));
  etch::session session(next);
  session.initialize();
  const xt::xtensor<bfloat16, 2> now = session.run(next);
  CHECK(now(1, 2).bits == bfloat16(0.2f).bits);
  auto listed = session.variables().at("w");
  CHECK(listed.type() == etch::dtype::bfloat16);
  CHECK(listed.bytes() == 12);
  std::ostringstream text;
  text << listed;
  CHECK(text.str() ==
        "etch.variable(\"w\",\n[[0.200195 0.200195 0.200195]\n [0.200195 0.200195 0.200195]], shape=(2, 3), dtype=bfloat16)");

  std::vector<char> saved(12);
  listed.copy_to(saved.data());
  session.set(w, xt::xtensor<bfloat16, 2>{{bfloat16(1), bfloat16(2), bfloat16(3)}, {bfloat16(4), bfloat16(5), bfloat16(6)}});
  CHECK(session.get(w)(1, 1) == bfloat16(5));
  listed.copy_from(saved.data());
  CHECK(session.get(w)(1, 1).bits == bfloat16(0.2f).bits);
}

TEST_CASE("graphs with bfloat16 print its name") {
  constexpr auto y = etch::astype<float>(x);
  CHECK(etch::to_text(y).find("bfloat16[n, 3]") != std::string::npos);
}

TEST_CASE("a NaN of bfloat16 is trapped") {
  constexpr auto bad = etch::named<"bad">(etch::astype<bfloat16>(etch::log(etch::astype<float>(x))));
  etch::session session(bad);
  CHECK_THROWS_AS(etch::debug_run(session, etch::trap_nan{}, bad, x = {{1, -1, 1}}), etch::error);
}

TEST_CASE("gradients pass casts to and from bfloat16, are of its dtype, and are added up in float") {
  constexpr auto y = etch::astype<float>(x);
  constexpr auto loss = etch::sum(y * y) + etch::sum(etch::astype<float>(etch::transpose(x)) * 3_c) +
                        etch::sum(etch::astype<float>(etch::slice(x, etch::section<0, 1>)));
  constexpr auto by_x = etch::gradient(loss, x);
  static_assert(std::is_same_v<decltype(by_x)::value_type, bfloat16>);
  etch::session session(by_x);
  const xt::xtensor<bfloat16, 2> g = session.run(by_x, x = {{1, 2, 3}, {4, 5, 6}});
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j) CHECK(float(g(i, j)) == 2.f * float(1 + 3 * i + j) + 3 + (i == 0 ? 1 : 0));
  CHECK(floats(etch::reference::run(by_x, x = {{1, 2, 3}, {4, 5, 6}})) == floats(g));

  // What a broadcast repeats is added up, and what a gather picks.
  constexpr etch::placeholder<"row", bfloat16, 3> row;
  constexpr etch::placeholder<"i", std::int32_t, 5> i;
  constexpr auto repeated = etch::sum(etch::astype<float>(etch::broadcast_to(row, etch::shape<100, 3>{})));
  constexpr auto picked = etch::sum(etch::astype<float>(etch::gather(row, i)));
  constexpr auto by_row = etch::gradient(repeated, row);
  constexpr auto by_index = etch::gradient(picked, row);
  etch::session other(by_row, by_index);
  const auto [r, p] = other.run(by_row, by_index, row = {1, 2, 3}, i = {0, 2, 2, 2, 0});
  CHECK(floats(r) == std::vector<float>{100, 100, 100});
  CHECK(floats(p) == std::vector<float>{2, 0, 3});

  // The float before is given the gradient, rounded once on its way.
  constexpr etch::placeholder<"f", float, 3> f;
  constexpr auto by_f = etch::gradient(etch::sum(etch::astype<float>(etch::astype<bfloat16>(f)) * 1.01_c), f);
  etch::session third(by_f);
  for (const float v : third.run(by_f, f = {1, 2, 3})) CHECK(v == float(bfloat16(1.01f)));
}

namespace {
/// Two layers of 8, their weights cast by Cast where they are read; trained on the sign of a sum.
template <class Cast>
std::vector<float> train(int steps) {
  constexpr etch::placeholder<"in", float, 64, 4> in;
  constexpr etch::placeholder<"out", float, 64, 1> out;
  constexpr auto w1 = etch::variable<"w1">(etch::random_normal<"first">(etch::shape<4, 8>{}));
  constexpr auto w2 = etch::variable<"w2">(etch::random_normal<"second">(etch::shape<8, 1>{}));
  constexpr auto y = etch::matmul(etch::tanh(etch::matmul(in, Cast::of(w1))), Cast::of(w2));
  constexpr auto loss = etch::nn::mean_squared_error(y, out);
  constexpr auto step = etch::optimizers::sgd(0.05_c).minimize(loss);
  etch::session session(loss, step);
  session.initialize(3);
  std::mt19937 generator(1);
  xt::xtensor<float, 2> a = xt::zeros<float>({64, 4}), b = xt::zeros<float>({64, 1});
  for (std::size_t i = 0; i < 64; ++i) {
    float sum = 0;
    for (std::size_t j = 0; j < 4; ++j) sum += a(i, j) = static_cast<float>(generator() % 2001) / 1000 - 1;
    b(i, 0) = sum > 0 ? 1.f : -1.f;
  }
  std::vector<float> losses;
  for (int i = 0; i < steps; ++i) losses.push_back(session.run(loss, step, in = a, out = b));
  return losses;
}
struct as_it_is {
  template <class W>
  static constexpr auto of(W w) {
    return w;
  }
};
struct rounded {
  template <class W>
  static constexpr auto of(W w) {
    return etch::astype<float>(etch::astype<bfloat16>(w));
  }
};
}  // namespace

TEST_CASE("weights that are read as bfloat16, and updated as float, train as floats do") {
  const std::vector<float> exact = train<as_it_is>(200), rough = train<rounded>(200);
  CHECK(exact.back() < 0.4f * exact.front());
  for (std::size_t i = 0; i < exact.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(rough[i] - exact[i]) <= 0.03f * exact[i]);
  }
  CHECK(rough != exact);
}

TEST_CASE("weights in memory as bfloat16 beside masters of float32: one step updates both") {
  constexpr etch::placeholder<"a", float, 16, 4> a;
  constexpr etch::placeholder<"b", float, 16, 1> b;
  constexpr auto master = etch::variable<"master">(etch::zeros<float>(etch::shape<4, 1>{}));
  constexpr auto stored = etch::variable<"stored">(etch::zeros<bfloat16>(etch::shape<4, 1>{}));
  constexpr auto w = etch::astype<float>(stored);
  constexpr auto loss = etch::nn::mean_squared_error(etch::matmul(a, w), b);
  constexpr auto updated = etch::assign(master, master - 0.1_c * etch::gradient(loss, w));
  constexpr auto step = etch::group(updated, etch::assign(stored, etch::astype<bfloat16>(updated)));
  etch::session session(loss, step);
  session.initialize();
  xt::xtensor<float, 2> in = xt::zeros<float>({16, 4}), out = xt::zeros<float>({16, 1});
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      in(i, j) = static_cast<float>((i * 7 + j * 5) % 11) / 11 - 0.5f;
      out(i, 0) += in(i, j) * (static_cast<float>(j) - 1.5f);
    }
  // The same in plain loops, with weights that are rounded where they are read.
  double weights[4] = {};
  for (int n = 0; n < 300; ++n) {
    double gradient[4] = {}, expected = 0;
    for (std::size_t i = 0; i < 16; ++i) {
      double y = 0;
      for (std::size_t j = 0; j < 4; ++j) y += in(i, j) * static_cast<double>(float(bfloat16(weights[j])));
      const double d = y - out(i, 0);
      expected += d * d / 16;
      for (std::size_t j = 0; j < 4; ++j) gradient[j] += 2 * d * in(i, j) / 16;
    }
    const float loss_now = session.run(loss, step, a = in, b = out);
    REQUIRE(std::abs(loss_now - expected) <= 0.02 * expected + 1e-6);
    for (std::size_t j = 0; j < 4; ++j) weights[j] -= 0.1 * gradient[j];
    const auto m = session.get(master);
    const auto h = session.get(stored);
    for (std::size_t j = 0; j < 4; ++j) {
      REQUIRE(h(j, 0).bits == bfloat16(m(j, 0)).bits);
      weights[j] = m(j, 0);  // so that a rounding that falls otherwise is not carried on
    }
  }
  CHECK(session.run(loss, a = in, b = out) < 0.05f);
}
