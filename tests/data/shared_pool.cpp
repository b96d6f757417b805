// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

#include <etch/data.hpp>
#include <etch/etch.hpp>
#include <etch/thread_pool.hpp>

namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float, any<"batch">, 256> x;
constexpr placeholder<"y", float, any<"batch">, 1> y;
constexpr auto hidden = dropout<"drop">(etch::tanh(nn::dense<"hidden", 64>(x)), 0.1_c);
constexpr auto loss = nn::mean_squared_error(nn::dense<"out", 1>(hidden), y);
constexpr auto train = optimizers::sgd(0.01_c).minimize(loss);

/// A pool that counts who shares with it, the thread that made it or another, and whose tasks may be as small as it is told.
class counting_pool final : public executor {
 public:
  counting_pool(int workers, std::int64_t least_work) : pool_(workers), least_work_(least_work) {}
  int workers() const noexcept override { return pool_.workers(); }
  std::int64_t least_work() const noexcept override { return least_work_; }
  void run(int tasks, task_function f, void* work) noexcept override {
    if (tasks > 1) ++(std::this_thread::get_id() == maker_ ? by_maker : by_others);
    pool_.run(tasks, f, work);
  }
  std::atomic<int> by_maker = 0, by_others = 0;

 private:
  thread_pool pool_;
  const std::thread::id maker_ = std::this_thread::get_id();
  std::int64_t least_work_;
};

const auto features = [](std::int64_t i) {
  xt::xtensor<float, 1> v = xt::zeros<float>({256});
  for (std::size_t k = 0; k < 256; ++k) v(k) = static_cast<float>((static_cast<std::size_t>(i) * 31 + k * 17) % 101) / 101 - 0.5f;
  const xt::xtensor<float, 1> sum = v(3) + xt::ones<float>({1}) * v(50) * v(7);
  return std::tuple(v, sum);
};

/// Two rounds over batches: the losses, then the variables.
template <class Batches>
std::vector<float> trained(Batches batches, executor* threads) {
  session s(loss, train);
  s.set_executor(threads);
  s.initialize(5);
  std::vector<float> values;
  for (int round = 0; round < 2; ++round)
    for (auto [a, b] : batches) values.push_back(s.run(loss, train, x = a, y = b));
  for (const auto v : s.variables())
    for (const float number : v.template get<float>()) values.push_back(number);
  return values;
}

}  // namespace

TEST_CASE("DATA-13: a session and the parallel map of its data share a pool, and give what they give without") {
  const auto indices = data::range(640).shuffle(640, 3);
  const auto expected = trained(indices.map(features).batch(32), nullptr);
  REQUIRE(expected.size() == 40 + 256 * 64 + 64 + 64 + 1);
  for (const int workers : {2, 4}) {
    CAPTURE(workers);
    thread_pool pool(workers);
    CHECK(trained(indices.map(features, pool).batch(32).prefetch(2), &pool) == expected);
    CHECK(trained(indices.map(features, pool).prefetch(40).batch(32), &pool) == expected);
    // Each shared some of its work.
    for (const std::int64_t least_work : {std::int64_t{1}, pool.least_work()}) {
      counting_pool counting(workers, least_work);
      CHECK(trained(indices.map(features, counting).batch(32).prefetch(2), &counting) == expected);
      CHECK(counting.by_maker >= 40);
      CHECK(counting.by_others >= 2 * 640 / (16 * workers));
    }
  }
}
