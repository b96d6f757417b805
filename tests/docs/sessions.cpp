// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <string>

#include <etch/debug.hpp>
#include <etch/default_session.hpp>
#include <etch/etch.hpp>
#include <etch/trace.hpp>

// The code of docs/sessions.md.

using namespace etch::literals;

namespace {

constexpr etch::placeholder<"x", float, etch::any<"n">, 3> x;
constexpr auto w = etch::variable<"w">(etch::ones(etch::shape<3>{}));
constexpr auto y = etch::named<"y">(etch::tanh(x * w));
constexpr auto loss = etch::sum(y);
constexpr auto train = etch::optimizers::sgd(0.1_c).minimize(loss);

template <class Loss, class Rows>
struct outputs {
  Loss loss;
  Rows rows;
};

TEST_CASE("docs/sessions.md: what runs give, and what is fed") {
  etch::session session(loss, train);
  session.initialize();
  const auto [value, rows] = session.run(loss, y, x = {{1, 2, 3}});
  const auto pair = session.run(std::pair{loss, y}, x = {{1, 2, 3}});
  CHECK(pair.first == value);
  CHECK(pair.second == rows);
  float only = session.run(loss, train, x = {{1, 2, 3}});
  CHECK(only == value);
  session.set(w, {0.9f, 0.9f, 0.9f});
  outputs result = session.run(outputs{loss, y}, x = {{1, 2, 3}});
  CHECK(result.rows(0, 2) == doctest::Approx(std::tanh(3 * 0.9f)));
  static_assert(etch::is_feedable(x * w) && !etch::is_feedable(train));
  CHECK(session.run(loss, y = {{1, 2, 3}}) == 6.0f);
  CHECK(session.run(y, y = {{1, 2, 3}})(0, 1) == 2.0f);
}

TEST_CASE("docs/sessions.md: default sessions, traces, probes") {
  etch::session session(loss, train);
  session.initialize();
  const etch::default_session guard(session);
  CHECK(etch::eval(loss, y = {{1, 2, 3}}) == 6.0f);
  etch::run(train, x = {{1, 2, 3}});

  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(std::filesystem::temp_directory_path());
  std::ostringstream out;
  std::streambuf* const console = std::cout.rdbuf(out.rdbuf());
  etch::run_metadata metadata;
  etch::traced_run(session, metadata, loss, train, x = {{1, 2, 3}});
  for (const etch::step_metadata& s : metadata.steps)
    std::cout << s.name << ": " << s.op << ", " << s.duration << " ns, " << s.bytes << " bytes, " << s.flops << " operations\n";
  metadata.write_chrome_trace("trace.json");
  CHECK(std::filesystem::remove("trace.json"));
  std::filesystem::current_path(before);
  CHECK(out.str().find(" operations\n") != std::string::npos);

  out.str("");
  etch::debug_run(
      session, [](const etch::probed_node& n) { std::cout << n.name() << " " << n.type_text() << "\n"; }, loss, x = {{1, 2, 3}});
  std::cout.rdbuf(console);
  CHECK(out.str().find("\nmultiply float32[1, 3]\ny float32[1, 3]\nsum float32[]\n") != std::string::npos);
}

TEST_CASE("docs/sessions.md: the message of trap_nan") {
  std::string told;
  try {
    const auto h = etch::named<"h">(etch::log(x));
    etch::session logarithms(h);
    etch::debug_run(logarithms, etch::trap_nan{}, h, x = {{1, -2, 3}});
  } catch (const etch::error& e) {
    told = e.what();
  }
  CHECK(told.rfind("trap_nan: element 1 of \"h\" is nan: log float32[1, 3] of \"x\", in \"h\" (", 0) == 0);
}

/// A line without the spaces around and in it.
std::string without_spaces(const std::string& line) {
  std::string text;
  for (const char c : line)
    if (c != ' ') text += c;
  return text;
}

TEST_CASE("docs/sessions.md: its code is in this file") {
  std::set<std::string> written;
  std::ifstream source("docs/sessions.cpp"), page("../docs/sessions.md");
  REQUIRE(source.good());
  REQUIRE(page.good());
  std::string line;
  while (std::getline(source, line)) written.insert(without_spaces(line));
  bool is_code = false;
  int lines = 0;
  while (std::getline(page, line)) {
    if (line.rfind("```", 0) == 0) {
      is_code = line == "```cpp";
      continue;
    }
    if (!is_code) continue;
    CAPTURE(line);
    CHECK(written.count(without_spaces(line)) == 1);
    ++lines;
  }
  CHECK(lines > 30);
}

}  // namespace
