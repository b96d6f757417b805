// SPDX-License-Identifier: MIT
#include <locale>
#include <sstream>

#include <etch/etch.hpp>
#include <etch/timeline.hpp>
#include <etch/trace.hpp>

#include "readers.hpp"

/// Traces for chrome://tracing and Perfetto, as a parser of JSON reads them.
namespace {

using lines = std::vector<std::string>;

/// The events of a file, sorted, when a parser has checked them.
lines events_of(const std::filesystem::path& file) {
  return readers::lines_of("python3 -B summary/read_trace.py " + file.string());
}
bool has_python() {
  if (!readers::has_python()) MESSAGE("skipped: no python3 reads the traces");
  return readers::has_python();
}

etch::run_metadata example() {
  etch::run_metadata run;
  run.steps = {{"a \"b\" \\ \n\x01 é", "loop", "call", "", -1, 1, 1000, 9000, 0, 0},
               {"h", "matmul tanh", "contraction", "model.cpp:7", 0, 2, 2000, 6000, 600'000, 60'000'000},
               {"none", "copy", "map", "", -1, 1, 10'000, 0, 8, 0}};
  run.calls = {{1, 2000, 2500, 0}, {1, 5000, 3500, 1}, {0, 1000, 9000, 0}, {2, 10'000, 0, 0}};
  run.threads.resize(2);
  run.begin = etch::timeline::clock::now();
  return run;
}

/// Numbers in groups of three, as in many languages.
struct grouped : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST_CASE("TB-06: a traced run's trace is JSON, whatever names and times are") {
  if (!has_python()) return;
  const readers::folder folder("trace");
  std::filesystem::create_directory(folder.path);
  const etch::run_metadata run = example();
  run.write_chrome_trace((folder.path / "plain.json").string());
  CHECK(events_of(folder.path / "plain.json") ==
        lines{"1 1.000+9.000 'a \"b\" \\\\ \\n\\x01 é' op=loop bytes=0 flops=0", "1 10.000+0.000 'none' op=copy bytes=8 flops=0",
              "1 2.000+2.500 'h' op=matmul tanh bytes=300000 flops=30000000 place=model.cpp:7",
              "2 5.000+3.500 'h' op=matmul tanh bytes=300000 flops=30000000 place=model.cpp:7"});
  etch::run_metadata{}.write_chrome_trace((folder.path / "none.json").string());
  CHECK(events_of(folder.path / "none.json").empty());
  // What takes no time has no share of it. The program's locale is none of JSON's.
  const etch::machine_limits limits{
      .flops = 1e13, .memory_bandwidth = 1e10, .cache_bandwidth = 1e11, .cache_bytes = 2e6, .call = 1e-7};
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new grouped));
  run.write_chrome_trace((folder.path / "limits.json").string(), limits);
  std::locale::global(before);
  // Nor are a stream's locale and flags, which it keeps.
  std::ostringstream plain, own;
  const std::locale of_own = std::locale(std::locale::classic(), new grouped);
  own.imbue(of_own);
  own << std::hex << std::showpos << std::fixed;
  run.write_chrome_trace(plain, limits);
  run.write_chrome_trace(own, limits);
  CHECK(own.str() == plain.str());
  CHECK(own.getloc() == of_own);
  const lines bounds = events_of(folder.path / "limits.json");
  REQUIRE(bounds.size() == 4);
  CHECK(bounds[1] == "1 10.000+0.000 'none' op=copy bytes=8 flops=0 bound=calls share of the limit=0");
  CHECK(bounds[2] ==
        "1 2.000+2.500 'h' op=matmul tanh bytes=300000 flops=30000000 place=model.cpp:7 bound=arithmetic share of the limit=1.2");
}

TEST_CASE("TB-06: a program's trace is JSON, also of what was before the timeline") {
  if (!has_python()) return;
  const readers::folder folder("timeline");
  std::filesystem::create_directory(folder.path);
  constexpr etch::placeholder<"x", float, etch::any<"n">> x;
  constexpr auto y = etch::named<"y">(etch::tanh(x));
  etch::session session(y);
  etch::run_metadata earlier, run;
  etch::traced_run(session, earlier, y, x = {1, 2, 3});
  const auto begin = etch::timeline::clock::now();
  etch::timeline timeline;
  timeline.add("before", begin - std::chrono::microseconds(1500), begin - std::chrono::nanoseconds(500));
  {
    auto span = timeline.measure("the \"run\"\t\\");
    etch::traced_run(session, run, y, x = {1, 2, 3});
  }
  timeline.add(earlier);
  timeline.add(run);
  timeline.write_chrome_trace((folder.path / "program.json").string());
  const lines events = events_of(folder.path / "program.json");
  REQUIRE(events.size() == 4);
  const auto has = [&](const std::string& name) {
    return std::ranges::count_if(events, [&](const std::string& line) { return line.find(name) != line.npos; });
  };
  CHECK(has("+1499.500 'before'") == 1);
  CHECK(has("'the \"run\"\\t\\\\'") == 1);
  CHECK(has(" 'y'") == 2);
  CHECK(events[0].starts_with("1 -"));
}

}  // namespace
