// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include <etch/etch.hpp>
#include <etch/thread_pool.hpp>

/// Executors that share also the smallest steps, values to feed, and the comparison of two results to the last bit.
namespace executors {

/// Runs tasks one after the other, the last first, as workers in turn; counts them. Each may be as small as it likes.
class backwards final : public etch::executor {
 public:
  explicit backwards(int workers) : workers_(workers) {}
  int workers() const noexcept override { return workers_; }
  std::int64_t least_work() const noexcept override { return 1; }
  void run(int tasks, task_function f, void* work) noexcept override {
    for (int t = tasks; t-- > 0;) f(work, t, (tasks - t) % workers_);
    shared += tasks > 1 ? 1 : 0;
    most_tasks = std::max(most_tasks, tasks);
  }
  int shared = 0;      ///< calls with more than one task
  int most_tasks = 0;  ///< of one call

 private:
  int workers_;
};

/// A pool whose tasks may be small.
class eager_pool final : public etch::executor {
 public:
  explicit eager_pool(int workers) : pool_(workers) {}
  int workers() const noexcept override { return pool_.workers(); }
  std::int64_t least_work() const noexcept override { return 1; }
  void run(int tasks, task_function f, void* work) noexcept override { pool_.run(tasks, f, work); }

 private:
  etch::thread_pool pool_;
};

template <class T>
void fill(T* to, std::size_t n, unsigned seed) {
  std::mt19937 g(seed);
  for (std::size_t i = 0; i < n; ++i) {
    const double u = std::uniform_real_distribution<double>(-2, 2)(g);
    to[i] = std::is_integral_v<T> ? static_cast<T>(static_cast<int>(100 * u)) : static_cast<T>(u);
  }
  if constexpr (std::is_floating_point_v<T>) {
    if (n > 40) {
      to[n / 3] = std::numeric_limits<T>::quiet_NaN();
      to[n / 2] = std::numeric_limits<T>::infinity();
      to[n - 1] = std::numeric_limits<T>::denorm_min();
    }
  }
}

template <class T>
bool equal_bits(const T& a, const T& b) {
  if constexpr (requires { a.data(); }) {
    return a.size() == b.size() &&
           (a.size() == 0 || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(*a.data())) == 0);
  } else {
    return std::memcmp(&a, &b, sizeof a) == 0;
  }
}

/// How many calls threads shared, at least, of those that `backwards` made of a session's run of e; -1 where a result differs from that
/// of one thread. Variables begin as `initialize(3)` makes them, each time.
template <class S, class E, class... B>
int shared_by(S& s, const E& e, const B&... feeds) {
  const auto run = [&](etch::executor* threads) {
    s.set_executor(threads);
    s.initialize(3);
    auto result = s.run(e, feeds...);
    s.set_executor(nullptr);
    return result;
  };
  const auto expected = run(nullptr);
  int calls = std::numeric_limits<int>::max();
  for (const int workers : {1, 2, 3, 7}) {
    backwards turned(workers);
    eager_pool pool(workers);
    for (etch::executor* threads : {static_cast<etch::executor*>(&turned), static_cast<etch::executor*>(&pool)})
      if (!equal_bits(expected, run(threads))) return -1;
    if (workers > 1) calls = std::min(calls, turned.shared);  // one thread runs steps uncut
  }
  return calls;
}
template <class E, class... B>
int shared(const E& e, const B&... feeds) {
  etch::session s(e);
  return shared_by(s, e, feeds...);
}

/// A placeholder and its values.
template <etch::fixed_string Name, class T, int... N>
struct fed {
  static constexpr etch::placeholder<Name, T, N...> slot{};
  xt::xtensor<T, sizeof...(N)> values = xt::zeros<T>({static_cast<std::size_t>(N)...});
  fed() { fill(values.data(), values.size(), static_cast<unsigned>(values.size())); }
  auto operator()() const { return slot = values; }
};

}  // namespace executors
