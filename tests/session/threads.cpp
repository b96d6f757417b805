// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <etch/debug.hpp>
#include <etch/default_session.hpp>
#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/print.hpp>

/// What docs/threads.md allows, done at the same time; under ThreadSanitizer a race is an error.
namespace {

using namespace etch::literals;

constexpr etch::placeholder<"x", float, 64> x;
constexpr auto a = etch::variable<"a">(etch::full(etch::shape<64>{}, 2_c));
constexpr auto b = etch::variable<"b">(etch::full(etch::shape<64>{}, 3_c));
constexpr auto reads = etch::sum(a * x + b);
constexpr auto counts_a = etch::assign_add(a, 1_c);
constexpr auto counts_b = etch::assign_add(b, 1_c);

/// What a program does in the middle of a run.
std::function<void()> during_a_run = [] {};
inline constexpr struct calls_back : etch::opaque<struct calls_back, 1> {
  static constexpr const char* name = "calls_back";
  static constexpr bool differentiable = false;
  static constexpr etch::tensor_type infer(etch::inference&, const etch::tensor_type* in, int, const etch::words&) { return in[0]; }
  template <class T>
  static void run(etch::strided<T> y, etch::strided<const T> from, const std::int64_t*) {
    for (std::int64_t i = 0; i < y.size(); ++i) y[i] = from[i];
    during_a_run();
  }
} calls_back;

/// Calls each function often, all at the same time.
void together(const std::vector<std::function<void()>>& calls) {
  std::atomic<int> ready = 0;
  std::vector<std::thread> threads;
  for (const auto& call : calls)
    threads.emplace_back([&] {
      ++ready;
      while (ready < static_cast<int>(calls.size())) std::this_thread::yield();
      for (int i = 0; i < 200; ++i) call();
    });
  for (std::thread& t : threads) t.join();
}

}  // namespace

TEST_SUITE("threads") {
  TEST_CASE("THR-01: runs, steps, bind, get and lists that only read go together") {
    etch::session s(reads);
    s.initialize();
    const xt::xtensor<float, 1> ones = xt::ones<float>({64});
    const float expected = 64 * 5;
    std::atomic<int> wrong = 0;
    auto first = s.bind(reads, x = ones);
    auto second = s.bind(reads, x = ones);
    const xt::xtensor<float, 1> twos = 2 * ones;
    etch::step<float(const float*)> third = s.bind(reads, x = ones), fourth = s.bind(reads, x = ones);
    together({[&] { wrong += s.run(reads, x = ones) == expected ? 0 : 1; },
              [&] { wrong += s.run(reads, x = ones) == expected ? 0 : 1; }, [&] { wrong += first() == expected ? 0 : 1; },
              [&] { wrong += second() == expected ? 0 : 1; },
              [&] {
                auto bound = s.bind(reads, x = ones);
                wrong += bound() == expected ? 0 : 1;
              },
              [&] { wrong += third(ones.data()) == expected && third(twos.data()) == expected + 2 * 64 ? 0 : 1; },
              [&] { wrong += fourth(twos.data()) == expected + 2 * 64 && fourth(ones.data()) == expected ? 0 : 1; },
              [&] { wrong += s.get(a)(0) == 2 ? 0 : 1; }, [&] { wrong += s.variables().size() == 2 ? 0 : 1; },
              [&] { wrong += s.random_state().seed == 0 ? 0 : 1; }});
    CHECK(wrong == 0);
  }

  TEST_CASE("THR-02: runs that assign go together with what neither reads nor assigns the same variables") {
    etch::session s(counts_a, counts_b);
    s.initialize();
    std::atomic<int> wrong = 0;
    together({[&] { s.run(counts_a); },
              [&, last = 3.f]() mutable {
                const float now = s.run(counts_b)(0);
                wrong += now == last + 1 ? 0 : 1;
                last = now;
              }});
    CHECK(wrong == 0);
    CHECK(s.get(a)(63) == 202);
    CHECK(s.get(b)(63) == 203);
  }

  TEST_CASE("THR-05: steps are bound while runs and steps assign, for the first time, what they read") {
    const xt::xtensor<float, 1> ones = xt::ones<float>({64});
    std::atomic<int> wrong = 0;
    for (int round = 0; round < 20; ++round) {
      etch::session s(counts_a, counts_b, reads);
      s.initialize();
      auto step = s.bind(counts_b);
      together({[&] { s.run(counts_a); }, [&] { step(); }, [&] { s.bind(reads, x = ones); }, [&] { s.bind(counts_a); },
                [&] { wrong += s.variables()[0].is_initialised() ? 0 : 1; }});
      CHECK(s.get(b)(0) == 203);
    }
    CHECK(wrong == 0);
    etch::session s(reads, etch::assign(a, x), counts_b);
    std::atomic<bool> assigned = false;
    std::thread assigns([&] {
      s.run(etch::assign(a, x), x = ones);
      assigned = true;
    });
    // A variable without a value is refused until the run has given it one.
    while (!assigned) {
      try {
        s.bind(etch::sum(a));
      } catch (const etch::error&) {
      }
    }
    assigns.join();
    CHECK_NOTHROW(s.bind(etch::sum(a)));
  }

  TEST_CASE("THR-03: what changes variables by other means throws while a run is going on, and changes nothing") {
    constexpr auto called = calls_back(a);
    etch::session s(called);
    s.initialize(7);
    std::string messages;
    const auto note = [&](auto&& call) {
      try {
        call();
      } catch (const etch::error& e) {
        messages += std::string(e.what()) + "; ";
      }
    };
    during_a_run = [&] {
      note([&] { s.set(a, xt::xtensor<float, 1>(xt::zeros<float>({64}))); });
      note([&] { s.initialize(); });
      note([&] { s.set_random_state({1, 2}); });
      note([&] { s.set_executor(nullptr); });
      note([&] { s.close(); });
    };
    CHECK(s.run(called)(0) == 2);
    during_a_run = [] {};
    const auto refused = [](const char* call) {
      return std::string("session: ") + call + " is called while a run is going on; runs must have ended; ";
    };
    CHECK(messages ==
          refused("set") + refused("initialize") + refused("set_random_state") + refused("set_executor") + refused("close"));
    CHECK(s.get(a)(63) == 2);
    CHECK(s.random_state().seed == 7);
    s.set(a, xt::xtensor<float, 1>(xt::ones<float>({64})));
    CHECK(s.run(called)(0) == 1);
  }

  TEST_CASE("THR-04: sessions share nothing, and eager tensors do not change") {
    const etch::tensor<float, 1> shared = {1, 2, 3};
    std::atomic<int> wrong = 0;
    const auto own_session = [&] {
      etch::session s(counts_a);
      s.initialize();
      wrong += s.run(counts_a)(5) == 3 ? 0 : 1;
    };
    const auto own_tensors = [&] {
      const auto copy = shared;
      wrong += (etch::sum(copy * 2_c).item() == 12) ? 0 : 1;
    };
    together({own_session, own_session, own_tensors, own_tensors});
    CHECK(wrong == 0);
  }

  TEST_CASE("THR-06: default sessions are the threads' own, also of one session, whose runs they make") {
    etch::session shared(reads), apart(reads);
    shared.initialize();
    apart.initialize();
    apart.set(b, xt::xtensor<float, 1>(xt::zeros<float>({64})));
    const xt::xtensor<float, 1> ones = xt::ones<float>({64});
    std::atomic<int> wrong = 0;
    const auto evaluate = [&] {
      const etch::default_session outer(shared);
      {
        const etch::default_session inner(apart);
        wrong += etch::eval(reads, x = ones) == 64 * 2 ? 0 : 1;
      }
      wrong += etch::eval(reads, x = ones) == 64 * 5 ? 0 : 1;
    };
    together({evaluate, evaluate, evaluate});
    CHECK(wrong == 0);
  }

  TEST_CASE("THR-07: plans and texts are constants") {
    std::atomic<int> wrong = 0;
    const std::string text = etch::to_text(reads), plan = etch::to_text(etch::plan_of(reads, x));
    const auto write = [&] { wrong += etch::to_text(reads) == text && etch::to_text(etch::plan_of(reads, x)) == plan ? 0 : 1; };
    together({write, write});
    CHECK(wrong == 0);
  }

  TEST_CASE("THR-08: runs under a probe are runs, each with a probe of its own") {
    etch::session s(reads);
    s.initialize();
    const xt::xtensor<float, 1> ones = xt::ones<float>({64});
    std::atomic<int> wrong = 0;
    const auto probe = [&] {
      int nodes = 0;
      const float value = etch::debug_run(s, [&](const etch::probed_node&) { ++nodes; }, reads, x = ones);
      wrong += value == 64 * 5 && nodes == 6 ? 0 : 1;
    };
    together({probe, probe, [&] { wrong += s.run(reads, x = ones) == 64 * 5 ? 0 : 1; }});
    CHECK(wrong == 0);
  }
}
