// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <thread>
#include <vector>

#include <etch/etch.hpp>
#include <etch/session/reference.hpp>

using namespace etch::literals;

namespace {
constexpr etch::placeholder<"x", float> x;
constexpr auto counter = etch::variable<"counter">(0.0_c);
}  // namespace

TEST_SUITE("session") {
  TEST_CASE("VAR-01, VAR-02, VAR-03, AT-H3: an assigned value is kept from run to run") {
    const auto step = etch::assign_add(counter, 1_c);
    etch::session s(step);
    s.initialize();
    for (int i = 1; i <= 5; ++i) CHECK(s.run(step) == float(i));
    CHECK(s.get(counter) == 5.f);
    s.set(counter, 40.f);
    CHECK(s.run(step) == 41.f);
  }

  TEST_CASE("VAR-05, SES: two sessions of one graph share nothing") {
    const auto step = etch::assign_add(counter, 1_c);
    etch::session a(step), b(step);
    a.initialize();
    b.initialize();
    a.run(step);
    a.run(step);
    CHECK(a.get(counter) == 2.f);
    CHECK(b.get(counter) == 0.f);
  }

  TEST_CASE("effects: within one run, reads see the value before the assignments; an assignment's value is the new one") {
    const auto step = etch::assign(counter, counter * 2_c + 1_c);
    const auto before = counter + 0.5_c;
    etch::session s(step, before);
    s.initialize();
    s.set(counter, 3.f);
    const auto [now, then] = s.run(step, before);
    CHECK(now == 7.f);
    CHECK(then == 3.5f);
    CHECK(s.get(counter) == 7.f);
  }

  TEST_CASE("effects, GRA-14: after() reads a variable when the assignment has run") {
    const auto step = etch::assign_add(counter, 1_c);
    const auto read = etch::after(counter, step);
    etch::session s(read);
    s.initialize();
    CHECK(s.run(read * 10_c) == 10.f);
    CHECK(s.run(read * 10_c) == 20.f);
    CHECK(etch::reference::run(read * 10_c, counter = 2.f) == 30.f);
  }

  TEST_CASE("effects: assigning a transposed or shifted self does not read half-written memory") {
    constexpr auto m = etch::variable<"m">(etch::zeros(etch::shape<2, 3>{}));
    constexpr auto square = etch::variable<"square">(etch::zeros(etch::shape<3, 3>{}));
    const auto flipped = etch::assign(m, etch::flip(m));
    const auto transposed = etch::assign(square, etch::transpose(square) - 0_c);
    const auto normalised = etch::assign(m, m - etch::max(m));
    etch::session s(flipped, transposed, normalised);
    s.initialize();
    s.set(m, xt::xtensor<float, 2>{{1, 2, 3}, {4, 5, 6}});
    s.set(square, {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
    s.run(flipped);
    s.run(transposed);
    CHECK(s.get(m) == xt::xtensor<float, 2>{{6, 5, 4}, {3, 2, 1}});
    CHECK(s.get(square) == xt::xtensor<float, 2>{{1, 4, 7}, {2, 5, 8}, {3, 6, 9}});
    s.run(normalised);
    CHECK(s.get(m) == xt::xtensor<float, 2>{{0, -1, -2}, {-3, -4, -5}});
  }

  TEST_CASE("effects: a step with no value gives nothing, among other fetches too") {
    const auto step = etch::group(etch::assign_add(counter, 1_c));
    etch::session s(step);
    s.initialize();
    static_assert(std::is_void_v<decltype(s.run(step))>);
    s.run(step);
    CHECK(s.run(step, counter + 0_c) == 1.f);
    CHECK(s.get(counter) == 2.f);
  }

  TEST_CASE("effects: random draws differ from run to run, follow from the seed, and equal names are one draw") {
    constexpr auto draw = etch::random_uniform<"draw">(etch::shape<4>{});
    constexpr auto another = etch::random_uniform<"another">(etch::shape<4>{});
    etch::session s(draw, another);
    s.initialize(7);
    const auto [a, b] = s.run(draw, another);
    const auto c = s.run(draw);
    CHECK(a != b);
    CHECK(a != c);
    s.initialize(7);
    CHECK(s.run(draw) == a);
    s.initialize(8);
    CHECK(s.run(draw) != a);
    CHECK(s.run(etch::sum(draw - draw)) == 0.f);
  }

  TEST_CASE("SCO-04: the same name is the same variable") {
    constexpr etch::placeholder<"images", float, 1, 2> images;
    const auto y = etch::nn::dense<"shared", 2>(etch::nn::dense<"shared", 2>(images));
    etch::session s(y);
    s.initialize(1);
    s.set<"shared/kernel">(xt::xtensor<float, 2>{{0, 1}, {2, 0}});
    CHECK(s.get<"shared/kernel">() == xt::xtensor<float, 2>{{0, 1}, {2, 0}});
    CHECK(s.run(y, images = {{3, 5}}) == xt::xtensor<float, 2>{{6, 10}});
    const auto kernel = etch::find_variable<"shared/kernel">(y);
    CHECK(s.get(kernel) == xt::xtensor<float, 2>{{0, 1}, {2, 0}});
    CHECK(s.run(etch::gradient(etch::sum(etch::square(kernel)), kernel)) == xt::xtensor<float, 2>{{0, 2}, {4, 0}});
    s.set<"shared/kernel">({{1, 0}, {0, 1}});
    s.set<"shared/bias">({1, 2});
    CHECK(s.run(y, images = {{3, 5}}) == xt::xtensor<float, 2>{{5, 9}});
  }

  TEST_CASE("SCO-07: initial values: zeros, glorot within its limit, the same for the same seed") {
    constexpr etch::placeholder<"images", float, etch::any<"n">, 50> images;
    const auto y = etch::nn::dense<"layer", 30>(images);
    etch::session s(y), t(y);
    s.initialize(3);
    t.initialize(3);
    const xt::xtensor<float, 2> k = s.get<"layer/kernel">();
    CHECK(k == t.get<"layer/kernel">());
    const float limit = std::sqrt(6.f / 80.f);
    float largest = 0, sum = 0;
    for (float v : k) {
      largest = std::max(largest, std::abs(v));
      sum += v;
    }
    CHECK(largest <= limit);
    CHECK(largest > 0.95f * limit);
    CHECK(std::abs(sum) / 1500.f < 0.02f);
    t.initialize(4);
    CHECK(k != t.get<"layer/kernel">());
  }

  TEST_CASE("several threads run bound steps of one session, each with its workspace") {
    constexpr etch::placeholder<"rows", float, etch::any<"n">, 16> rows;
    const auto y = etch::sum(etch::nn::dense<"layer", 16>(etch::tanh(etch::nn::dense<"first", 16>(rows))), etch::axis<1>);
    etch::session s(y);
    s.initialize(5);
    std::vector<xt::xtensor<float, 2>> inputs;
    std::vector<xt::xtensor<float, 1>> expected;
    for (int t = 0; t < 4; ++t) {
      inputs.push_back(float(t + 1) * xt::ones<float>({40, 16}));
      expected.push_back(s.run(y, rows = inputs.back()));
    }
    std::vector<int> wrong(4, 0);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        auto step = s.bind(y, rows = inputs[std::size_t(t)]);
        for (int i = 0; i < 500; ++i) wrong[std::size_t(t)] += step() == expected[std::size_t(t)] ? 0 : 1;
        for (int i = 0; i < 50; ++i) wrong[std::size_t(t)] += s.run(y, rows = inputs[std::size_t(t)]) == expected[std::size_t(t)] ? 0 : 1;
      });
    for (std::thread& t : threads) t.join();
    for (int w : wrong) CHECK(w == 0);
  }

  TEST_CASE("SES-04: a bound step outlives its session") {
    auto make = [] {
      etch::session s(counter + x);
      s.initialize();
      s.set(counter, 2.f);
      return s.bind(counter + x, x = 3.f);
    };
    auto step = make();
    CHECK(step() == 5.f);
  }
}
