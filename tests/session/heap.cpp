// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <span>

#include <heap/allocations.hpp>

#ifndef ETCH_HEAP_IS_THE_SANITIZERS
#include <etch/etch.hpp>
#include <etch/thread_pool.hpp>

using namespace etch::literals;

TEST_SUITE("session") {
  TEST_CASE("P8, SES-12: a bound training step does not touch the heap") {
    constexpr etch::placeholder<"images", float, etch::any<"batch">, 30> images;
    constexpr etch::placeholder<"labels", std::int32_t, etch::any<"batch">> labels;
    const auto logits = etch::nn::dense<"logits", 10>(etch::relu(etch::nn::dense<"hidden", 40>(images)));
    const auto loss = etch::mean(etch::nn::sparse_softmax_cross_entropy(logits, labels));
    const auto train = etch::optimizers::adam(1e-2_c).minimize(loss);
    etch::session s(loss, train);
    s.initialize(1);
    auto x = xt::xtensor<float, 2>::from_shape({20, 30});
    auto y = xt::xtensor<std::int32_t, 1>::from_shape({20});
    for (std::size_t i = 0; i < 20; ++i) {
      y(i) = static_cast<std::int32_t>(i % 10);
      for (std::size_t j = 0; j < 30; ++j) x(i, j) = static_cast<float>((i * 7 + j * 3) % 11) / 11.f;
    }
    auto step = s.bind(loss, train, images = x, labels = y);
    const float first = step();
    const long before = allocations;
    float last = first;
    for (int i = 0; i < 100; ++i) last = step();
    CHECK(allocations == before);
    CHECK(last < first / 2);
  }

  TEST_CASE(
      "P8: a step that is pointed at other arrays does not touch the heap, in place or from a table; nor does it where it is "
      "moved") {
    constexpr etch::placeholder<"v", float, 4> v;
    constexpr etch::placeholder<"rows", float, etch::any<"n">, 3> rows;
    const auto small = etch::sum(v);
    const auto large = etch::sort(rows, etch::axis<1>);
    etch::session s(small, large);
    const float first[] = {1, 2, 3, 4, 5, 6}, second[] = {6, 5, 4, 3, 2, 1};
    etch::step<float(const float*)> in_place = s.bind(small, v = {0, 0, 0, 0});
    auto bound = s.bind(large, rows = {{0, 0, 0}, {0, 0, 0}});
    const long before = allocations;
    etch::step<std::span<const float>(const float*)> from_table = std::move(bound);
    float sum = 0;
    for (int i = 0; i < 100; ++i) {
      sum += in_place(first) + in_place(second);
      sum += from_table(first)[0] + from_table(second)[3];
      etch::step<std::span<const float>(const float*)> other = std::move(from_table);
      from_table = std::move(other);
    }
    CHECK(allocations == before);
    CHECK(sum == 100 * (10 + 18 + 1 + 1));
  }

  TEST_CASE("P8, SES-12: threads that share a bound step do not touch the heap") {
    constexpr etch::placeholder<"rows", float, 2000, 200> rows;
    const auto sorted = etch::sort(rows, etch::axis<0>);
    const auto sums = etch::cumsum(etch::sort(rows * 2_c, etch::axis<0>), etch::axis<0>);
    etch::session s(sorted, sums);
    etch::thread_pool pool(2);
    s.set_executor(&pool);
    const xt::xtensor<float, 2> in = xt::ones<float>({2000, 200});
    auto step = s.bind(sorted, sums, rows = in);
    step();
    const long before = allocations;
    for (int i = 0; i < 5; ++i) step();
    CHECK(allocations == before);
  }

  TEST_CASE("P8, SES-12: a repeated run allocates its results only") {
    constexpr etch::placeholder<"v", float, 100> v;
    const auto y = etch::sum(etch::exp(v));
    etch::session s(y);
    const xt::xtensor<float, 1> in = xt::zeros<float>({100});
    s.run(y, v = in);
    const long before = allocations;
    for (int i = 0; i < 10; ++i) CHECK(s.run(y, v = in) == 100.f);
    CHECK(allocations == before);
  }

  TEST_CASE("VAR-04: the memory of variables is a session's, from when it is made until it is closed") {
    constexpr long bytes = 4'000'000;
    constexpr auto w = etch::variable<"w">(etch::zeros(etch::shape<1000, 1000>{}));
    constexpr auto y = etch::sum(w);
    const long before = live_bytes;
    etch::session one(y);
    CHECK(live_bytes - before >= bytes);
    CHECK(live_bytes - before < bytes + 100'000);
    {
      etch::session two(y);
      two.initialize();
      CHECK(live_bytes - before >= 2 * bytes);
    }
    CHECK(live_bytes - before < bytes + 100'000);
    one.initialize();
    CHECK(one.run(y) == 0);
    one.close();
    CHECK(live_bytes - before < 100'000);
  }
}
#endif
