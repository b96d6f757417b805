// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include <etch/etch.hpp>
#include <etch/model.hpp>

namespace {

using namespace etch;
using namespace etch::literals;

constexpr auto net = sequential(layers::dense<4>(layers::tanh), layers::dense<2>(layers::tanh), layers::dense<1>);
constexpr auto classifier = sequential(layers::dense<8>(layers::relu), layers::dropout(0.1_c), layers::dense<3>);

}  // namespace

TEST_CASE("KER-02, AT-16: a summary, and counts that are constants") {
  model m(input<float, 10>, net, optimizers::adam(0.1_c), losses::mean_squared_error);
  static_assert(decltype(m)::parameter_count == 57);
  static_assert(decltype(m)::trainable_parameter_count == 57);
  const char* const expected[] = {"dense/kernel", "dense/bias", "dense_1/kernel", "dense_1/bias", "dense_2/kernel", "dense_2/bias"};
  REQUIRE(m.variables().size() == 6);
  for (std::size_t i = 0; i < 6; ++i) CHECK(m.variables()[i].name() == std::string(expected[i]));
  CHECK(m.summary() ==
        "Model: \"sequential\"\n"
        "_________________________________________________________________\n"
        " Layer (type)                Output Shape              Param #   \n"
        "=================================================================\n"
        " dense                       (None, 4)                 44        \n"
        " dense_1                     (None, 2)                 10        \n"
        " dense_2                     (None, 1)                 3         \n"
        "=================================================================\n"
        "Total params: 57\nTrainable params: 57\nNon-trainable params: 0\n"
        "_________________________________________________________________\n");
}
TEST_CASE("KER-04, AT-16: a frozen layer is not trained") {
  constexpr auto half_frozen = net.freeze<0>();
  model m(input<float, 10>, half_frozen, optimizers::adam(0.1_c), losses::mean_squared_error);
  static_assert(decltype(m)::parameter_count == 57);
  static_assert(decltype(m)::trainable_parameter_count == 13);
  CHECK(m.variables().size() == 6);
  CHECK(m.trainable_variables().size() == 4);
  CHECK(m.summary().find("Trainable params: 13\nNon-trainable params: 44\n") != std::string::npos);
  m.initialize(5);
  xt::xtensor<float, 2> x = xt::ones<float>({8, 10}), y = xt::ones<float>({8, 1});
  std::vector<std::vector<float>> before;
  for (auto v : m.variables()) before.push_back(v.get<float>());
  m.fit(x, y);
  for (std::size_t i = 0; i < 6; ++i) CHECK((m.variables()[i].get<float>() == before[i]) == (i < 2));
}
TEST_CASE("KER-04, AT-16: layers are frozen in a network that is one layer made of others") {
  const auto trained_of = [](auto one_layer) {
    return decltype(model(input<float, 4>, one_layer, optimizers::sgd(0.1_c),
                          losses::mean_squared_error))::trainable_parameter_count;
  };
  CHECK(trained_of(layers::residual(layers::frozen(layers::dense<4>), layers::dense<4>)) == 20);
  CHECK(trained_of(layers::named<"all">(sequential(layers::frozen(layers::dense<4>), layers::dense<3>))) == 15);
  CHECK(trained_of(layers::concatenate(layers::dense<2>, layers::frozen(layers::dense<3>))) == 10);
}
TEST_CASE("KER-04, KER-05: a layer is frozen by its name, and a model has its network's layers") {
  constexpr auto mixed = sequential(layers::dense<4>, layers::named<"out">(layers::dense<2>), layers::dense<1>);
  static_assert(std::is_same_v<decltype(mixed.freeze<"dense">()), decltype(mixed.freeze<0>())>);
  static_assert(std::is_same_v<decltype(mixed.freeze<"out">()), decltype(mixed.freeze<1>())>);
  static_assert(std::is_same_v<decltype(mixed.freeze<"dense_1">()), decltype(mixed.freeze<2>())>);
  // Frozen layers keep their names.
  constexpr auto half_frozen = net.freeze<"dense">().freeze<"dense_1">();
  static_assert(std::is_same_v<decltype(half_frozen), decltype(net.freeze<0>().freeze<1>()) const>);
  model m(input<float, 10>, half_frozen, optimizers::adam(0.1_c), losses::mean_squared_error);
  static_assert(decltype(m)::trainable_parameter_count == 3);
  REQUIRE(m.trainable_variables().size() == 2);
  CHECK(m.trainable_variables()[0].name() == std::string("dense_2/kernel"));
  static_assert(std::is_same_v<decltype(m.layers()), decltype(half_frozen.layers())>);
  static_assert(std::tuple_size_v<decltype(m.layer_names())> == 3);
  CHECK(std::string(m.layer_names()[1]) == "dense_1");
  CHECK(std::string(mixed.layer_names()[1]) == "out");
}
TEST_CASE("KER-10: fit on arrays is the loop by hand") {
  xt::xtensor<float, 2> x = xt::zeros<float>({50, 10}), y = xt::zeros<float>({50, 1});
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i * 7919 % 101) / 101 - 0.5f;
  for (std::size_t i = 0; i < 50; ++i) y(i, 0) = x(i, 0) - x(i, 3) * x(i, 4);
  model m(input<float, 10>, net, optimizers::adam(1e-2_c), losses::mean_squared_error, metrics::mean_absolute_error);
  m.initialize(3);
  const history h = m.fit(x, y, {.epochs = 5, .batch = 8, .seed = 2});
  CHECK(h.names() == std::vector<std::string>{"loss", "mean_absolute_error"});
  CHECK(h["loss"].size() == 5);
  CHECK(h["loss"].back() < h["loss"].front());

  constexpr auto in = input<float, 10>.slot;
  constexpr placeholder<"target", float, any<"batch">, 1> target;
  constexpr auto loss = mean(square(net(in, nn::training) - target));
  constexpr auto step = optimizers::adam(1e-2_c).minimize(loss);
  session s(loss, step, net(in));
  s.initialize(3);
  auto batches = data::slices(x, y).shuffle(50, 2).batch(8);
  for (std::size_t epoch = 0; epoch < 5; ++epoch) {
    double total = 0;
    for (auto [bx, by] : batches)
      total += static_cast<double>(s.run(loss, step, in = bx, target = by)) * static_cast<double>(bx.shape()[0]);
    CHECK(total / 50 == doctest::Approx(h["loss"][epoch]).epsilon(1e-6));
  }
  CHECK(s.run(net(in), in = x) == m.predict(x, 50));
  const auto [mse, mae] = m.evaluate(x, y, 7);
  const xt::xtensor<float, 2> p = m.predict(x);
  double squares = 0, absolutes = 0;
  for (std::size_t i = 0; i < 50; ++i) {
    const double d = static_cast<double>(p(i, 0)) - static_cast<double>(y(i, 0));
    squares += d * d;
    absolutes += std::abs(d);
  }
  CHECK(mse == doctest::Approx(squares / 50).epsilon(1e-5));
  CHECK(mae == doctest::Approx(absolutes / 50).epsilon(1e-5));
}
TEST_CASE("DATA-11, KER-11, AT-17: fit on a dataset with validation, accuracy, predict") {
  xt::xtensor<float, 2> x = xt::zeros<float>({90, 2});
  xt::xtensor<std::int32_t, 1> y = xt::zeros<std::int32_t>({90});
  for (std::size_t i = 0; i < 90; ++i) {
    const double angle = static_cast<double>(i % 3) * 2.0944 + static_cast<double>(i * 7919 % 101) / 101 - 0.5;
    x(i, 0) = static_cast<float>(std::cos(angle));
    x(i, 1) = static_cast<float>(std::sin(angle));
    y(i) = static_cast<std::int32_t>(i % 3);
  }
  model m(input<float, 2>, classifier, optimizers::adam(3e-2_c), losses::sparse_softmax_cross_entropy, metrics::accuracy);
  m.initialize(1);
  auto train = data::slices(x, y).shuffle(90, 1).batch(16);
  auto test = data::slices(x, y).batch(90);
  const history h = m.fit(train, {.epochs = 40}, test);
  CHECK(h.names() == std::vector<std::string>{"loss", "accuracy", "val_loss", "val_accuracy"});
  CHECK(h["val_accuracy"].back() > 0.95);
  const auto [loss, accuracy] = m.evaluate(test);
  CHECK(loss == h["val_loss"].back());
  CHECK(accuracy == h["val_accuracy"].back());
  const xt::xtensor<float, 2> logits = m.predict(x);
  int right = 0;
  for (std::size_t i = 0; i < 90; ++i) {
    std::int32_t best = 0;
    for (std::int32_t c = 1; c < 3; ++c)
      if (logits(i, static_cast<std::size_t>(c)) > logits(i, static_cast<std::size_t>(best))) best = c;
    right += best == y(i) ? 1 : 0;
  }
  CHECK(accuracy == doctest::Approx(right / 90.0));
}
TEST_CASE("fit: what is no data is a sentence") {
  model m(input<float, 2>, classifier, optimizers::sgd(1e-2_c), losses::sparse_softmax_cross_entropy);
  xt::xtensor<float, 2> x = xt::zeros<float>({5, 2}), none = xt::zeros<float>({0, 2});
  xt::xtensor<std::int32_t, 1> y = {0, 1, 2, 3, 0}, no_labels = xt::zeros<std::int32_t>({0});
  CHECK_THROWS_WITH_AS(m.evaluate(x, y, 2), "evaluate: the label of sample 3 of the epoch is 3, of 3 classes", error);
  CHECK_THROWS_WITH_AS(m.fit(none, no_labels), "fit: the dataset has no elements", error);
  CHECK_THROWS_AS(m.fit(x, no_labels), error);
  xt::xtensor<float, 2> wide = xt::zeros<float>({5, 3});
  y(3) = 0;
  CHECK_THROWS_AS(m.fit(wide, y), error);
}
TEST_CASE("fit: a label that is out of range is refused before its batch has changed a variable") {
  model m(input<float, 2>, classifier, optimizers::adam(3e-2_c), losses::sparse_softmax_cross_entropy, metrics::accuracy);
  xt::xtensor<float, 2> x = xt::ones<float>({12, 2});
  xt::xtensor<std::int32_t, 1> y = xt::ones<std::int32_t>({12});
  // The optimizer's, too, and what the metrics have summed up.
  const auto values_of = [](auto& of) {
    std::vector<std::vector<std::byte>> all;
    for (auto v : of.session().variables()) {
      all.emplace_back(static_cast<std::size_t>(v.bytes()));
      v.copy_to(all.back().data());
    }
    return all;
  };
  const auto draws_of = [](auto& of) { return of.session().random_state().runs; };
  for (const std::int32_t wrong : {3, -1, INT32_MAX}) {
    m.initialize(1);
    const auto before = values_of(m);
    const auto draws = draws_of(m);
    y(2) = wrong;
    const std::string of_label = "fit: the label of sample 2 of the epoch is " + std::to_string(wrong) + ", of 3 classes";
    CHECK_THROWS_WITH_AS(m.fit(data::slices(x, y).batch(4), {.epochs = 2}), of_label.c_str(), error);
    CHECK(values_of(m) == before);
    CHECK(draws_of(m) == draws);
    // Arrays are shuffled: in one batch.
    CHECK_THROWS_AS(m.fit(x, y, {.epochs = 2, .batch = 12}), error);
    CHECK(values_of(m) == before);
    y(2) = 1;

    // In a later batch: what has been trained is that of the batches before it.
    y(9) = wrong;
    const std::string of_later = "fit: the label of sample 9 of the epoch is " + std::to_string(wrong) + ", of 3 classes";
    CHECK_THROWS_WITH_AS(m.fit(data::slices(x, y).batch(4), {.epochs = 2}), of_later.c_str(), error);
    const auto of_two = values_of(m);
    CHECK(of_two != before);
    y(9) = 1;
    m.initialize(1);
    m.fit(data::slices(x, y).take(8).batch(4), {.epochs = 1});
    CHECK(values_of(m) == of_two);
  }
}
