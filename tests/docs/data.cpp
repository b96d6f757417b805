// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include <etch/data.hpp>
#include <etch/etch.hpp>
#include <etch/function.hpp>

/// What docs/data.md says, with sessions, functions and bound steps.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"pixels", float, any<"batch">, 3> pixels;
constexpr placeholder<"classes", std::int32_t, any<"batch">> classes;
constexpr placeholder<"values", float, any<"n">> fed;
constexpr auto total = sum(fed);

struct samples {
  xt::xtensor<float, 2> images = xt::zeros<float>({20, 3});
  xt::xtensor<std::int32_t, 1> labels = xt::zeros<std::int32_t>({20});
  samples() {
    for (std::size_t i = 0; i < images.size(); ++i) images.data()[i] = static_cast<float>(i * 7919 % 101) / 101;
    for (std::size_t i = 0; i < labels.size(); ++i) labels(i) = static_cast<std::int32_t>(i % 4);
  }
};

constexpr auto logits = nn::dense<"logits", 4>(dropout<"drop">(pixels, 0.25_c));
constexpr auto loss = mean(nn::sparse_softmax_cross_entropy(logits, classes));
constexpr auto train = optimizers::adam(1e-2_c).minimize(loss);

}  // namespace

TEST_CASE("AT-20: slices are printed one by one") {
  const std::vector<int> x = {2013, 2014, 2015, 2016, 2017}, y = {12000, 14000, 15000, 16500, 17500};
  std::ostringstream text;
  for (auto [year, price] : data::slices(x, y)) text << year << ' ' << price << '\n';
  CHECK(text.str() == "2013 12000\n2014 14000\n2015 15000\n2016 16500\n2017 17500\n");
}
TEST_CASE("AT-22: shuffles of sorted labels") {
  std::vector<int> sorted(1000);
  for (std::size_t i = 500; i < 1000; ++i) sorted[i] = 1;
  int batch = 0;
  for (auto b : data::slices(sorted).shuffle(10).batch(4))
    if (batch++ < 120)
      for (const int v : b) CHECK(v == 0);
  CHECK(batch == 250);
}
TEST_CASE("training that stops within an epoch goes on with the sample and the draws that would have come") {
  const samples s;
  const auto make = [&] { return data::slices(s.images, s.labels).shuffle(20, 1).batch(6); };
  const auto run = [&](auto& session, auto& batches, int steps, std::vector<float>& losses) {
    while (steps > 0)
      for (auto [x, y] : batches) {
        losses.push_back(session.run(loss, train, pixels = x, classes = y));
        if (--steps == 0) break;
      }
  };
  std::vector<float> whole, parts;
  session a(loss, train);
  a.initialize(3);
  auto batches = make();
  run(a, batches, 21, whole);

  session b(loss, train), c(loss, train);
  b.initialize(3);
  auto before = make(), then = make();
  run(b, before, 10, parts);
  for (auto v : b.variables()) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(v.bytes()));
    v.copy_to(bytes.data());
    c.variables().at(v.name()).copy_from(bytes.data());
  }
  c.set_random_state(b.random_state());
  then.restore(before.position());
  run(c, then, 11, parts);
  CHECK(parts == whole);
}
TEST_CASE("a bound step reads batches where they lie") {
  const samples s;
  session a(loss, train), b(loss, train);
  a.initialize(5);
  b.initialize(5);
  auto batches = data::slices(s.images, s.labels).shuffle(20).batch(5);
  std::vector<float> each, bound;
  for (int epoch = 0; epoch < 3; ++epoch)
    for (auto [x, y] : batches) each.push_back(a.run(loss, train, pixels = x, classes = y));
  batches = data::slices(s.images, s.labels).shuffle(20).batch(5);
  std::optional<decltype(b.bind(loss, train, pixels = s.images, classes = s.labels))> step;
  for (int epoch = 0; epoch < 3; ++epoch)
    for (auto [x, y] : batches) {
      if (!step) step.emplace(b.bind(loss, train, pixels = x, classes = y));
      bound.push_back((*step)());
    }
  CHECK(each == bound);
}
TEST_CASE("a bound step reads batches and windows of thousands of rows where they lie") {
  const xt::xtensor<float, 1> values = xt::arange<float>(0, 12'000);
  const auto check = [&](auto d) {
    session s(total);
    std::optional<decltype(s.bind(total, fed = values))> step;
    std::set<const float*> places;
    for (int epoch = 0; epoch < 3; ++epoch)
      for (auto b : d) {
        if (!step) step.emplace(s.bind(total, fed = b));
        places.insert(b.data());
        const double expected = std::accumulate(b.begin(), b.end(), 0.0);
        if (places.size() == 1) CHECK((*step)() == doctest::Approx(expected));
      }
    CHECK(places.size() == 1);
  };
  const auto slices = data::slices(values);
  check(slices.batch(1000));
  check(slices.batch(2000));
  check(slices.batch(6000));
  check(slices.window(3000));
  check(slices.filter([](float) { return true; }).window(2000));
}
TEST_CASE("behind prefetch(n) batches lie in up to n + 2 places") {
  const xt::xtensor<float, 1> values = xt::zeros<float>({200});
  for (const std::int64_t depth : {1, 2, 5}) {
    std::set<const float*> places;
    auto d = data::slices(values).batch(2).prefetch(depth);
    for (int epoch = 0; epoch < 3; ++epoch)
      for (auto b : d) places.insert(b.data());
    CHECK(static_cast<std::int64_t>(places.size()) == depth + 2);
  }
}
TEST_CASE("DATA-04: a map by a traced function is one plan a batch") {
  const samples s;
  function f([](auto x) { return sum(x * x, axis<1>); });
  int rows = 0;
  for (auto [norms, y] :
       data::slices(s.images, s.labels).batch(8).map([&](auto x, auto labels) { return std::tuple(f(x), labels); }))
    for (std::size_t i = 0; i < norms.size(); ++i, ++rows) {
      float expected = 0;
      for (std::size_t k = 0; k < 3; ++k)
        expected += s.images(static_cast<std::size_t>(rows), k) * s.images(static_cast<std::size_t>(rows), k);
      CHECK(norms(i) == doctest::Approx(expected));
      CHECK(y(i) == s.labels(static_cast<std::size_t>(rows)));
    }
  CHECK(rows == 20);
}
