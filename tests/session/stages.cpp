// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <sstream>
#include <tuple>

#include <etch/control.hpp>
#include <etch/print.hpp>
#include <etch/trace.hpp>

#include "executors.hpp"

/// Steps that need nothing of each other run at the same time where threads share them in no other way; results are those of one thread, to
/// the last bit.
namespace {

using namespace etch::literals;
using namespace executors;

/// Tasks in whatever order, none of them on a thread of its own; slices are never worth it, stages are.
class scattered final : public etch::executor {
 public:
  scattered(int workers, std::int64_t least, unsigned seed = 1) : workers_(workers), least_(least), order_(seed) {}
  int workers() const noexcept override { return workers_; }
  std::int64_t least_work() const noexcept override { return least_; }
  void run(int tasks, task_function f, void* work) noexcept override {
    std::vector<int> left;
    for (int t = 0; t < tasks; ++t) left.push_back(t);
    std::shuffle(left.begin(), left.end(), order_);
    for (const int t : left) f(work, t, t % workers_);
    stages += tasks > 1 ? 1 : 0;
    most = std::max(most, tasks);
  }
  int stages = 0, most = 0;

 private:
  int workers_;
  std::int64_t least_;
  std::mt19937 order_;
};

/// The body of a loop over rows, the name of whose weights tells two of them apart.
template <class W>
constexpr auto recurrence(W w) {
  return [w](auto h, auto x) { return etch::tanh(etch::matmul(h, w) + x); };
}

constexpr unsigned mixed(unsigned seed) {
  for (const unsigned by : {0x7feb352du, 0x846ca68bu, 0x9e3779b9u}) seed = (seed ^ seed >> 15) * by;
  return seed ^ seed >> 16;
}
constexpr etch::placeholder<"indices", std::int32_t, 24> indices;
constexpr auto weights = etch::variable<"weights">(etch::zeros<float>(etch::shape<24, 24>{}));
constexpr auto moments = etch::variable<"moments">(etch::ones<float>(etch::shape<24, 24>{}));

/// Expressions are empty: their types are enough, and lists of types are what the compiler makes fastest.
template <class... E>
struct expressions {
  static constexpr int size = sizeof...(E);
};
template <int I, class... E>
constexpr auto expression_at(expressions<E...>) {
  return etch::detail::type_at<I, E...>{};
}

/// Appends to matrices one that is made of two of the last six.
template <unsigned Seed, class... E>
constexpr auto with_one_more(expressions<E...> all) {
  constexpr int count = sizeof...(E), first = count > 6 ? count - 6 : 0;
  constexpr unsigned draw = mixed(Seed * 64 + count);
  const auto a = expression_at<first + static_cast<int>(draw / 16 % (count - first))>(all);
  const auto b = expression_at<first + static_cast<int>(draw / 256 % (count - first))>(all);
  const auto made = [&] {
    if constexpr (draw % 12 == 0) return etch::tanh(a) + b * 0.5_c;
    if constexpr (draw % 12 == 1) return etch::matmul(a, etch::tanh(b)) * 0.1_c;
    if constexpr (draw % 12 == 2) return etch::softmax(a, etch::axis<1>) - b;
    if constexpr (draw % 12 == 3) return etch::gather(a, indices);
    if constexpr (draw % 12 == 4) return etch::tanh(etch::cumsum(a, etch::axis<0>));
    if constexpr (draw % 12 == 5) return etch::transpose(a) * b;
    if constexpr (draw % 12 == 6) return etch::sum(a, etch::axis<0>) * 0.1_c + b;
    if constexpr (draw % 12 == 7) return etch::sort(a, etch::axis<0>);
    if constexpr (draw % 12 == 8) return etch::tanh(etch::sum(a)) - etch::flip(b);
    if constexpr (draw % 12 == 9) return a + etch::random_normal<"noise">(etch::shape<24, 24>{});
    if constexpr (draw % 12 == 10) return etch::for_range<3>([b](auto, auto s) { return etch::tanh(s + b); }, a);
    if constexpr (draw % 12 == 11) return etch::cond(etch::sum(b) > 0_c, [a] { return a * 2_c; }, [a] { return etch::tanh(a); });
  }();
  return expressions<E..., std::remove_const_t<decltype(made)>>{};
}
template <unsigned Seed, int Count, class All>
constexpr auto with_more(All all) {
  if constexpr (Count == 0)
    return all;
  else
    return with_more<Seed, Count - 1>(with_one_more<Seed>(all));
}

template <unsigned Seed>
void check_random_plan() {
  CAPTURE(Seed);
  const fed<"x", float, 24, 24> x;
  xt::xtensor<float, 2> xs = xt::zeros<float>({24, 24});
  fill(xs.data(), 576, Seed);
  for (float& v : xs) v = v < 2 ? v : 0;
  xt::xtensor<std::int32_t, 1> at = xt::zeros<std::int32_t>({24});
  for (std::size_t i = 0; i < 24; ++i) at(i) = static_cast<std::int32_t>(i * 7 % 24);
  const auto all =
      with_more<Seed, 26>(expressions<decltype(etch::tanh(x.slot)), decltype(weights + x.slot), decltype(moments * 0.5_c)>{});
  const auto y = expression_at<28>(all);
  const auto z = expression_at<27>(all) + expression_at<26>(all) + expression_at<25>(all) + expression_at<3>(all) * x.slot;
  const auto change = etch::assign_add(weights, expression_at<20>(all) * 0.01_c);
  const auto next = etch::assign(moments, etch::tanh(expression_at<24>(all)));
  etch::session alone(y, z, change, next);
  const int runs = 3;
  const auto run = [&](auto& s, int r) { return s.run(y, z, change, next, x.slot = xs * static_cast<float>(r), indices = at); };
  int stages = 0;
  for (const std::int64_t least : {1, 200, 1000, 3000, 10000, 40000})
    for (const int workers : {2, 7}) {
      CAPTURE(least);
      etch::session shared(y, z, change, next);
      scattered threads(workers, least, Seed);
      shared.set_executor(&threads);
      alone.initialize(Seed);
      shared.initialize(Seed);
      for (int r = 1; r <= runs; ++r) {
        const auto expected = run(alone, r), got = run(shared, r);
        CHECK(equal_bits(std::get<0>(expected), std::get<0>(got)));
        CHECK(equal_bits(std::get<1>(expected), std::get<1>(got)));
        CHECK(equal_bits(alone.get(weights), shared.get(weights)));
        CHECK(equal_bits(alone.get(moments), shared.get(moments)));
      }
      stages += threads.stages;
    }
  CHECK(stages > 0);
}

}  // namespace

TEST_SUITE("stages") {
  TEST_CASE("random plans") {
    check_random_plan<1>();
    check_random_plan<2>();
    check_random_plan<3>();
    check_random_plan<4>();
  }

  /// For seeds that decide in which order tasks run, and for workloads between those of which all steps are worth a task, and none.
  const auto check_all_orders = [](auto& alone, auto& shared, const auto& run) {
    int stages = 0;
    for (unsigned seed = 1; seed <= 8; ++seed)
      for (const std::int64_t least : {100, 300, 1000, 2000}) {
        scattered threads(3, least, seed);
        shared.set_executor(&threads);
        alone.initialize(1);
        shared.initialize(1);
        for (int r = 0; r < 3; ++r) run(alone, shared);
        stages += threads.stages;
      }
    CHECK(stages > 0);
  };

  TEST_CASE("what reads an array is over before another step writes into its place") {
    const fed<"x", float, 8, 24> x;
    constexpr auto sorted = etch::sort(x.slot, etch::axis<1>);
    constexpr auto sums = etch::cumsum(sorted, etch::axis<0>);
    constexpr auto in_place = etch::tanh(sorted) * 3_c;
    constexpr auto y = etch::sort(in_place, etch::axis<0>);
    const std::string steps = etch::to_text(etch::plan_of(sums, y));
    INFO(steps);
    CHECK(steps.find("in place of") != std::string::npos);
    etch::session alone(sums, y), shared(sums, y);
    check_all_orders(alone, shared, [&](auto& a, auto& b) {
      const auto expected = a.run(sums, y, x()), got = b.run(sums, y, x());
      CHECK(equal_bits(std::get<0>(expected), std::get<0>(got)));
      CHECK(equal_bits(std::get<1>(expected), std::get<1>(got)));
    });
  }

  TEST_CASE("what reads a variable is over before it is assigned") {
    const fed<"x", float, 24, 24> x;
    xt::xtensor<std::int32_t, 1> at = xt::zeros<std::int32_t>({24});
    for (std::size_t i = 0; i < 24; ++i) at(i) = static_cast<std::int32_t>(i * 5 % 24);
    constexpr auto before = etch::cumsum(etch::gather(weights, indices), etch::axis<0>);
    constexpr auto sorted = etch::sort(weights, etch::axis<0>);
    constexpr auto change = etch::assign(weights, etch::tanh(x.slot) * 3_c);
    etch::session alone(before, sorted, change), shared(before, sorted, change);
    check_all_orders(alone, shared, [&](auto& a, auto& b) {
      const auto expected = a.run(before, sorted, change, x(), indices = at),
                 got = b.run(before, sorted, change, x(), indices = at);
      CHECK(equal_bits(std::get<0>(expected), std::get<0>(got)));
      CHECK(equal_bits(std::get<1>(expected), std::get<1>(got)));
      CHECK(equal_bits(a.get(weights), b.get(weights)));
    });
  }

  TEST_CASE("GRA-24: two loops that need nothing of each other") {
    const fed<"x", float, 3000, 1, 16> x;
    const fed<"start", float, 1, 16> start;
    static constexpr etch::placeholder<"u", float, 16, 16> u;
    static constexpr etch::placeholder<"v", float, 16, 16> v;
    const xt::xtensor<float, 2> us = xt::ones<float>({16, 16}) * 0.03f, vs = xt::ones<float>({16, 16}) * -0.02f;
    const auto y = etch::scan(recurrence(u), start.slot, x.slot) * etch::scan(recurrence(v), start.slot, etch::flip(x.slot));
    etch::session s(y);
    const auto expected = s.run(y, x(), start(), u = us, v = vs);
    // Nothing in a loop is worth a task.
    scattered threads(2, 100000);
    s.set_executor(&threads);
    CHECK(equal_bits(s.run(y, x(), start(), u = us, v = vs), expected));
    CHECK(threads.stages == 1);
    CHECK(threads.most == 2);
    etch::thread_pool pool(2);
    s.set_executor(&pool);
    auto bound = s.bind(y, x(), start(), u = us, v = vs);
    int wrong = 0;
    // Without optimisation a run takes 25 ms.
#ifdef __OPTIMIZE__
    constexpr int runs = 2000;
#else
    constexpr int runs = 100;
#endif
    for (int i = 0; i < runs; ++i) wrong += equal_bits(bound(), expected) ? 0 : 1;
    CHECK(wrong == 0);
  }

  TEST_CASE("counts of named extents decide for each of them anew") {
    static constexpr etch::placeholder<"rows", float, etch::any<"n">, 8> rows;
    constexpr auto one = etch::cumsum(etch::sort(rows, etch::axis<0>), etch::axis<0>);
    constexpr auto two = etch::sort(etch::flip(rows) * 2_c, etch::axis<0>);
    constexpr auto y = one + two;
    etch::session alone(y), shared(y);
    scattered threads(2, 3000);
    shared.set_executor(&threads);
    int stages_of_few = 0;
    for (const std::size_t n : {1u, 300u, 2u, 0u, 300u, 5u}) {
      xt::xtensor<float, 2> values = xt::zeros<float>({n, std::size_t{8}});
      fill(values.data(), values.size(), static_cast<unsigned>(n));
      const int before = threads.stages;
      CHECK(equal_bits(alone.run(y, rows = values), shared.run(y, rows = values)));
      CHECK((threads.stages > before) == (n == 300));
      stages_of_few += n < 10 ? threads.stages - before : 0;
    }
    CHECK(stages_of_few == 0);
  }

  TEST_CASE("what the host does comes in its order, between stages") {
    const fed<"x", float, 24, 24> x;
    constexpr auto first = etch::print<"first {}">(etch::cumsum(etch::sort(x.slot, etch::axis<0>), etch::axis<0>));
    constexpr auto second = etch::print<"second {}">(etch::cumsum(etch::sort(x.slot * first, etch::axis<1>), etch::axis<1>));
    constexpr auto y = etch::sort(first, etch::axis<1>) + etch::sort(second, etch::axis<0>) + etch::cumsum(second, etch::axis<0>);
    etch::session alone(y), shared(y);
    const auto printed = [&](auto& s) {
      std::ostringstream lines;
      std::ostream* const before = etch::print_to(&lines);
      const auto value = s.run(y, x());
      etch::print_to(before);
      return std::pair(lines.str(), value);
    };
    const auto expected = printed(alone);
    CHECK(expected.first.find("first") < expected.first.find("second"));
    int stages = 0;
    for (unsigned seed = 1; seed <= 8; ++seed) {
      scattered threads(2, 1000, seed);
      shared.set_executor(&threads);
      const auto got = printed(shared);
      CHECK(got.first == expected.first);
      CHECK(equal_bits(got.second, expected.second));
      stages += threads.stages;
    }
    CHECK(stages > 0);
  }

  TEST_CASE("traced runs say which thread has run a step") {
    const fed<"x", float, 3000, 1, 16> x;
    const fed<"start", float, 1, 16> start;
    static constexpr etch::placeholder<"u", float, 16, 16> u;
    static constexpr etch::placeholder<"v", float, 16, 16> v;
    const xt::xtensor<float, 2> us = xt::ones<float>({16, 16}) * 0.03f, vs = xt::ones<float>({16, 16}) * -0.02f;
    const auto y = etch::scan(recurrence(u), start.slot, x.slot);
    const auto z = etch::scan(recurrence(v), start.slot, x.slot);
    etch::session s(y, z);
    const auto expected = s.run(y, z, x(), start(), u = us, v = vs);
    etch::thread_pool pool(2);
    s.set_executor(&pool);
    int on_another_thread = 0;
    for (int r = 0; r < 100; ++r) {
      etch::run_metadata metadata;
      const auto got = etch::traced_run(s, metadata, y, z, x(), start(), u = us, v = vs);
      CHECK(equal_bits(std::get<0>(expected), std::get<0>(got)));
      CHECK(equal_bits(std::get<1>(expected), std::get<1>(got)));
      for (const etch::step_call& c : metadata.calls) {
        CHECK((c.thread == 0 || c.thread == 1));
        on_another_thread += c.thread;
      }
    }
    CHECK(on_another_thread > 0);
  }
}
