// SPDX-License-Identifier: MIT
#include <etch/etch.hpp>
#include <etch/summary.hpp>
#include <etch/trace.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <base/decimal_comma.hpp>

#include "../session/message_of.hpp"
#include "readers.hpp"

/// Traced runs as TensorBoard reads them, and as a table.
namespace {

using namespace etch::literals;

etch::run_metadata example() {
  etch::run_metadata run;
  run.steps = {{"loop", "loop", "call", "", -1, 1, 1000, 9000, 0, 0},
               {"h state", "matmul tanh", "contraction", "model.cpp:7", 0, 2, 2000, 6000, 600, 60000},
               {"loss", "sum", "sweep", "", -1, 1, 10500, 500, 4000, 1000}};
  run.calls = {{1, 2000, 2500, 0}, {1, 5000, 3500, 1}, {0, 1000, 9000, 0}, {2, 10500, 500, 0}};
  run.duration = 12000;
  return run;
}

TEST_CASE("TB-06: a traced run as run metadata, a call for each") {
  const readers::folder folder("profile");
  {
    etch::summary::file_writer writer(folder.path);
    writer.run_metadata("step 1", example(), 1);
    writer.run_metadata("none", {}, 2);
  }
  const std::vector<std::string> calls = {"ran step 1 /device:CPU:0 h 1+3 thread 0: h state = matmul tanh",
                                          "ran step 1 /device:CPU:0 h 4+4 thread 1: h state = matmul tanh",
                                          "ran step 1 /device:CPU:0 loop 0+9 thread 0: loop = loop",
                                          "ran step 1 /device:CPU:0 loss 9+1 thread 0: loss = sum"};
  readers::check_values(folder.path, calls);
}

TEST_CASE("TB-06: a timeline as TensorBoard's page Profile reads it, with the program's steps and a table of kernels") {
  const readers::folder folder("xspace");
  etch::summary::file_writer writer(folder.path);
  etch::timeline spans;
  const auto at = [&](int microseconds) { return spans.begin() + std::chrono::microseconds(microseconds); };
  spans.add("before", at(-3), at(-1));
  std::thread::id other;
  std::thread([&] {
    other = std::this_thread::get_id();
    spans.add("batch \"ä\"", at(0), at(2));
  }).join();
  for (int step = 0; step < 2; ++step) {
    etch::run_metadata run = example();
    run.threads = {std::this_thread::get_id(), other};
    run.begin = at(10 + 20 * step);
    spans.add(run);
    spans.add("step", at(9 + 20 * step), at(23 + 20 * step), 7 + step);
  }
  const std::string h = "op=matmul tanh bytes=300 flop_count=30000 source=model.cpp:7", loss = "op=sum bytes=4000 flop_count=1000";
  const std::filesystem::path file = writer.profile(spans);
  readers::check_profile(
      file, {"thread 0 0.0+2.0 'before'", "thread 1 3.0+2.0 'batch \"ä\"'", "thread 0 12.0+14.0 'step 7' step_num=7",
             "thread 0 14.0+9.0 'loop' op=loop bytes=0 flop_count=0", "thread 0 15.0+2.5 'h state' " + h,
             "thread 1 18.0+3.5 'h state' " + h, "thread 0 23.5+0.5 'loss' " + loss, "thread 0 32.0+14.0 'step 8' step_num=8",
             "thread 0 34.0+9.0 'loop' op=loop bytes=0 flop_count=0", "thread 0 35.0+2.5 'h state' " + h,
             "thread 1 38.0+3.5 'h state' " + h, "thread 0 43.5+0.5 'loss' " + loss, "kernel loop _loop 2 18.0",
             "kernel h _matmul_tanh 4 12.0", "kernel loss _sum 2 1.0"});
  CHECK(file.parent_path().parent_path() == folder.path / "plugins" / "profile");

  // Another one of the same second has a folder of its own; nothing is a profile too.
  const std::filesystem::path another = writer.profile(spans), nothing = writer.profile(etch::timeline{});
  CHECK(another != file);
  CHECK(readers::bytes_of(another).size() == readers::bytes_of(file).size());
  readers::check_profile(nothing, {});
  etch::run_metadata run = example();
  run.calls.pop_back();
  run.threads = {std::this_thread::get_id(), other};
  run.begin = etch::timeline::clock::now();
  readers::check_profile(writer.profile(run),
                         {"thread 0 0.0+9.0 'loop' op=loop bytes=0 flop_count=0", "thread 0 1.0+2.5 'h state' " + h,
                          "thread 1 4.0+3.5 'h state' " + h, "kernel loop _loop 1 9.0", "kernel h _matmul_tanh 2 6.0"});
}

TEST_CASE("TB-06: a profile that cannot be written is an error, and leaves none") {
  const readers::folder folder("no_xspace");
  etch::summary::file_writer writer(folder.path);
  etch::timeline spans;
  spans.add("\xff", spans.begin(), spans.begin());
  CHECK_THROWS_AS(writer.profile(spans), etch::error);
  CHECK(!std::filesystem::exists(folder.path / "plugins"));
  std::ofstream(folder.path / "plugins") << "a file";
  const std::string why = message_of([&] { writer.profile(etch::timeline{}); });
  CHECK(why.find("plugins/profile: the folder cannot be made: ") != std::string::npos);
}

TEST_CASE("TB-06: the names of a traced run's steps are those of its plan's graph") {
  constexpr etch::placeholder<"x", float, etch::any<"batch">, 30> x;
  const auto loss = etch::named<"loss">(etch::mean(etch::nn::dense<"logits", 10>(etch::relu(etch::nn::dense<"hidden", 40>(x)))));
  const auto train = etch::optimizers::sgd(0.1_c).minimize(loss);
  etch::session session(loss, train);
  session.initialize();
  etch::run_metadata run;
  const xt::xtensor<float, 2> ones = xt::ones<float>({8, 30});
  etch::traced_run(session, run, loss, train, x = ones);
  int known = 0;
  const std::vector<etch::node_row> rows = etch::node_table(etch::graph_of(etch::plan_of(loss, train, x)));
  for (const etch::step_metadata& s : run.steps)
    for (const etch::node_row& row : rows) known += row.name == s.name.substr(0, s.name.find(' '));
  CHECK(known == static_cast<int>(run.steps.size()));
  // A place is where the program gives the name.
  int places = 0;
  for (const etch::step_metadata& s : run.steps) places += s.place.find("profile.cpp:") != std::string::npos;
  CHECK(places > 0);
  const std::string table = etch::summary::kernel_table(run);
  CHECK(table.find("loss = ") != std::string::npos);
}

TEST_CASE("PERF-01: what bounds each kernel, by the roofline model") {
  const etch::machine_limits limits{
      .flops = 1e11, .memory_bandwidth = 1e10, .cache_bandwidth = 1e11, .cache_bytes = 2e6, .call = 1e-7};
  etch::run_metadata run = example();
  run.steps.push_back({"large", "copy", "map", "", -1, 1, 11000, 1'000'000, 4'000'000, 1000});
  CHECK(etch::summary::kernel_table(run, limits) ==
        "microseconds  share  calls    GB/s  GFLOP/s  FLOP/B  bound             kernel\n"
        "      1000.0  99.1%      1    4.00     0.00    0.00  memory       40%  large = copy\n"
        "         6.0   0.6%      2    0.10    10.00  100.00  arithmetic   10%  h state = matmul tanh\n"
        "         3.0   0.3%      1    0.00     0.00    0.00  calls         3%  loop = loop\n"
        "         0.5   0.0%      1    8.00     2.00    0.25  calls        20%  loss = sum\n");
  std::ostringstream trace;
  run.write_chrome_trace(trace, limits);
  CHECK(
      trace.str().find("\"dur\": 2.500, \"pid\": 1, \"tid\": 1, \"args\": {\"op\": \"matmul tanh\", \"bytes\": 300, "
                       "\"flops\": 30000, \"place\": \"model.cpp:7\", \"bound\": \"arithmetic\", \"share of the limit\": 0.12}}") !=
      std::string::npos);
  const etch::machine_limits measured = etch::measure_machine_limits();
  CHECK(measured.flops > 1e8);
  CHECK(measured.memory_bandwidth > 1e8);
  CHECK(measured.cache_bandwidth > 1e8);
  CHECK(measured.cache_bytes > 1e4);
  CHECK(measured.call < 1e-4);
}

TEST_CASE("TB-06: a table and a trace read the same where the program's language has a decimal comma") {
  const etch::machine_limits limits{
      .flops = 1e11, .memory_bandwidth = 1e10, .cache_bandwidth = 1e11, .cache_bytes = 2e6, .call = 1e-7};
  const auto texts = [&] {
    std::ostringstream trace;
    example().write_chrome_trace(trace, limits);
    return etch::summary::kernel_table(example()) + etch::summary::kernel_table(example(), limits) + trace.str();
  };
  const std::string expected = texts();
  CHECK(expected.find("share of the limit\": 0.12}}") != std::string::npos);
  const decimal_comma comma;
  if (comma) CHECK(texts() == expected);
}

TEST_CASE("TB-06: the costliest kernels, what they call not included") {
  CHECK(etch::summary::kernel_table(example()) ==
        "microseconds  share  calls    GB/s  GFLOP/s  FLOP/B  kernel\n"
        "         6.0  63.2%      2    0.10    10.00  100.00  h state = matmul tanh\n"
        "         3.0  31.6%      1    0.00     0.00    0.00  loop = loop\n"
        "         0.5   5.3%      1    8.00     2.00    0.25  loss = sum\n");
  CHECK(etch::summary::kernel_table(example(), 1) ==
        "microseconds  share  calls    GB/s  GFLOP/s  FLOP/B  kernel\n"
        "         6.0  63.2%      2    0.10    10.00  100.00  h state = matmul tanh\n"
        "         3.5  36.8%      2    1.14     0.29    0.25  2 others\n");
  etch::run_metadata cut;
  cut.steps = {{"a", std::string(64, 'x') + "üü", "map", "", -1, 1, 0, 1000, 0, 0},
               {"b", std::string(68, 'y'), "map", "", -1, 1, 0, 1000, 0, 0}};
  const std::string table = etch::summary::kernel_table(cut);
  CHECK(table.find("  a = " + std::string(64, 'x') + "üü\n") != std::string::npos);
  CHECK(table.find("  b = " + std::string(68, 'y') + "\n") != std::string::npos);
  cut.steps[0].op += "+";
  cut.steps[1].op += "+";
  const std::string shorter = etch::summary::kernel_table(cut);
  CHECK(shorter.find("  a = " + std::string(64, 'x') + "...\n") != std::string::npos);
  CHECK(shorter.find("  b = " + std::string(65, 'y') + "...\n") != std::string::npos);
  CHECK(etch::summary::kernel_table({}) == "microseconds  share  calls    GB/s  GFLOP/s  FLOP/B  kernel\n");
}

}  // namespace
