// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <etch/control.hpp>
#include <etch/etch.hpp>
#include "reference/run.hpp"

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

  TEST_CASE("VAR-05, GRA-11: two sessions of one graph share nothing") {
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

  TEST_CASE("effects, GRA-14: after() gives what an expression is when the assignments have run") {
    const auto step = etch::assign_add(counter, 1_c);
    const auto y = counter * counter;
    const auto later = etch::after(y, step);
    const auto slope = etch::after(etch::gradient(y, counter), step);
    etch::session s(step, y, later, slope);
    s.initialize();
    s.set(counter, 2.f);
    const auto [now, then, by] = s.run(etch::group(step), y, later, slope);
    CHECK(now == 4.f);
    CHECK(then == 9.f);
    CHECK(by == 6.f);
    CHECK(s.get(counter) == 3.f);
    CHECK(etch::reference::run(later, counter = 2.f) == 9.f);
  }

  TEST_CASE("effects: gradients pass through what is assigned") {
    constexpr etch::placeholder<"x", float> x;
    const auto step = etch::assign(counter, x * x);
    etch::session s(step, counter);
    s.initialize();
    CHECK(s.run(etch::gradient(etch::after(counter * 3_c, step), x), x = 5.f) == 30.f);
  }

  TEST_CASE("effects: two assignments of a variable in one run, the second of what after() reads") {
    const auto first = etch::assign_add(counter, 1_c);
    const auto second = etch::assign(counter, etch::after(counter, first) * 10_c);
    const auto both = etch::group(first, second);
    etch::session s(both);
    s.initialize();
    CHECK(s.run(second) == 10.f);
    const auto [one, two] = s.run(first, second);
    CHECK(one == 11.f);
    CHECK(two == 110.f);
    s.run(both);
    CHECK(s.get(counter) == 1110.f);
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

  TEST_CASE("RND-01: random draws differ from run to run, follow from the seed, and equal names are one draw") {
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
        for (int i = 0; i < 50; ++i)
          wrong[std::size_t(t)] += s.run(y, rows = inputs[std::size_t(t)]) == expected[std::size_t(t)] ? 0 : 1;
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

  TEST_CASE("VAR-02: a variable whose initial value reads other variables starts after them") {
    const auto a = etch::variable<"a">(etch::random_normal<"a">(etch::shape<4>{}));
    const auto b = etch::variable<"b">(etch::tanh(a) * 2_c);
    const auto c = etch::variable<"c">(a + etch::sum(b) - b);
    etch::session s(c);
    for (std::uint64_t seed : {1u, 2u}) {
      s.initialize(seed);
      const auto x0 = s.get(a), y0 = s.get(b), z0 = s.get(c);
      float total = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        CHECK(x0(i) != 0);
        CHECK(y0(i) == doctest::Approx(2 * std::tanh(x0(i))).epsilon(1e-6));
        total += y0(i);
      }
      for (std::size_t i = 0; i < 4; ++i) CHECK(z0(i) == doctest::Approx(x0(i) + total - y0(i)).epsilon(1e-5));
    }
  }

  TEST_CASE("VAR-02: a variable that a bound step assigns has a value once the step has run") {
    const auto w = etch::variable<"w">(etch::zeros(etch::shape<2>{}));
    const auto step = etch::assign(w, etch::ones(etch::shape<2>{}));
    etch::session s(step);
    auto bound = s.bind(step);
    CHECK_THROWS_WITH_AS(s.get(w), "run: variable \"w\" has no value; call initialize() or set() first", etch::error);
    CHECK_THROWS_WITH_AS(s.run(w * 2_c), "run: variable \"w\" has no value; call initialize() or set() first", etch::error);
    bound();
    CHECK(s.get(w)(1) == 1);
  }

  TEST_CASE("RND-01, RND-06: draws of runs in many threads are those of as many runs, none twice") {
    constexpr auto draw = etch::random_uniform<"draw">(etch::shape<64>{});
    constexpr int threads = 4, runs = 500;
    etch::session s(draw);
    s.initialize(5);
    std::vector<std::vector<float>> drawn(threads);
    const auto collect = [&](auto& step, std::vector<float>& to) {
      for (int i = 0; i < runs; ++i) {
        const auto& values = step();
        to.insert(to.end(), values.begin(), values.end());
      }
    };
    std::vector<std::thread> pool;
    for (int t = 0; t < threads; ++t)
      pool.emplace_back([&, t] {
        if (t % 2 == 0) {
          auto step = s.bind(draw);
          collect(step, drawn[static_cast<std::size_t>(t)]);
        } else {
          const auto run = [&] { return s.run(draw); };
          collect(run, drawn[static_cast<std::size_t>(t)]);
        }
      });
    for (auto& t : pool) t.join();
    CHECK(s.random_state().runs == threads * runs);
    std::vector<float> parallel, serial;
    for (const auto& d : drawn) parallel.insert(parallel.end(), d.begin(), d.end());
    s.initialize(5);
    for (int i = 0; i < threads * runs; ++i) {
      const auto values = s.run(draw);
      serial.insert(serial.end(), values.begin(), values.end());
    }
    double mean = 0;
    for (const float v : parallel) mean += static_cast<double>(v);
    CHECK(mean / static_cast<double>(parallel.size()) == doctest::Approx(0.5).epsilon(0.01));
    std::sort(parallel.begin(), parallel.end());
    std::sort(serial.begin(), serial.end());
    CHECK(parallel == serial);
  }

  TEST_CASE("VAR-06: a session's variables are data: names, dtypes, shapes, bytes, values") {
    const auto w = etch::variable<"layer/w">(etch::ones(etch::shape<2, 3>{}));
    const auto n = etch::variable<"n">(etch::zeros<std::int32_t>(etch::shape<>{}), etch::not_trainable);
    etch::session s(etch::sum(w), n);
    s.initialize();
    CHECK(s.variables().size() == 2);
    int seen = 0;
    for (auto v : s.variables()) {
      ++seen;
      CHECK(v.is_initialised());
      if (std::string(v.name()) == "n") {
        CHECK(v.type() == etch::dtype::int32);
        CHECK(v.shape().empty());
        CHECK(!v.trainable());
        CHECK(v.bytes() == 4);
      } else {
        CHECK(std::string(v.name()) == "layer/w");
        CHECK(v.type() == etch::dtype::float32);
        CHECK(std::vector<std::int64_t>(v.shape().begin(), v.shape().end()) == std::vector<std::int64_t>{2, 3});
        CHECK(v.trainable());
        CHECK(v.bytes() == 24);
      }
    }
    CHECK(seen == 2);
    auto v = s.variables().at("layer/w");
    CHECK(v.get<float>() == std::vector<float>(6, 1));
    v.set(std::vector<float>{1, 2, 3, 4, 5, 6});
    CHECK(s.get(w)(1, 0) == 4);
    v.set(xt::xtensor<float, 2>{{0, 0, 1}, {0, 0, 2}});
    CHECK(s.get(w)(1, 2) == 2);
    float bytes[6];
    v.copy_to(bytes);
    CHECK(bytes[5] == 2);
    CHECK_THROWS_WITH_AS(v.get<double>(), "variable \"layer/w\": its elements are float32, not float64", etch::error);
    CHECK_THROWS_WITH_AS(v.set(std::vector<double>(6)), "variable \"layer/w\": its elements are float32, not float64", etch::error);
    CHECK_THROWS_WITH_AS(v.set(std::vector<float>(5)), "set: variable \"layer/w\": number of elements: expected 6, got 5",
                         etch::error);
    CHECK_THROWS_WITH_AS(s.variables().at("w"), "session: no variable has the name \"w\"", etch::error);
    CHECK(!s.variables().contains("w"));
  }

  TEST_CASE("RND-05: a program that saves variables and random state goes on bit-exactly") {
    const auto w = etch::variable<"w">(etch::random_normal<"w">(etch::shape<8>{}));
    const auto step = etch::assign(w, etch::dropout<"drop">(w, 0.25_c) + etch::random_uniform<"noise">(etch::shape<8>{}));
    etch::session whole(step);
    whole.initialize(9);
    for (int i = 0; i < 20; ++i) whole.run(step);

    etch::session first(step);
    first.initialize(9);
    for (int i = 0; i < 7; ++i) first.run(step);
    std::vector<std::vector<float>> saved;
    for (auto v : first.variables()) saved.push_back(v.get<float>());
    const etch::random_state state = first.random_state();

    etch::session second(step);
    for (std::size_t i = 0; i < saved.size(); ++i) second.variables()[i].set(saved[i]);
    second.set_random_state(state);
    auto bound = second.bind(step);
    for (int i = 7; i < 20; ++i) bound();
    CHECK(second.get(w) == whole.get(w));
    CHECK(second.random_state() == whole.random_state());
  }

  TEST_CASE("SES: denormals are kept or count as 0, as the session is told") {
    constexpr etch::placeholder<"y", float> y;
    constexpr auto half = y * 0.5_c;
    const float smallest = std::numeric_limits<float>::min();
    etch::session s(half);
    auto step = s.bind(half, y = smallest);
    CHECK(s.run(half, y = smallest) == smallest / 2);
    CHECK(step() == smallest / 2);
    s.keep_denormals();
    CHECK(s.run(half, y = smallest) == smallest / 2);
    CHECK(step() == smallest / 2);
    s.keep_denormals(false);
    CHECK(s.run(half, y = smallest) == 0);
    CHECK(step() == 0);
    CHECK(smallest * 0.5f > 0);  // the thread's own arithmetic is as before
  }

  /// How many elements are not 0, of halves of the smallest normal numbers that a session is fed.
  template <class E, class Slot>
  long kept_by(const E& halves, const Slot& x, std::size_t count) {
    const xt::xtensor<float, 1> smallest = xt::ones<float>({count}) * std::numeric_limits<float>::min();
    etch::session s(halves);
    s.initialize();
    auto step = s.bind(halves, x = smallest);
    const xt::xtensor<float, 1> once = s.run(halves, x = smallest), bound = step();
    CHECK(once == bound);
    return std::count_if(bound.begin(), bound.end(), [](float v) { return v != 0; });
  }

  template <int N, class E>
  constexpr auto sums_of_rows(const E& x) {
    return etch::reshape(etch::matmul(etch::reshape(x, etch::shape<N, N>{}), etch::ones(etch::shape<N, N>{})),
                         etch::shape<N * N>{});
  }

  TEST_CASE("SES: runs keep denormals that assign nothing, loop over nothing, and are small") {
    constexpr etch::placeholder<"x", float, 65536> many;
    CHECK(kept_by(many * 0.5_c, many, 65536) == 65536);
    constexpr etch::placeholder<"x", float, 65537> one_more;
    CHECK(kept_by(one_more * 0.5_c, one_more, 65537) == 0);
    constexpr etch::placeholder<"x", float, 39 * 39> small;  // 59,319 multiplications and 1,521 elements at most
    CHECK(kept_by(sums_of_rows<39>(small * 0.5_c), small, 39 * 39) == 39 * 39);
    constexpr etch::placeholder<"x", float, 41 * 41> large;  // 68,921
    CHECK(kept_by(sums_of_rows<41>(large * 0.5_c), large, 41 * 41) == 0);
    constexpr etch::placeholder<"x", float, etch::any<"n">> named;
    CHECK(kept_by(named * 0.5_c, named, 4) == 4);
    CHECK(kept_by(named * 0.5_c, named, 65536) == 65536);
    CHECK(kept_by(named * 0.5_c, named, 65537) == 0);
    constexpr etch::placeholder<"x", float, etch::any<"n">, 1> column;
    constexpr auto products = etch::matmul(column, etch::ones(etch::shape<1, 8>{}));
    etch::session by_count(products);
    for (const auto& [rows, kept] : {std::pair(4u, 4u * 8), {9000u, 0u}, {8u, 8u * 8}}) {  // 72,000 multiplications
      const xt::xtensor<float, 2> half =
          xt::ones<float>({std::size_t{rows}, std::size_t{1}}) * (std::numeric_limits<float>::min() / 2);
      const xt::xtensor<float, 2> got = by_count.run(products, column = half);
      CHECK(std::count_if(got.begin(), got.end(), [](float v) { return v != 0; }) == kept);
    }
    // A number beside 65,536 is one too many, whichever comes first.
    constexpr etch::placeholder<"number", float> number;
    const xt::xtensor<float, 1> smallest = xt::ones<float>({65536}) * std::numeric_limits<float>::min();
    etch::session both(many * 0.5_c, number * 0.5_c);
    CHECK(std::get<0>(both.run(many * 0.5_c, number * 0.5_c, many = smallest, number = smallest(0)))(0) == 0);
    CHECK(std::get<1>(both.run(number * 0.5_c, many * 0.5_c, many = smallest, number = smallest(0)))(0) == 0);
    constexpr auto last = etch::variable<"last">(etch::zeros<float>(etch::shape<>{}));
    CHECK(kept_by(named * 0.5_c + 0_c * etch::assign(last, etch::sum(named)), named, 4) == 0);
    constexpr etch::placeholder<"x", float, 4> few;
    CHECK(kept_by(few * 0.5_c, few, 4) == 4);
    constexpr auto w = etch::variable<"w">(etch::zeros<float>(etch::shape<4>{}));
    CHECK(kept_by(etch::assign(w, few * 0.5_c), few, 4) == 0);
    CHECK(kept_by(etch::for_range<3>([](auto, auto v) { return v * 0.5_c; }, few), few, 4) == 0);
  }

  TEST_CASE("SES: the thread's arithmetic is as before a run, whatever it was, but for what says that results were rounded") {
    constexpr etch::placeholder<"y", float> y;
    constexpr auto third = y / 3_c;
    etch::session s(third);
    s.keep_denormals(false);
    auto step = s.bind(third, y = 1.0f);
    const volatile float smallest = std::numeric_limits<float>::min();
    for (const int rounding : {FE_TONEAREST, FE_UPWARD})
      for (const int raised : {0, FE_INEXACT, FE_OVERFLOW, FE_DIVBYZERO | FE_INEXACT}) {
        std::feclearexcept(FE_ALL_EXCEPT);
        std::feraiseexcept(raised);
        std::fesetround(rounding);
        const float got = step();
        const int mode = std::fegetround(), flags = std::fetestexcept(FE_ALL_EXCEPT & ~FE_INEXACT);
        std::fesetround(FE_TONEAREST);
        CHECK(mode == rounding);
        CHECK(flags == (raised & ~FE_INEXACT));
        CHECK(smallest * 0.5f > 0);
        CHECK(std::abs(got - 1.0f / 3) < 1e-7f);
      }
    std::feclearexcept(FE_ALL_EXCEPT);
  }

  TEST_CASE("SES: initial values are computed as runs are") {
    constexpr auto w = etch::variable<"w">(etch::random_uniform<"w">(etch::shape<64>{}) * 1e-39_c);
    etch::session s(w);
    s.initialize();
    CHECK(s.get(w) == xt::zeros<float>({64}));
    s.keep_denormals();
    s.initialize();
    CHECK(s.get(w) != xt::zeros<float>({64}));
  }
}
