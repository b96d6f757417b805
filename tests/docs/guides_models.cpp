// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <sstream>

#include <docs/in_empty_folder.hpp>
#include <etch/data.hpp>
#include <etch/etch.hpp>
#include <etch/layers.hpp>
#include <etch/layers/attention.hpp>
#include <etch/metrics.hpp>
#include <etch/module.hpp>
#include <etch/print.hpp>
#include <etch/summary.hpp>
#include <etch/summary/in_graph.hpp>
#include <etch/tape.hpp>
#include <etch/trace.hpp>

// The code of docs/models.md and docs/watching.md that is about layers, metrics, modules, limits and summaries in graphs.

using namespace etch::literals;

namespace {

struct DemoModule : etch::module<DemoModule> {
  explicit DemoModule(float initial) : x(etch::tensor(initial)) {}
  auto add_print(const etch::tensor<float, 0>& a) {
    x.assign_add(a);
    return etch::print(x.read());
  }
  etch::eager::variable<float, 0> x;
  ETCH_MEMBERS(x)
};

}  // namespace

TEST_CASE("docs/models.md: branches, and attention that is decoded step by step") {
  {
    constexpr etch::placeholder<"x", float, etch::any<"batch">, 8> x;
    constexpr auto block = [](auto in, auto h, auto mode) {
      const auto a = etch::layers::named<in / "left">(etch::layers::dense<64>(etch::layers::relu))(h, mode);
      const auto b = etch::layers::named<in / "right">(etch::layers::batch_norm)(h, mode);
      return etch::concat(etch::axis<-1>, a, b);
    };
    constexpr auto net = etch::sequential(block, etch::layers::dense<3>);
    etch::session session(net(x));
    session.initialize(1);
    CHECK(session.get<"dense/kernel">().shape()[0] == 72);
  }
  constexpr etch::placeholder<"x", float, 2, 1, 512> x;
  constexpr etch::placeholder<"keys", float, 2, 8, 16, 64> keys;
  constexpr etch::placeholder<"values", float, 2, 8, 16, 64> values;
  constexpr etch::placeholder<"position", std::int32_t> position;
  constexpr auto heads = etch::layers::multi_head_attention<8, 64>(etch::causal, etch::layers::rotary_positions);
  constexpr auto step = heads(x, etch::layers::attention_cache(keys, values, position));
  static_assert(std::tuple_size_v<std::remove_const_t<decltype(step)>> == 3);
}

TEST_CASE("docs/models.md: a metric by hand") {
  constexpr etch::placeholder<"images", float, etch::any<"batch">, 1> images;
  constexpr etch::placeholder<"labels", float, etch::any<"batch">, 1> labels;
  constexpr auto probabilities = images * 1_c;
  const xt::xtensor<float, 2> all{{0.1f}, {0.4f}, {0.6f}, {0.9f}}, sides{{0}, {0}, {1}, {1}};
  auto batches = etch::data::slices(all, sides).batch(2);
  constexpr auto auc = etch::metrics::auc(probabilities, labels);
  etch::session session(auc.update(), auc.result(), auc.reset());
  session.initialize();
  for (auto [x, y] : batches) session.run(auc.update(), images = x, labels = y);
  const double area = session.run(auc.result());
  session.run(auc.reset());
  CHECK(area == doctest::Approx(1));
}

TEST_CASE("docs/models.md: a module lists what it has") {
  DemoModule demo(1.f);
  demo.add_print(5.f);
  for (const auto& v : demo.variables()) std::cout << v;
  std::ostringstream text;
  for (const auto& v : demo.variables()) text << v;
  CHECK(text.str() == "etch.variable(\"demo_module/x\", 6.0, shape=(), dtype=float32)");
}

TEST_CASE("docs/watching.md: what bounds a kernel, and summaries in a graph") {
  constexpr etch::placeholder<"x", float, etch::any<"batch">, 4> x;
  constexpr etch::placeholder<"labels", std::int32_t, etch::any<"batch">> labels;
  constexpr auto loss = etch::mean(etch::nn::sparse_softmax_cross_entropy(etch::nn::dense<"logits", 3>(x), labels));
  constexpr auto train = etch::optimizers::adam(1e-2_c).minimize(loss);
  constexpr auto steps = 7_c;
  const xt::xtensor<float, 2> images = xt::ones<float>({6, 4});
  const xt::xtensor<std::int32_t, 1> classes{0, 1, 2, 0, 1, 2};
  const in_empty_folder folder;
  etch::summary::file_writer writer("logs");
  {
    constexpr auto watched = etch::summary::scalar<"loss">(loss, steps);
    etch::session session(train, watched);
    session.initialize();
    etch::summary::default_writer here(writer);
    session.run(train, watched, x = images, labels = classes);
  }
  etch::session session(loss, train);
  session.initialize();
  etch::run_metadata metadata;
  etch::traced_run(session, metadata, loss, train, x = images, labels = classes);
  const etch::machine_limits limits = etch::measure_machine_limits();
  std::cout << etch::summary::kernel_table(metadata, limits);
  metadata.write_chrome_trace("trace.json", limits);
  CHECK(std::filesystem::file_size("trace.json") > 100);
}
