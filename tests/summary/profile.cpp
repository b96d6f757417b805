// SPDX-License-Identifier: MIT
#include <etch/etch.hpp>
#include <etch/summary.hpp>
#include <etch/trace.hpp>

#include <sstream>

#include <base/decimal_comma.hpp>

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
