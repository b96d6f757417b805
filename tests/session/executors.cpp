// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

#include <etch/trace.hpp>

#include "executors.hpp"

/// What a session promises of the executor that it is given.
namespace {

using namespace etch::literals;
using namespace executors;

}  // namespace

TEST_SUITE("executors") {
  TEST_CASE("what is bound keeps its threads; the session's may change") {
    const fed<"x", float, 3001> x;
    const auto y = etch::exp(x.slot);
    etch::session s(y);
    backwards first(2), second(3);
    s.set_executor(&first);
    auto bound = s.bind(y, x());
    bound();
    CHECK(first.shared == 1);
    s.set_executor(&second);
    bound();
    CHECK(first.shared == 2);
    (void)s.run(y, x());
    CHECK(second.shared == 1);
    s.set_executor(nullptr);
    (void)s.run(y, x());
    CHECK(first.shared + second.shared == 3);
    // Memory of a run is kept for the next, but not beyond its threads.
    {
      backwards third(2);
      s.set_executor(&third);
      (void)s.run(y, x());
      CHECK(third.shared == 1);
      s.set_executor(nullptr);
    }
    (void)s.run(y, x());
    backwards alone(1);
    s.set_executor(&alone);
    (void)s.run(y, x());
    CHECK(alone.shared == 0);
  }

  TEST_CASE("small steps stay on one thread, as an executor's least_work says") {
    const fed<"x", float, 3001> small;
    const fed<"y", float, 1000000> large;
    class counting final : public etch::executor {
     public:
      int workers() const noexcept override { return 2; }
      void run(int tasks, task_function f, void* work) noexcept override {
        for (int t = 0; t < tasks; ++t) f(work, t, 0);
        ++calls;
      }
      int calls = 0;
    } threads;
    etch::session s(etch::exp(small.slot));
    etch::session t(etch::exp(large.slot));
    s.set_executor(&threads);
    t.set_executor(&threads);
    (void)s.run(etch::exp(small.slot), small());
    CHECK(threads.calls == 0);
    (void)t.run(etch::exp(large.slot), large());
    CHECK(threads.calls == 1);
  }

  TEST_CASE("other threads compute with the caller's kind of numbers") {
    static constexpr etch::placeholder<"x", float, 4096> x;
    constexpr auto y = x * 0.5_c;
    const xt::xtensor<float, 1> tiny = xt::ones<float>({4096}) * 2e-38f;  // a half of it is subnormal
    etch::session s(y);
    eager_pool pool(3);
    s.set_executor(&pool);
    for (const bool keeps : {false, true, false}) {
      s.keep_denormals(keeps);
      const auto got = s.run(y, x = tiny);
      int kept = 0;
      for (const float v : got) kept += v > 0 ? 1 : 0;
      CHECK(kept == (keeps ? 4096 : 0));
    }
  }

  TEST_CASE("several threads run one session on one pool") {
    const fed<"x", float, 20000> x;
    const auto y = etch::exp(x.slot) * 2_c;
    etch::session s(y);
    const auto expected = s.run(y, x());
    eager_pool pool(2);
    s.set_executor(&pool);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> callers;
    for (int c = 0; c < 3; ++c)
      callers.emplace_back([&] {
        for (int i = 0; i < 100; ++i) wrong += equal_bits(s.run(y, x()), expected) ? 0 : 1;
      });
    for (std::thread& t : callers) t.join();
    CHECK(wrong == 0);
  }

  TEST_CASE("an executor may lie where another one did, and have more workers") {
    const fed<"x", float, 200, 300> x;
    const fed<"y", float, 300, 200> y;
    const auto z = etch::matmul(x.slot * 2_c, y.slot);
    etch::session s(z);
    const auto expected = s.run(z, x(), y());
    for (const int workers : {2, 3, 7}) {
      backwards threads(workers);
      s.set_executor(&threads);
      CHECK(equal_bits(s.run(z, x(), y()), expected));
      s.set_executor(nullptr);
    }
  }

  TEST_CASE("traced runs say what a whole step takes") {
    const fed<"x", float, 3001> x;
    const auto y = etch::exp(x.slot);
    etch::session s(y);
    backwards threads(4);
    s.set_executor(&threads);
    etch::run_metadata metadata;
    etch::traced_run(s, metadata, y, x());
    CHECK(threads.shared == 1);
    CHECK(metadata.steps.size() == 1);
    CHECK(metadata.calls.size() == 1);
  }
}
