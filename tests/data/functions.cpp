// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <functional>
#include <tuple>
#include <vector>

#include <etch/data.hpp>
#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/function.hpp>
#include <etch/thread_pool.hpp>

/// Maps by functions of expressions: a plan that is made once, and run for each element or each batch.
namespace {

using namespace etch;
using namespace etch::literals;

int traces = 0;  ///< calls of the body, which only traces make
constexpr auto calls = variable<"calls">(zeros(shape<>{}));
/// The sum of the squares along the last axis, where each run counts.
constexpr auto counted_norms = [](auto x) {
  ++traces;
  return after(sum(x * x, axis<-1>), assign_add(calls, 1_c));
};
constexpr auto norms = [](auto x) { return sum(x * x, axis<-1>); };

/// Row i is i, i + 1, i + 2.
const xt::xtensor<float, 2>& rows() {
  static const xt::xtensor<float, 2> all = [] {
    xt::xtensor<float, 2> x = xt::zeros<float>({50, 3});
    for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i / 3 + i % 3);
    return x;
  }();
  return all;
}
/// Of row i: 3 i^2 + 6 i + 5.
float norm(std::size_t i) { return static_cast<float>(3 * i * i + 6 * i + 5); }

template <class Dataset>
void check_elements(Dataset d) {
  for (int round = 0; round < 2; ++round) {
    std::size_t i = 0;
    for (const float v : d) CHECK(v == norm(i++));
    CHECK(i == 50);
  }
}
template <class Dataset>
void check_batches(Dataset d) {
  for (int round = 0; round < 2; ++round) {
    std::size_t i = 0;
    for (const auto& batch : d)
      for (const float v : batch) CHECK(v == norm(i++));
    CHECK(i == 50);
  }
}
template <class Function>
float runs_of(const Function& f) {
  return f.variables().at("calls").template get<float>()[0];
}

}  // namespace

TEST_CASE("DATA-04: a map by a traced function runs one plan for each element") {
  traces = 0;
  function f(counted_norms);
  check_elements(data::slices(rows()).map(std::ref(f)));
  CHECK(f.trace_count() == 1);
  CHECK(traces == 1);
  CHECK(runs_of(f) == 100);
}
TEST_CASE("DATA-04: a map by a traced function runs one plan for each batch, of whatever size") {
  traces = 0;
  function f(counted_norms);
  check_batches(data::slices(rows()).batch(8).map(std::ref(f)));
  CHECK(f.trace_count() == 1);
  CHECK(traces == 1);
  CHECK(runs_of(f) == 14);  // of 8 rows six times, and of 2
}
TEST_CASE("DATA-04: a traced function of numbers, and of several components with several results") {
  function f([](auto x) { return x * x + 1_c; });
  std::int64_t i = 0;
  for (const std::int64_t v : data::range(20).map(std::ref(f))) {
    CHECK(v == i * i + 1);
    ++i;
  }
  CHECK(i == 20);
  CHECK(f.trace_count() == 1);

  std::vector<std::int32_t> labels(50);
  for (std::size_t k = 0; k < 50; ++k) labels[k] = static_cast<std::int32_t>(k % 4);
  function both([](auto x, auto label) { return std::tuple(sum(x * x, axis<-1>), label + 1_c); });
  std::size_t n = 0;
  for (auto [of_rows, of_labels] : data::slices(rows(), labels).batch(16).map(std::ref(both)))
    for (std::size_t k = 0; k < of_rows.size(); ++k, ++n) {
      CHECK(of_rows(k) == norm(n));
      CHECK(of_labels(k) == static_cast<std::int32_t>(n % 4) + 1);
    }
  CHECK(n == 50);
  CHECK(both.trace_count() == 1);
}
TEST_CASE("DATA-04: a map refers to a traced function by its name, and keeps one that is handed over") {
  function f(counted_norms);
  check_elements(data::slices(rows()).map(f));
  check_batches(data::slices(rows()).batch(8).map(f));
  CHECK(runs_of(f) == 114);
  const auto kept = data::slices(rows()).map(function(norms));
  check_elements(kept);
  check_elements(kept.take(50));
  thread_pool pool(3);
  function g(norms);
  check_elements(data::slices(rows()).map(g, pool));
  check_elements(data::slices(rows()).map(function(norms), pool).prefetch(2));
  function is_even([](auto v) { return v % 2_c == 0_c; });
  CHECK(data::range(10).filter([&](std::int64_t v) { return static_cast<bool>(is_even(v)); }).reduce(0, [](int n, std::int64_t) {
    return n + 1;
  }) == 5);
}
TEST_CASE("DATA-13: threads of a pool call one traced function, and what comes has the source's order") {
  for (const int workers : {1, 3}) {
    thread_pool pool(workers);
    function f(norms);
    check_elements(data::slices(rows()).map(std::ref(f), pool));
    check_batches(data::slices(rows()).batch(4).map(std::ref(f), pool));
    check_batches(data::slices(rows()).batch(4).map(std::ref(f), pool).prefetch(2));
    check_elements(data::slices(rows()).map([&f](const auto& x) { return f(x); }, pool));
    CHECK(f.trace_count() == 2);  // of one row, and of several
  }
}
