// SPDX-License-Identifier: MIT
#include <chrono>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <etch/data.hpp>
#include <etch/etch.hpp>
#include <etch/thread_pool.hpp>
#include <etch/timeline.hpp>
#include <etch/trace.hpp>

#include <data/positions.hpp>

namespace {

using namespace etch;
using namespace etch::literals;
using namespace std::chrono_literals;

std::vector<timeline_span> spans_named(const timeline& t, const std::string& name) {
  std::vector<timeline_span> some;
  for (const timeline_span& s : t.spans())
    if (s.name == name) some.push_back(s);
  return some;
}

/// In nanoseconds, for how long a span of one and a span of the other were at once.
std::int64_t overlap(const std::vector<timeline_span>& ones, const std::vector<timeline_span>& others) {
  std::int64_t sum = 0;
  for (const timeline_span& a : ones)
    for (const timeline_span& b : others)
      sum += std::max(std::int64_t{0}, std::min(a.start + a.duration, b.start + b.duration) - std::max(a.start, b.start));
  return sum;
}

/// Batches that take 3 ms each, and a step that takes 3 ms.
template <class Prepare>
void loop(timeline& t, const Prepare& prepare) {
  auto batches = data::range(48)
                     .map([](std::int64_t i) {
                       std::this_thread::sleep_for(500us);
                       return i;
                     })
                     .batch(6)
                     .timed(t, "batch");
  auto prepared = prepare(batches);
  std::int64_t sum = 0;
  for (auto batch : prepared) {
    auto span = t.measure("step");
    std::this_thread::sleep_for(3ms);
    sum += batch(0);
  }
  CHECK(sum == 6 * 28);
}

}  // namespace

TEST_CASE("a timeline shows that prefetch makes batches beside the steps, and a loop without it does not") {
  timeline one_after_another, beside;
  loop(one_after_another, [](auto& d) { return d; });
  loop(beside, [](auto& d) { return d.prefetch(2); });

  CHECK(spans_named(one_after_another, "batch").size() == 8);
  CHECK(overlap(spans_named(one_after_another, "batch"), spans_named(one_after_another, "step")) == 0);
  for (const timeline_span& s : one_after_another.spans()) CHECK(s.thread == 0);

  const auto batches = spans_named(beside, "batch");
  CHECK(batches.size() == 8);
  for (const timeline_span& s : batches) CHECK(s.thread == 1);
  // All but the first are made within some step, but for what a busy machine delays.
  std::int64_t made = 0;
  for (const timeline_span& s : batches) made += s.duration;
  CHECK(overlap(batches, spans_named(beside, "step")) > made / 2);
}

TEST_CASE("workers of a parallel map have rows of their own") {
  timeline t;
  thread_pool workers(2);
  auto mapped = data::range(64)
                    .map([](std::int64_t i) {
                      std::this_thread::sleep_for(200us);
                      return i;
                    })
                    .timed(t, "element")
                    .map([](std::int64_t i) { return i; }, workers)
                    .timed(t, "turn");
  std::int64_t next = 0;
  for (const std::int64_t i : mapped) CHECK(i == next++);
  const auto elements = spans_named(t, "element");
  CHECK(elements.size() == 64);
  CHECK(spans_named(t, "turn").size() == 64);
  bool has_others = false;
  for (const timeline_span& s : elements) has_others = has_others || s.thread != 0;
  CHECK(has_others);
}

TEST_CASE("a timed dataset has the elements, the size and the positions of the dataset") {
  timeline t;
  const xt::xtensor<float, 2> rows = {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}};
  const auto slices = data::slices(rows);
  CHECK(slices.timed(t, "row").size() == 5);
  check_positions([&] {
    return data::range(11).timed(t, "row").shuffle(5, 3).timed(t, "shuffled").batch(3).timed(t, "batch").prefetch(2).unbatch();
  });
  auto plain = slices.shuffle(5, 3).batch(2);
  auto timed = slices.timed(t, "row").shuffle(5, 3).batch(2).timed(t, "batch");
  std::vector<float> expected, found;
  for (auto b : plain) expected.insert(expected.end(), b.begin(), b.end());
  for (auto b : timed) found.insert(found.end(), b.begin(), b.end());
  CHECK(found == expected);
  CHECK(timed.position().dataset == plain.position().dataset);
}

TEST_CASE("kernels of a traced run lie within the span around it, and all is written for Perfetto") {
  timeline t;
  constexpr placeholder<"x", float, any<"n">> x;
  constexpr auto y = etch::tanh(x) + etch::sum(x);
  etch::session session(y);
  run_metadata metadata;
  {
    auto span = t.measure("the \"run\"");
    etch::traced_run(session, metadata, y, x = {1, 2, 3});
  }
  t.add(metadata);
  const auto spans = t.spans();
  REQUIRE(spans.size() == 1 + metadata.calls.size());
  REQUIRE(spans.size() > 1);
  for (const timeline_span& s : spans) {
    CHECK(s.thread == 0);
    CHECK(s.start >= spans[0].start);
    CHECK(s.start + s.duration <= spans[0].start + spans[0].duration);
  }
  std::ostringstream json;
  t.write_chrome_trace(json);
  CHECK(json.str().find("{\"name\": \"the \\\"run\\\"\", \"ph\": \"X\", \"ts\": ") != std::string::npos);
  CHECK_THROWS_WITH_AS(t.write_chrome_trace("/no/such/folder/trace.json"),
                       "write_chrome_trace: \"/no/such/folder/trace.json\" cannot be written", etch::error);
}
