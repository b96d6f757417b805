// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>
#ifdef __linux__
#include <sched.h>
#endif

#include <etch/thread_pool.hpp>

/// What `executor` promises, of the pool.
namespace {

/// What the tasks of one run note.
struct ledger {
  explicit ledger(int tasks, int count)
      : done(static_cast<std::size_t>(tasks)), busy(static_cast<std::size_t>(count)), workers(count) {}
  std::vector<std::atomic<int>> done;  ///< how often each task was
  std::vector<std::atomic<int>> busy;  ///< tasks that go on, by worker
  int workers;
  std::atomic<int> wrong = 0;
};

void note(void* at, int task, int worker) {
  ledger& l = *static_cast<ledger*>(at);
  if (worker < 0 || worker >= l.workers) {
    ++l.wrong;
    return;
  }
  if (++l.busy[static_cast<std::size_t>(worker)] != 1) ++l.wrong;
  ++l.done[static_cast<std::size_t>(task)];
  --l.busy[static_cast<std::size_t>(worker)];
}

int faults(const ledger& l) {
  int wrong = l.wrong;
  for (const std::atomic<int>& d : l.done) wrong += d == 1 ? 0 : 1;
  return wrong;
}

std::string message_of(int workers) {
  try {
    const etch::thread_pool pool(workers);
  } catch (const etch::error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("thread_pool") {
  TEST_CASE("each task is done once, by workers that do one at a time") {
    for (const int workers : {1, 2, 3, 7}) {
      etch::thread_pool pool(workers);
      CHECK(pool.workers() == workers);
      int wrong = 0;
      for (int r = 0; r < 3000; ++r) {
        ledger l(r % 23, workers);
        pool.run(r % 23, &note, &l);
        wrong += faults(l);
      }
      CHECK(wrong == 0);
    }
  }

  TEST_CASE("threads that sleep wake up") {
    etch::thread_pool pool(3);
    for (int r = 0; r < 20; ++r) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      // None ends before another has begun, so that all three must come.
      struct meeting {
        std::atomic<int> here = 0;
      } m;
      pool.run(
          3,
          [](void* at, int, int) {
            auto& here = static_cast<meeting*>(at)->here;
            ++here;
            while (here < 3) std::this_thread::yield();
          },
          &m);
      CHECK(m.here == 3);
    }
  }

  TEST_CASE("each worker takes its part of the tasks first, from its begin on, and then those of others") {
    constexpr int workers = 3, tasks = 20;
    etch::thread_pool pool(workers);
    struct diary {
      std::vector<int> of[workers];
    };
    const auto part_of = [](int task) {
      int w = 0;
      while ((w + 1) * tasks / workers <= task) ++w;
      return w;
    };
    int wrong = 0;
    for (int r = 0; r < 500; ++r) {
      diary d;
      pool.run(
          tasks,
          [](void* at, int task, int worker) {
            static_cast<diary*>(at)->of[worker].push_back(task);
            const auto start = std::chrono::steady_clock::now();
            while (std::chrono::steady_clock::now() - start < std::chrono::microseconds(3)) {
            }
          },
          &d);
      for (int w = 0; w < workers; ++w)
        for (std::size_t i = 1; i < d.of[w].size(); ++i) {
          const int last = d.of[w][i - 1], next = d.of[w][i];
          const auto turn = [&](int task) { return (part_of(task) - w + workers) % workers; };
          if (turn(next) < turn(last) || (turn(next) == turn(last) && next < last)) ++wrong;
        }
    }
    CHECK(wrong == 0);
  }

  TEST_CASE("several threads may use one pool at the same time") {
    etch::thread_pool pool(2);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> callers;
    for (int c = 0; c < 3; ++c)
      callers.emplace_back([&] {
        for (int r = 0; r < 2000; ++r) {
          ledger l(5, 2);
          pool.run(5, &note, &l);
          wrong += faults(l);
        }
      });
    for (std::thread& t : callers) t.join();
    CHECK(wrong == 0);
  }

  TEST_CASE("what tasks write is seen by the caller, and what it has written by them") {
    etch::thread_pool pool(2);
    struct work {
      std::vector<int> in, out;
    } w{std::vector<int>(64), std::vector<int>(64)};
    int wrong = 0;
    for (int r = 0; r < 5000; ++r) {
      for (int& x : w.in) x = r;
      pool.run(
          64,
          [](void* at, int task, int) {
            auto& all = *static_cast<work*>(at);
            const auto i = static_cast<std::size_t>(task);
            all.out[i] = all.in[i] + 1;
          },
          &w);
      for (const int y : w.out) wrong += y == r + 1 ? 0 : 1;
    }
    CHECK(wrong == 0);
  }

  TEST_CASE("limits") {
    CHECK(message_of(0) == "thread_pool: it has 1 to 256 workers, not 0");
    CHECK(message_of(257) == "thread_pool: it has 1 to 256 workers, not 257");
    CHECK(message_of(256).empty());
    CHECK(etch::thread_pool().workers() >= 1);
    etch::thread_pool pool(2);
    pool.run(0, &note, nullptr);
  }

#ifdef __linux__
  TEST_CASE("a thread that has slept does not wait where its waker runs, and may run everywhere then") {
    cpu_set_t all;
    REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
    struct places {
      std::atomic<int> of_task[2] = {-1, -1}, begun = 0;
      cpu_set_t mask{};
    };
    etch::thread_pool pool(2);
    int together = 0, narrowed = 0;
    for (int r = 0; r < 10; ++r) {
      std::this_thread::sleep_for(std::chrono::milliseconds(40));
      places p;
      pool.run(
          2,
          [](void* at, int task, int worker) {
            places& noted = *static_cast<places*>(at);
            noted.of_task[task] = sched_getcpu();
            ++noted.begun;
            if (worker == 1) sched_getaffinity(0, sizeof noted.mask, &noted.mask);
            // Until both have begun: else one thread might do both.
            while (noted.begun < 2) std::this_thread::yield();
          },
          &p);
      together += p.of_task[0] == p.of_task[1] ? 1 : 0;
      narrowed += CPU_EQUAL(&p.mask, &all) ? 0 : 1;
    }
    CHECK(narrowed == 0);
    if (CPU_COUNT(&all) > 1) CHECK(together <= 2);
  }
#endif
}
