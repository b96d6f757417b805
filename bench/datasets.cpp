// SPDX-License-Identifier: MIT
// What a dataset costs beside a training step, on arrays like Fashion-MNIST's: batches of 50 shuffled images by themselves, as floats and as
// bytes; the step of the 784-100-10 network by itself, in a loop by hand, with `prefetch`, and in `fit`, in turns. With bytes, the step casts.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include <etch/data.hpp>
#include <etch/etch.hpp>
#include <etch/model.hpp>

using namespace etch::literals;

namespace {

constexpr etch::placeholder<"images", float, etch::any<"batch">, 784> images;
constexpr etch::placeholder<"bytes", std::uint8_t, etch::any<"batch">, 784> bytes;
constexpr etch::placeholder<"labels", std::int32_t, etch::any<"batch">> labels;
/// What `fit` adds up with the metric accuracy.
constexpr auto loss_sum = etch::variable<"loss_sum">(etch::zeros<double>(etch::shape<>{}), etch::not_trainable);
constexpr auto right_sum = etch::variable<"right_sum">(etch::zeros<double>(etch::shape<>{}), etch::not_trainable);
constexpr auto training_step(auto inputs) {
  constexpr auto logits = etch::nn::dense<"logits", 10>(etch::relu(etch::nn::dense<"hidden", 100>(decltype(inputs){})));
  constexpr auto losses = etch::nn::sparse_softmax_cross_entropy(logits, labels);
  return etch::group(etch::optimizers::adam(1e-3_c).minimize(etch::mean(losses)),
                     etch::assign_add(loss_sum, etch::sum(etch::astype<double>(losses))),
                     etch::assign_add(right_sum, etch::sum(etch::astype<double>(etch::argmax(logits, etch::axis<1>) == labels))));
}
constexpr auto step = training_step(images);
constexpr auto step_of_bytes = training_step(etch::astype<float>(bytes) / 255.0_c);
constexpr auto network = etch::sequential(etch::layers::dense<100>(etch::layers::relu), etch::layers::dense<10>);

constexpr std::size_t samples = 60'000, batch = 50, turns = 15;

struct candidate {
  const char* name;
  std::vector<double> seconds{};

  template <class F>
  void run(const F& f) {
    const auto begin = std::chrono::steady_clock::now();
    f();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  /// A batch, in microseconds: the median.
  double microseconds() {
    std::ranges::nth_element(seconds, seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2));
    return seconds[seconds.size() / 2] * 1e6 / static_cast<double>(samples / batch);
  }
};

template <class Session, class Step, class Inputs, class Dataset>
void train_by_hand(Session& session, Step train, Inputs inputs, Dataset& data) {
  auto i = data.begin();
  const auto [first_inputs, first_labels] = *i;
  auto bound = session.bind(train, inputs = first_inputs, labels = first_labels);
  bound();
  for (++i; i != data.end(); ++i) {
    const auto [x, y] = *i;
    bound(x.data(), y.data());
  }
}

}  // namespace

int main() {
  xt::xtensor<float, 2> pixels = xt::zeros<float>({samples, std::size_t{784}});
  xt::xtensor<std::uint8_t, 2> pixels_as_bytes = xt::zeros<std::uint8_t>({samples, std::size_t{784}});
  xt::xtensor<std::int32_t, 1> classes = xt::zeros<std::int32_t>({samples});
  for (std::size_t i = 0; i < pixels_as_bytes.size(); ++i) {
    pixels_as_bytes.data()[i] = static_cast<std::uint8_t>(static_cast<std::uint32_t>(i) * 2654435761u >> 24);
    pixels.data()[i] = static_cast<float>(pixels_as_bytes.data()[i]) / 255;
  }
  for (std::size_t i = 0; i < samples; ++i) classes(i) = static_cast<std::int32_t>(pixels_as_bytes(i, 0) % 10);

  etch::session session(step);
  session.initialize(1);
  etch::session session_of_bytes(step_of_bytes);
  session_of_bytes.initialize(1);
  etch::model model(etch::input<float, 784>, network, etch::optimizers::adam(1e-3_c), etch::losses::sparse_softmax_cross_entropy,
                    etch::metrics::accuracy);
  const auto shuffled = etch::data::slices(pixels, classes).shuffle(samples, 1);
  auto batches = shuffled.batch(batch);
  auto prefetched = batches.prefetch(8);
  auto batches_of_bytes = etch::data::slices(pixels_as_bytes, classes).shuffle(samples, 1).batch(batch);
  auto prefetched_bytes = batches_of_bytes.prefetch(8);
  const xt::xtensor<float, 2> one_images = xt::ones<float>({batch, std::size_t{784}}) * 0.5f;
  const xt::xtensor<std::uint8_t, 2> one_bytes = xt::ones<std::uint8_t>({batch, std::size_t{784}});
  const xt::xtensor<std::int32_t, 1> one_labels = xt::zeros<std::int32_t>({batch});

  candidate floats{"batches of floats"}, of_bytes{"batches of bytes"}, alone{"step"}, by_hand{"loop by hand"},
      ahead{"with prefetch(8)"}, fitted{"fit"}, bytes_alone{"step with bytes"}, bytes_by_hand{"loop with bytes"},
      bytes_ahead{"with prefetch(8)"};
  float sum = 0;
  for (std::size_t turn = 0; turn < turns; ++turn) {
    floats.run([&] {
      for (auto [x, y] : batches) sum += x(0, 0);
    });
    of_bytes.run([&] {
      for (auto [x, y] : batches_of_bytes) sum += static_cast<float>(x(0, 0));
    });
    alone.run([&] {
      auto bound = session.bind(step, images = one_images, labels = one_labels);
      for (std::size_t i = 0; i < samples / batch; ++i) bound();
    });
    by_hand.run([&] { train_by_hand(session, step, images, batches); });
    ahead.run([&] { train_by_hand(session, step, images, prefetched); });
    fitted.run([&] { model.fit(batches, {.epochs = 1}); });
    bytes_alone.run([&] {
      auto bound = session_of_bytes.bind(step_of_bytes, bytes = one_bytes, labels = one_labels);
      for (std::size_t i = 0; i < samples / batch; ++i) bound();
    });
    bytes_by_hand.run([&] { train_by_hand(session_of_bytes, step_of_bytes, bytes, batches_of_bytes); });
    bytes_ahead.run([&] { train_by_hand(session_of_bytes, step_of_bytes, bytes, prefetched_bytes); });
  }
  std::printf("microseconds a batch of %zu, medians of %zu turns (%g)\n", batch, turns, static_cast<double>(sum));
  const double of_step = alone.microseconds();
  for (candidate* c : {&floats, &of_bytes, &alone, &by_hand, &ahead, &fitted, &bytes_alone, &bytes_by_hand, &bytes_ahead})
    std::printf("%-20s %7.1f  %.3f of the step\n", c->name, c->microseconds(), c->microseconds() / of_step);
  std::printf("the loop takes %.3f of its step, with prefetch %.3f, with bytes %.3f, prefetched %.3f; fit %.3f of the loop\n",
              by_hand.microseconds() / of_step, ahead.microseconds() / of_step,
              bytes_by_hand.microseconds() / bytes_alone.microseconds(), bytes_ahead.microseconds() / bytes_alone.microseconds(),
              fitted.microseconds() / by_hand.microseconds());
}
