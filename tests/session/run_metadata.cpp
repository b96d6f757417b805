// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include <etch/control.hpp>
#include <etch/etch.hpp>
#include <etch/trace.hpp>

#include "message_of.hpp"

// SES-16: what a run did, as data.
namespace {

using namespace etch::literals;

constexpr etch::placeholder<"x", float, 8, 16> x;
constexpr auto w = etch::variable<"w">(etch::ones(etch::shape<16, 4>{}));
constexpr auto h = etch::named<"h">(etch::tanh(etch::matmul(x, w)));
constexpr auto loss = etch::named<"loss">(etch::sum(h));

std::string texts(const etch::run_metadata& m) {
  std::string all;
  for (const auto& s : m.steps)
    all += s.name + " | " + s.op + " | " + s.kind + " | " + std::to_string(s.parent) + " | " + std::to_string(s.count) + " | " +
           std::to_string(s.bytes) + " | " + std::to_string(s.flops) + "\n";
  return all;
}

TEST_CASE("SES-16: each step once, with its name, bytes and flops") {
  etch::session session(loss);
  session.initialize();
  etch::run_metadata metadata;
  const xt::xtensor<float, 2> ones = xt::ones<float>({8, 16});
  const auto [value, hidden] = etch::traced_run(session, metadata, loss, h, x = ones);
  CHECK(value == session.run(loss, x = ones));
  CHECK(hidden == session.run(h, x = ones));
  // Products: 2 * 8 * 4 * 16, and a tanh counts 15. Bytes: x and w are read, h is written; h is read, the loss written.
  CHECK(texts(metadata) ==
        "h | matmul tanh | contraction | -1 | 1 | 896 | 1504\n"
        "loss | sum | sweep | -1 | 1 | 132 | 32\n");
  static_assert(etch::plan_of(loss, h, x).flops == 1504 + 32);
  CHECK(metadata.calls.size() == 2);
  CHECK(metadata.calls[0].step == 0);
  CHECK(metadata.calls[0].start >= 0);
  CHECK(metadata.calls[1].start >= metadata.calls[0].start + metadata.calls[0].duration);
  CHECK(metadata.duration >= metadata.calls[1].start + metadata.calls[1].duration);
}

TEST_CASE("SES-16: metadata holds one run, also of a plan that runs in place") {
  constexpr etch::placeholder<"v", float, 3> v;
  constexpr auto twice = etch::named<"twice">(v * 2_c);
  etch::session session(twice, loss);
  session.initialize();
  etch::run_metadata metadata;
  for (int i = 0; i < 3; ++i) CHECK(etch::traced_run(session, metadata, twice, v = {1, 2, 3}) == xt::xtensor<float, 1>{2, 4, 6});
  CHECK(texts(metadata) == "twice | multiply | map | -1 | 1 | 24 | 3\n");
  CHECK(metadata.calls.size() == 1);
  CHECK(session.run(twice, v = {1, 2, 3}) == xt::xtensor<float, 1>{2, 4, 6});
}

TEST_CASE("SES-16: counts of named extents, of this run") {
  constexpr etch::placeholder<"v", float, etch::any<"n">, 4> v;
  constexpr auto softmax = etch::named<"softmax">(etch::softmax(v, etch::axis<1>));
  etch::session session(softmax);
  session.initialize();
  etch::run_metadata metadata;
  for (const std::size_t n : {std::size_t{1}, std::size_t{7}, std::size_t{0}}) {
    const xt::xtensor<float, 2> fed = xt::ones<float>({n, std::size_t{4}});
    etch::traced_run(session, metadata, softmax, v = fed);
    REQUIRE(metadata.steps.size() == 1);
    CHECK(metadata.steps[0].bytes == static_cast<std::int64_t>(2 * n * 4 * sizeof(float)));
    CHECK(metadata.steps[0].flops == etch::plan_of(softmax, v).flops(n));
  }
}

constexpr etch::placeholder<"xs", float, 5, 2> xs;
constexpr etch::placeholder<"go", bool> go;

TEST_CASE("SES-16: the steps of a loop stand below it, and say how often") {
  constexpr auto last = etch::named<"last">(
      etch::scan([](auto s, auto e) { return etch::named<"next">(etch::tanh(s) + e); }, etch::zeros(etch::shape<2>{}), xs));
  etch::session session(last);
  session.initialize();
  etch::run_metadata metadata;
  const xt::xtensor<float, 2> fed = xt::ones<float>({5, 2});
  CHECK(etch::traced_run(session, metadata, last, xs = fed) == session.run(last, xs = fed));
  REQUIRE(metadata.steps.size() == 3);
  CHECK(metadata.steps[1].kind == "call");
  CHECK(metadata.steps[1].count == 1);
  CHECK(metadata.steps[2].name == "next");
  CHECK(metadata.steps[2].parent == 1);
  CHECK(metadata.steps[2].count == 5);
  CHECK(metadata.steps[2].bytes == 5 * 3 * 2 * 4);
  CHECK(metadata.steps[2].duration <= metadata.steps[1].duration);
  CHECK(metadata.calls.size() == 7);
  for (std::size_t i = 1; i < 6; ++i) CHECK(metadata.calls[i].step == 2);
  CHECK(metadata.calls[6].step == 1);
}

TEST_CASE("SES-16: of a branch what was run, and nothing of the other") {
  constexpr auto chosen = etch::cond(
      go, [] { return etch::named<"then">(etch::tanh(xs) * 2_c); }, [] { return etch::named<"else">(etch::exp(xs) + 1_c); });
  etch::session session(chosen);
  session.initialize();
  etch::run_metadata metadata;
  const xt::xtensor<float, 2> fed = xt::ones<float>({5, 2});
  const auto has = [&](const char* name) {
    for (const auto& s : metadata.steps)
      if (s.name == name && s.count == 1 && s.parent >= 0) return true;
    return false;
  };
  etch::traced_run(session, metadata, chosen, go = true, xs = fed);
  CHECK(has("then"));
  CHECK(!has("else"));
  etch::traced_run(session, metadata, chosen, go = false, xs = fed);
  CHECK(!has("then"));
  CHECK(has("else"));
  CHECK(session.run(chosen, go = true, xs = fed)(0, 0) == doctest::Approx(2 * std::tanh(1.0)));
}

TEST_CASE("SES-16: a traced run throws what a run throws, and leaves metadata as it was") {
  etch::session session(loss);
  etch::run_metadata metadata;
  metadata.duration = 7;
  const xt::xtensor<float, 2> ones = xt::ones<float>({8, 16});
  CHECK(message_of([&] { etch::traced_run(session, metadata, loss, x = ones); }) ==
        "run: variable \"w\" has no value; call initialize() or set() first");
  session.close();
  CHECK(message_of([&] { etch::traced_run(session, metadata, loss, x = ones); }) == "session: it is closed");
  CHECK(metadata.duration == 7);
}

TEST_CASE("SES-16: traced runs beside each other and beside plain ones") {
  etch::session session(loss);
  session.initialize();
  const xt::xtensor<float, 2> ones = xt::ones<float>({8, 16});
  const float expected = session.run(loss, x = ones);
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        etch::run_metadata metadata;
        const float value = t == 0 ? session.run(loss, x = ones) : etch::traced_run(session, metadata, loss, x = ones);
        right += value == expected && metadata.calls.size() == (t == 0 ? 0u : 2u) ? 1 : 0;
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(right.load() == 300);
}

TEST_CASE("SES-16: a Chrome trace") {
  etch::run_metadata metadata;
  metadata.steps = {{"lo\"ss\n", "matmul tanh", "contraction", "", -1, 1, 1500, 2042, 896, 1504},
                    {"next", "add", "map", "", 0, 2, 2000, 41, 80, 20}};
  metadata.calls = {{1, 2000, 20}, {1, 2021, 21}, {0, 1500, 1002042}};
  std::ostringstream text;
  metadata.write_chrome_trace(text);
  CHECK(text.str() ==
        "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n"
        "{\"name\": \"next\", \"cat\": \"map\", \"ph\": \"X\", \"ts\": 2.000, \"dur\": 0.020, \"pid\": 1, \"tid\": 1, "
        "\"args\": {\"op\": \"add\", \"bytes\": 40, \"flops\": 10}},\n"
        "{\"name\": \"next\", \"cat\": \"map\", \"ph\": \"X\", \"ts\": 2.021, \"dur\": 0.021, \"pid\": 1, \"tid\": 1, "
        "\"args\": {\"op\": \"add\", \"bytes\": 40, \"flops\": 10}},\n"
        "{\"name\": \"lo\\\"ss\\u000a\", \"cat\": \"contraction\", \"ph\": \"X\", \"ts\": 1.500, \"dur\": 1002.042, \"pid\": 1, "
        "\"tid\": 1, \"args\": {\"op\": \"matmul tanh\", \"bytes\": 896, \"flops\": 1504}}\n"
        "]}\n");
  std::ostringstream none;
  etch::run_metadata{}.write_chrome_trace(none);
  CHECK(none.str() == "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n]}\n");

  const std::string path = std::filesystem::temp_directory_path() / "etch_trace.json";
  metadata.write_chrome_trace(path);
  std::ifstream file(path);
  std::stringstream read;
  read << file.rdbuf();
  CHECK(read.str() == text.str());
  std::filesystem::remove(path);
  CHECK(message_of([&] { metadata.write_chrome_trace("/no/such/folder/trace.json"); }) ==
        "write_chrome_trace: \"/no/such/folder/trace.json\" cannot be written");
}

}  // namespace
