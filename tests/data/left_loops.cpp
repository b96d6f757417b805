// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <thread>

#include <etch/data.hpp>
#include <etch/thread_pool.hpp>

/// A loop that is left early: with its dataset its threads go, and nothing is made afterwards.
namespace {

using namespace etch;
using namespace std::chrono_literals;

std::ptrdiff_t threads() {
  // A sanitizer has a thread of its own, from the first thread on that is made.
  static const bool is_first = [] {
    std::thread([] {}).join();
    return true;
  }();
  static_cast<void>(is_first);
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}
/// The kernel takes a thread that has been joined from its list a moment later.
bool threads_become(std::ptrdiff_t count) {
  for (int i = 0; i < 2000 && threads() != count; ++i) std::this_thread::sleep_for(1ms);
  return threads() == count;
}

/// What a map does: how many elements it has made, and how many it is making.
struct work {
  std::atomic<int> made = 0, going_on = 0;
  auto function() {
    return [this](std::int64_t v) {
      ++going_on;
      std::this_thread::sleep_for(200us);
      ++made;
      --going_on;
      return v;
    };
  }
};
constexpr auto all_of_them = [](std::int64_t) { return true; };

/// make(f): a dataset of range(10'000) by f, at most `ahead` elements in front of a loop. It is left by `leave` behind three elements.
template <class Make, class Leave>
void check_left(Make make, int ahead, Leave leave) {
  const std::ptrdiff_t before = threads();
  work w;
  {
    auto d = make(w.function());
    int seen = 0;
    const auto loop = [&] {
      for (const std::int64_t v : d) {
        CHECK(v == seen);
        if (++seen == 3 && leave()) break;
      }
    };
    try {
      loop();
    } catch (const std::runtime_error&) {
    }
    CHECK(seen == 3);
  }
  CHECK(w.going_on == 0);
  const int made = w.made;
  CHECK(made >= 3);
  CHECK(made <= 3 + ahead);
  CHECK(threads_become(before));
  std::this_thread::sleep_for(10ms);
  CHECK(w.made == made);
}
template <class Make>
void check(Make make, int ahead) {
  check_left(make, ahead, [] { return true; });
  check_left(make, ahead, []() -> bool { throw std::runtime_error("from the loop"); });
  // When what is made ahead is there.
  check_left(make, ahead, [] {
    std::this_thread::sleep_for(30ms);
    return true;
  });
}

}  // namespace

TEST_CASE("DATA-07: a loop that is left has the thread of its prefetch joined when the dataset goes") {
  check([](auto f) { return data::range(10'000).map(f).prefetch(); }, 1);
  check([](auto f) { return data::range(10'000).map(f).prefetch(8); }, 8);
  check([](auto f) { return data::range(10'000).filter(all_of_them).map(f).prefetch(4).prefetch(4); }, 8);
}
TEST_CASE("DATA-13: a loop over a parallel map that is left leaves the pool without work") {
  thread_pool pool(3);
  const int ahead = 16 * pool.workers() - 3;
  check([&](auto f) { return data::range(10'000).map(f, pool); }, ahead);
  check([&](auto f) { return data::range(10'000).filter(all_of_them).map(f, pool); }, ahead);
  check([&](auto f) { return data::range(10'000).map(f, pool).prefetch(4); }, ahead);
  check([&](auto f) { return data::range(10'000).filter(all_of_them).map(f, pool).prefetch(4); }, ahead);
  // The pool works on.
  std::int64_t total = 0;
  for (const std::int64_t v : data::range(100).map([](std::int64_t v) { return v; }, pool)) total += v;
  CHECK(total == 4950);
}
TEST_CASE("DATA-07: a loop that begins anew has one thread, however often one was left") {
  const std::ptrdiff_t before = threads();
  work w;
  {
    auto d = data::range(10'000).map(w.function()).prefetch(2);
    for (int turn = 0; turn < 5; ++turn) {
      std::int64_t seen = 0;
      for (const std::int64_t v : d) {
        CHECK(v == seen);
        if (++seen == 3) break;
      }
      CHECK(threads_become(before + 1));
    }
    // A copy has a thread of its own, when it has a loop.
    auto copy = d;
    CHECK(threads() == before + 1);
    for (const std::int64_t v : copy) {
      CHECK(v == 0);
      break;
    }
    CHECK(threads() == before + 2);
  }
  CHECK(threads_become(before));
}
