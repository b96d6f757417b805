// SPDX-License-Identifier: MIT
#include <optional>
#include <thread>

#include <doctest/doctest.h>

#include <etch/etch.hpp>
#include <etch/tape.hpp>

#include <eager/contents.hpp>

// What a tape records, gives, keeps and refuses. That its gradients are right: every_*.cpp.

using namespace etch::literals;

namespace {
using contents::text;
using matrix = etch::tensor<float, 2>;
using vector = etch::tensor<float, 1>;
using scalar = etch::tensor<float, 0>;

template <class Tensor>
std::vector<typename Tensor::value_type> elements(const Tensor& t) {
  return std::vector<typename Tensor::value_type>(t.data(), t.data() + t.size());
}
}  // namespace

TEST_CASE("TAPE-01: the gradient of what was evaluated, of a tensor and of a variable") {
  const matrix w = {{1.0f}};
  etch::tape tape;
  const auto loss = w * w;
  CHECK(text(tape.gradient(loss, w)) == "etch.tensor([[2.]], shape=(1, 1), dtype=float32)");

  const etch::eager::variable v(matrix{{1.0f}});
  etch::tape other;
  const auto again = v * v;
  CHECK(text(other.gradient(again, v)) == "etch.tensor([[2.]], shape=(1, 1), dtype=float32)");
}

TEST_CASE("TAPE-05: a tape gives gradients once, a persistent one as often as it is asked") {
  const scalar x = 3;
  etch::tape once;
  const auto y = x * x;
  once.gradient(y, x);
  CHECK_THROWS_WITH_AS(once.gradient(y, x),
                       "tape: a tape that is not persistent gives gradients once; make it by etch::tape tape(etch::persistent)",
                       etch::error);
  etch::tape kept(etch::persistent);
  const auto square = x * x, fourth = square * square;
  CHECK(kept.gradient(fourth, x).item() == 108);
  CHECK(kept.gradient(square, x).item() == 6);
  CHECK(kept.gradient(fourth, square).item() == 18);
}

TEST_CASE("TAPE-05: nested tapes give higher derivatives") {
  const scalar x = 3;
  etch::tape third, second, first;
  const auto y = x * x * x;
  const auto slope = first.gradient(y, x);
  const auto curvature = second.gradient(slope, x);
  CHECK(slope.item() == 27);
  CHECK(curvature.item() == 18);
  CHECK(third.gradient(curvature, x).item() == 6);
  const matrix m = {{1, 2}, {3, 4}};
  etch::tape outer, inner;
  const auto slopes = inner.gradient(etch::matmul(m, etch::matmul(m, m)), m);
  const auto curvatures = outer.gradient(slopes, m);
  constexpr etch::placeholder<"m", float, 2, 2> p;
  constexpr auto graph = etch::gradient(etch::gradient(etch::matmul(p, etch::matmul(p, p)), p), p);
  etch::session s(graph);
  const xt::xtensor<float, 2> wanted = s.run(graph, p = {{1, 2}, {3, 4}});
  CHECK(elements(curvatures) == std::vector<float>(wanted.begin(), wanted.end()));
}

TEST_CASE("TAPE-05: watching narrows what is recorded; variables are watched by themselves") {
  const vector x = {1, 2}, y = {3, 4};
  const etch::eager::variable v(vector{5, 6});
  const std::int64_t before = etch::eager::live_bytes();
  {
    etch::tape tape(etch::persistent);
    tape.watch(x);
    {
      const auto unrelated = etch::exp(y * y) + y;
      const auto related = x * y + v * y;
      CHECK(elements(tape.gradient(related, x)) == std::vector<float>{3, 4});
      CHECK(elements(tape.gradient(related, v)) == std::vector<float>{3, 4});
      CHECK_THROWS_AS(tape.gradient(unrelated, y), etch::error);
    }
    // x * y, v * y and their sum; not what was made of y alone.
    CHECK(etch::eager::live_bytes() == before + 3 * 8);
  }
  CHECK(etch::eager::live_bytes() == before);
}

TEST_CASE("TAPE-02: gradients in the order and shapes of the variables, and steps that follow them") {
  etch::eager::variable kernel(matrix{{1, 2}, {3, 4}});
  etch::eager::variable bias(vector{0, 0});
  const matrix x = {{1, 1}};
  for (int step = 0; step < 3; ++step) {
    etch::tape tape;
    const auto loss = etch::sum(etch::square(etch::matmul(x, kernel) + bias));
    const auto [dk, db] = tape.gradient(loss, kernel, bias);
    CHECK(dk.shape() == std::array<std::int64_t, 2>{2, 2});
    CHECK(db.shape() == std::array<std::int64_t, 1>{2});
    kernel.assign_sub(0.125_c * dk);
    bias.assign_sub(0.125_c * db);
  }
  const auto left = etch::matmul(x, kernel) + bias;
  CHECK(left(0, 0) == doctest::Approx(4 * 0.25 * 0.25 * 0.25));
}

TEST_CASE("TAPE-05: of what was not reached there is no gradient, of what does not count it is zero") {
  const vector x = {1.5f, 2.5f}, y = {3, 4};
  etch::tape first;
  const auto z = x * 2_c;
  CHECK_THROWS_WITH_AS(first.gradient(z, y), "tape: the result does not depend on source 0 through what this tape has recorded",
                       etch::error);
  etch::tape second;
  const auto flat = etch::floor(x) + etch::stop_gradient(x) + y;
  const auto [dx, dy] = second.gradient(flat, x, y);
  CHECK(elements(dx) == std::vector<float>{0, 0});
  CHECK(elements(dy) == std::vector<float>{1, 1});
  etch::tape third;
  CHECK(elements(third.gradient(x, x)) == std::vector<float>{1, 1});
}

TEST_CASE("TAPE-01: gradients pass through parts, changes, conversions and control flow") {
  const matrix m = {{1, 2}, {3, 4}};
  etch::tape tape;
  scalar total = 0;
  for (const auto row : m)
    for (const scalar element : row)
      if (element > 1_c) total += element * element;
  const auto dm = tape.gradient(total, m);
  CHECK(elements(dm) == std::vector<float>{0, 4, 6, 8});

  vector x = {1, 2};
  const vector start = x;
  etch::tape changes;
  x *= x;
  x += 1_c;
  CHECK(elements(changes.gradient(x, start)) == std::vector<float>{2, 4});

  etch::tape casts;
  const auto wide = etch::astype<double>(start) * 2_c;
  const etch::tensor<float> any = etch::astype<float>(wide) * start;
  CHECK(elements(casts.gradient(any, start)) == std::vector<float>{4, 8});
}

etch::tensor<double, 1> evaluated_without_a_rule(const etch::tensor<double, 1>& x);  // linked/without_rules.cpp

TEST_CASE("TAPE-01: what a file without the tape's header evaluates has no gradient, and says so") {
  const etch::tensor<double, 1> x = {8};
  etch::tape tape(etch::persistent);
  const auto y = evaluated_without_a_rule(x);
  CHECK_THROWS_WITH_AS(tape.gradient(y, x),
                       "tape: cbrt was called where <etch/tape.hpp> is not included, which brings the rule for its gradient",
                       etch::error);
  CHECK(elements(tape.gradient(y + x, y)) == std::vector<double>{1});
}

etch::tensor<double, 1> evaluated_elsewhere(const etch::tensor<double, 1>& x);  // linked/without_rules.cpp

TEST_CASE("TAPE-01: files with the tape's header and without it evaluate one op, which has its rule in both") {
  const etch::tensor<double, 1> x = {0};
  etch::tape here, there;
  CHECK(elements(here.gradient(etch::expm1(x), x)) == std::vector<double>{1});
  CHECK(elements(there.gradient(evaluated_elsewhere(x), x)) == std::vector<double>{1});
}

TEST_CASE("TAPE-05: what is recorded is let go of by the sweep back, and when the tape goes") {
  const std::int64_t before = etch::eager::live_bytes();
  const matrix x = etch::ones(etch::shape<100, 100>{});
  constexpr std::int64_t one = 40'000;
  {
    std::optional<scalar> loss;
    etch::tape tape;
    {
      matrix h = x;
      for (int i = 0; i < 10; ++i) h = etch::tanh(h);
      loss = etch::sum(h);
    }
    CHECK(etch::eager::live_bytes() == before + 11 * one + 4);
    const auto dx = tape.gradient(*loss, x);
    CHECK(etch::eager::live_bytes() == before + 2 * one + 4);
    const auto more = etch::tanh(dx);  // a tape that has been asked records no more
    CHECK(etch::eager::live_bytes() == before + 3 * one + 4);
  }
  CHECK(etch::eager::live_bytes() == before + one);
  {
    etch::tape unused;
    etch::tanh(x);
    CHECK(etch::eager::live_bytes() == before + 2 * one);
  }
  CHECK(etch::eager::live_bytes() == before + one);
  {
    etch::tape tape;
    tape.stop();
    etch::tanh(x);
    CHECK(etch::eager::live_bytes() == before + one);
  }
}

TEST_CASE("TAPE-01: threads share tensors, and each has tapes of its own") {
  vector t = {1, 2, 3, 4};
  std::vector<std::thread> threads;
  float sums[4] = {};
  for (float& sum : sums)
    threads.emplace_back([x = t, &sum] {
      for (int i = 0; i < 200; ++i) {
        etch::tape tape;
        const auto y = etch::sum(x * x);
        vector mine = x;
        mine += tape.gradient(y, x);
        sum = etch::sum(mine).item();
      }
    });
  t += 1_c;
  for (std::thread& thread : threads) thread.join();
  for (const float sum : sums) CHECK(sum == 30);
  CHECK(t(0) == 2);
}

TEST_CASE("a variable is known by itself, not by the tensor that it was made of or assigned") {
  const scalar three(3.f);
  etch::eager::variable u(three), v(three), w(scalar(1.f));
  etch::tape both;
  CHECK(both.gradient(u * u * v, u).item() == 18);
  v.assign(u.read());
  etch::tape assigned;
  CHECK(assigned.gradient(u * v * v, u).item() == 9);
  etch::tape through;
  const auto before = w * w;
  w.assign(w * 3.f);
  CHECK(through.gradient(before + w * w, w).item() == 2 * 1 + 2 * 3);
}

TEST_CASE("a variable that is made where another has been is not taken for it") {
  etch::tape tape(etch::persistent);
  scalar y(0.f);
  for (int i = 0; i < 100; ++i) {
    etch::eager::variable before(scalar(3.f));
    y = y + before * before;
  }
  for (int i = 0; i < 100; ++i) {
    const etch::eager::variable never_read(scalar(3.f));
    CHECK_THROWS_AS(tape.gradient(y, never_read), etch::error);
  }
}

TEST_CASE("a source may be named twice, and by two names") {
  const scalar x(3.f), z = x, other(1.f);
  etch::tape tape(etch::persistent);
  const auto y = x * z * other;
  const auto [a, o, b, c] = tape.gradient(y, x, other, x, z);
  CHECK(a.item() == 6);
  CHECK(o.item() == 9);
  CHECK(b.item() == 6);
  CHECK(c.item() == 6);
}

TEST_CASE("TAPE-05: a persistent tape, too, gives the gradient of a product with a vector") {
  const etch::tensor<double, 1> x = {1, 2};
  const etch::tensor<double, 2> w = {{3}, {4}};
  etch::tape persistent(etch::persistent);
  const auto y = etch::matmul(x, w);
  for (int i = 0; i < 2; ++i) {
    const auto by_w = persistent.gradient(y, w);
    CHECK(by_w(0, 0) == 1);
    CHECK(by_w(1, 0) == 2);
  }
  const auto by_x = persistent.gradient(y, x);
  CHECK(by_x(0) == 3);
  CHECK(by_x(1) == 4);
}
