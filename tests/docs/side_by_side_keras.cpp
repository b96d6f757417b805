// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <sstream>

#include <etch/etch.hpp>
#include <etch/model.hpp>

// The code of docs/side_by_side.md, section "Keras: layers, models, fit".

using namespace etch::literals;

TEST_CASE("side by side: A model of layers, and what is done with it") {
  constexpr auto net =
      etch::sequential(etch::layers::dense<16>(etch::layers::relu), etch::layers::dropout(0.1_c), etch::layers::dense<3>);
  etch::model model(etch::input<float, 2>, net, etch::optimizers::adam(1e-2_c), etch::losses::sparse_softmax_cross_entropy,
                    etch::metrics::accuracy);
  static_assert(decltype(model)::parameter_count == 99);
  CHECK(model.variables().size() == 4);
  xt::xtensor<float, 2> points = xt::zeros<float>({120, 2});
  xt::xtensor<std::int32_t, 1> arms = xt::zeros<std::int32_t>({120});
  for (std::size_t i = 0; i < 120; ++i) {
    arms(i) = static_cast<std::int32_t>(i % 3);
    points(i, 0) = i % 3 == 0 ? 1.0f : -1.0f;
    points(i, 1) = i % 3 == 1 ? 1.0f : -1.0f;
  }

  {  // 28. Its summary

    std::cout << model.summary();
    CHECK(model.summary().find("Total params: 99") != std::string::npos);
  }
  {  // 29. Fit, evaluate, predict

    const etch::history history = model.fit(points, arms, {.epochs = 30, .batch = 32});
    const auto [loss, accuracy] = model.evaluate(points, arms);
    const xt::xtensor<float, 2> logits = model.predict(points);
    CHECK(history["loss"].back() < history["loss"].front());
    CHECK(accuracy > 0.9);
    CHECK(logits.shape()[0] == 120);
    CHECK(loss < 1);
  }
  {  // 30. Data from a pipeline, a validation after each epoch
    auto batches = etch::data::slices(points, arms).shuffle(120).batch(20);
    auto check = etch::data::slices(points, arms).batch(60);
    const etch::history history = model.fit(batches, {.epochs = 2}, check);
    CHECK(history["val_accuracy"].size() == 2);
  }
  {  // 31. Stopping early
    auto batches = etch::data::slices(points, arms).shuffle(120).batch(20);
    auto check = etch::data::slices(points, arms).batch(60);
    etch::early_stopping stopping({.monitor = "val_loss", .patience = 3});
    model.fit(batches, {.epochs = 5}, check, stopping);
    CHECK(stopping.best_epoch() >= 1);
  }
  {  // 32. A function after each epoch

    const auto report = [](auto&, const etch::history& h) { std::printf("%.3f\n", h["loss"].back()); };
    model.fit(points, arms, {.epochs = 1}, report);
    bool is_called = false;
    model.fit(points, arms, {.epochs = 1}, [&](auto&, const etch::history&) { is_called = true; });
    CHECK(is_called);
  }
}

TEST_CASE("side by side: 33. A residual block") {
  constexpr auto block = [](auto in, auto h) { return h + etch::nn::dense<in / "inner", 8>(h); };
  constexpr auto net = etch::sequential(etch::layers::dense<8>, block, etch::layers::dense<3>);
  constexpr etch::placeholder<"x", float, etch::any<"batch">, 2> x;
  etch::session session(net(x));
  session.initialize(1);
  CHECK(session.get<"layer/inner/kernel">().shape()[1] == 8);
}

TEST_CASE("side by side: 34. Freezing a layer") {
  constexpr auto net = etch::sequential(etch::layers::dense<16>, etch::layers::dense<3>);
  constexpr auto frozen = net.freeze<0>();
  etch::model model(etch::input<float, 2>, frozen, etch::optimizers::sgd(0.1_c), etch::losses::sparse_softmax_cross_entropy);
  CHECK((model.variables().size() == 4 && model.trainable_variables().size() == 2));
}
