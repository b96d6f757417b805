// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <sstream>

#include <docs/in_empty_folder.hpp>
#include <etch/checkpoint.hpp>
#include <etch/data.hpp>
#include <etch/etch.hpp>
#include <etch/function.hpp>
#include <etch/model.hpp>
#include <etch/print.hpp>
#include <etch/tape.hpp>

// The code of the pages checkpoints, data, eager, functions and models in docs/.

// A page's lambda may call its parameter as the argument is called.
#pragma GCC diagnostic ignored "-Wshadow"

using namespace etch::literals;

TEST_CASE("docs/eager.md: a gradient by a tape") {
  etch::tensor<float, 2> w = {{1, 2}, {3, 4}};
  etch::tape tape;
  auto loss = etch::sum(w * w);
  auto dw = tape.gradient(loss, w);
  std::cout << dw;
  std::ostringstream text;
  text << dw;
  CHECK(text.str() == "etch.tensor(\n[[2. 4.]\n [6. 8.]], shape=(2, 2), dtype=float32)");
}

namespace by_name {

constexpr etch::placeholder<"x", float, etch::any<"n">, 784> x;
constexpr etch::placeholder<"w", float, 784, 10> w;

}  // namespace by_name

TEST_CASE("docs/functions.md: when functions are traced, and how they are called") {
  {
    const etch::tensor<float, 2> x = {{1, 2}}, w = {{0.5f}, {0.25f}};
    etch::function step([](auto x, auto w) { return etch::tanh(etch::matmul(x, w)) * 2_c; });
    etch::tensor<float, 2> y = step(x, w);
    CHECK(y(0, 0) == doctest::Approx(2 * std::tanh(1.0)));
  }
  {
    std::ostringstream text;
    std::ostream* const before = etch::print_to(&text);
    etch::function f([](auto x) {
      std::puts("tracing");
      return etch::print(x);
    });
    f(etch::tensor(1)), f(etch::tensor(2));
    f(etch::tensor(0.1f));
    f(1_c), f(2_c), f(1_c);
    etch::print_to(before);
    CHECK(f.trace_count() == 4);
    CHECK(text.str() == "1\n2\n0.1\n1\n2\n1\n");
  }
  const xt::xtensor<float, 2> weights = xt::ones<float>({784, 10}), images = xt::ones<float>({2, 784});
  {
    using namespace by_name;
    etch::function logits([](auto scale) { return etch::matmul(x, w) * scale; });
    logits(0.5f, w = weights, x = images);
    CHECK(logits(0.5f, w = weights, x = images)(1, 3) == 392);
  }
  etch::function classify([](auto images) { return etch::argmax(etch::nn::dense<"logits", 10>(images), etch::axis<1>); },
                          etch::input_signature<etch::tensor_spec<float, etch::any<"n">, 784>>);
  CHECK(classify(images).extent(0) == 2);
}

TEST_CASE("docs/models.md: a model is fitted, evaluated and asked") {
  xt::xtensor<float, 2> points = xt::zeros<float>({60, 2});
  xt::xtensor<std::int32_t, 1> classes = xt::zeros<std::int32_t>({60});
  for (std::size_t i = 0; i < 60; ++i) {
    classes(i) = static_cast<std::int32_t>(i % 3);
    points(i, 0) = i % 3 == 0 ? 1.0f : -1.0f;
    points(i, 1) = i % 3 == 1 ? 1.0f : -1.0f;
  }
  auto validation = etch::data::slices(points, classes).batch(60);

  constexpr auto net =
      etch::sequential(etch::layers::dense<64>(etch::layers::relu), etch::layers::dropout(0.1_c), etch::layers::dense<3>);

  etch::model model(etch::input<float, 2>, net, etch::optimizers::adam(1e-2_c), etch::losses::sparse_softmax_cross_entropy,
                    etch::metrics::accuracy);
  static_assert(decltype(model)::parameter_count == 387);

  auto batches = etch::data::slices(points, classes).shuffle(1200).batch(50);
  const etch::history history = model.fit(batches, {.epochs = 40}, validation);
  const auto [loss, accuracy] = model.evaluate(validation);
  const xt::xtensor<float, 2> logits = model.predict(points);
  CHECK(history["val_loss"].back() == loss);
  CHECK(accuracy > 0.9);
  CHECK(logits.shape()[0] == 60);
}

namespace {

constexpr etch::placeholder<"pixels", float, etch::any<"batch">, 4> pixels;
constexpr etch::placeholder<"digits", std::int32_t, etch::any<"batch">> digits;
constexpr auto loss = etch::mean(etch::nn::sparse_softmax_cross_entropy(etch::nn::dense<"last", 3>(pixels), digits));
constexpr auto train = etch::optimizers::adam(1e-2_c).minimize(loss);

}  // namespace

TEST_CASE("docs/checkpoints.md, docs/data.md: a loop that saves and goes on, places of datasets, files that are listed") {
  const in_empty_folder folder;
  const xt::xtensor<float, 2> images = xt::ones<float>({100, 4});
  const xt::xtensor<std::int32_t, 1> labels = xt::zeros<std::int32_t>({100});
  {
    etch::session session(loss, train);
    auto data = etch::data::slices(images, labels).shuffle(60000, 1).batch(50);
    std::int64_t step = 0;

    etch::checkpoint checkpoint;
    checkpoint.track("model", session).track("data", data).track("step", step);
    etch::checkpoint_manager manager(checkpoint, "saved", {.max_to_keep = 3});
    if (!manager.restore_latest()) session.initialize(42);

    while (step < 2000)
      for (auto [x, y] : data) {
        session.run(train, pixels = x, digits = y);
        if (++step % 100 == 0) manager.save(step);
        if (step == 2000) break;
      }
    CHECK(manager.checkpoints().size() == 3);
    checkpoint.save("model.safetensors");
    checkpoint.save("saved/ckpt-300");
  }
  {
    const etch::format::safetensors_reader file("model.safetensors");
    for (const etch::format::named_tensor& t : file.tensors()) std::cout << t.name << ": " << t.type_text() << "\n";

    etch::format::tensor_bundle_reader checkpoint("saved/ckpt-300");
    const etch::format::named_tensor first = checkpoint.read(0);
    CHECK(file.tensors().size() > 5);
    CHECK(!first.name.empty());
  }
  const auto classes = digits;
  etch::session session(loss, train);
  session.initialize();
  auto samples = etch::data::slices(images, labels).shuffle(60'000, /*seed*/ 1).batch(50);
  for (int epoch = 0; epoch < 10; ++epoch)
    for (auto [x, y] : samples) session.run(loss, train, pixels = x, classes = y);
  etch::data::position here = samples.position();
  samples.restore(here);
  CHECK(samples.position() == here);
}
