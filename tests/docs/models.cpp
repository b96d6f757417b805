// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <sstream>

#include <etch/etch.hpp>
#include <etch/layers/attention.hpp>
#include <etch/layers/convolution.hpp>
#include <etch/model.hpp>
#include <etch/module.hpp>
#include <etch/print.hpp>

// The code of docs/models.md.

using namespace etch::literals;

namespace {

constexpr auto net =
    etch::sequential(etch::layers::dense<64>(etch::layers::relu), etch::layers::dropout(0.1_c), etch::layers::dense<3>);

constexpr auto block = [](auto in, auto h, auto mode) {
  const auto a = etch::layers::named<in / "left">(etch::layers::dense<64>(etch::layers::relu))(h, mode);
  const auto b = etch::layers::named<in / "right">(etch::layers::batch_norm)(h, mode);
  return etch::concat(etch::axis<-1>, a, b);
};

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

TEST_CASE("KER-07, KER-10, KER-11: docs/models.md") {
  xt::xtensor<float, 2> points = xt::zeros<float>({100, 2});
  xt::xtensor<std::int32_t, 1> classes = xt::zeros<std::int32_t>({100});
  for (std::size_t i = 0; i < 100; ++i) {
    points(i, 0) = static_cast<float>(i % 3) - 1;
    points(i, 1) = static_cast<float>(i % 7) / 7;
    classes(i) = static_cast<std::int32_t>(i % 3);
  }
  etch::model model(etch::input<float, 2>, net, etch::optimizers::adam(1e-2_c), etch::losses::sparse_softmax_cross_entropy,
                    etch::metrics::accuracy);
  static_assert(decltype(model)::parameter_count == 387);
  auto validation = etch::data::slices(points, classes).batch(50);
  auto batches = etch::data::slices(points, classes).shuffle(1200).batch(50);
  const etch::history history = model.fit(batches, {.epochs = 40}, validation);
  const auto [loss, accuracy] = model.evaluate(validation);
  const xt::xtensor<float, 2> logits = model.predict(points);
  CHECK(history.epochs() == 40);
  CHECK(loss < 0.3);
  CHECK(accuracy > 0.9);
  CHECK(logits.shape()[1] == 3);
}
TEST_CASE("KER-07: branches and decoding of docs/models.md") {
  constexpr etch::placeholder<"h", float, etch::any<"batch">, 8> h;
  constexpr auto branches = etch::sequential(block, etch::layers::dense<2>);
  constexpr auto trained = branches(h, etch::nn::training);
  etch::session s(trained);
  for (const char* name : {"layer/left/kernel", "layer/right/moving_mean", "dense/kernel"}) CHECK(s.variables().contains(name));
  CHECK(s.variables().at("dense/kernel").shape()[0] == 72);

  constexpr etch::placeholder<"x", float, 2, etch::any<"steps">, 16> x;
  constexpr etch::placeholder<"keys", float, 2, 8, 10, 64> keys;
  constexpr etch::placeholder<"values", float, 2, 8, 10, 64> values;
  constexpr etch::placeholder<"position", std::int32_t> position;
  constexpr auto heads = etch::layers::multi_head_attention<8, 64>(etch::causal, etch::layers::rotary_positions);
  constexpr auto step = heads(x, etch::layers::attention_cache(keys, values, position));
  static_assert(
      std::is_same_v<std::tuple_element_t<1, std::remove_const_t<decltype(step)>>::shape_type, etch::shape<2, 8, 10, 64>>);
}
TEST_CASE("MOD-01: modules of docs/models.md") {
  std::ostringstream out;
  std::ostream* const before = etch::print_to(&out);
  DemoModule demo(1.f);
  demo.add_print(5.f);
  for (const auto& v : demo.variables()) out << v;
  CHECK(out.str() == "6\netch.variable(\"demo_module/x\", 6.0, shape=(), dtype=float32)");
  etch::print_to(before);
}
