// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <etch/convolution.hpp>

#include "session.hpp"

/// The networks of P5 and P6, and their steps of training with Adam.
namespace bench::suite {

using namespace etch::literals;

/// 784-100-10, or 784-512-512-10 where it is deep.
template <int Batch, bool Deep>
struct dense_network {
  static constexpr int batch = Batch;
  using images = filled<float, Batch, 784>;
  static constexpr etch::placeholder<"x", float, Batch, 784> x{};
  static constexpr etch::placeholder<"labels", std::int32_t, Batch> labels{};
  static std::string name() { return std::string(Deep ? "784-512-512-10" : "784-100-10") + ", batch " + std::to_string(Batch); }
  static std::vector<std::string> kernels() {
    if constexpr (Deep)
      return {"first/kernel", "second/kernel", "logits/kernel"};
    else
      return {"hidden/kernel", "logits/kernel"};
  }
  static constexpr auto logits() {
    if constexpr (Deep) {
      const auto first = etch::relu(etch::nn::dense<"first", 512>(x));
      return etch::nn::dense<"logits", 10>(etch::relu(etch::nn::dense<"second", 512>(first)));
    } else {
      return etch::nn::dense<"logits", 10>(etch::relu(etch::nn::dense<"hidden", 100>(x)));
    }
  }
  /// Of a step of training: each weight of the first layer serves a product forward and one for its gradient; of the others one more, for
  /// that of what they read.
  static constexpr double flops() {
    const double first_layer = Deep ? 784.0 * 512 : 784.0 * 100, others = Deep ? 512.0 * 512 + 512 * 10 : 100.0 * 10;
    return (4 * first_layer + 6 * others) * Batch;
  }
};

struct convolutional_network {
  static constexpr int batch = 50;
  using images = filled<float, 50, 28, 28, 1>;
  static constexpr etch::placeholder<"images", float, 50, 28, 28, 1> x{};
  static constexpr etch::placeholder<"labels", std::int32_t, 50> labels{};
  static std::string name() { return "CNN of 3,274,634 parameters, batch 50"; }
  static std::vector<std::string> kernels() { return {"first/kernel", "second/kernel", "hidden/kernel", "logits/kernel"}; }
  static constexpr auto logits() {
    const auto first = etch::max_pool2d(etch::relu(etch::nn::conv2d<"first", 32, 5>(x, etch::same_padding)), etch::window<2>);
    const auto second = etch::max_pool2d(etch::relu(etch::nn::conv2d<"second", 64, 5>(first, etch::same_padding)), etch::window<2>);
    return etch::nn::dense<"logits", 10>(etch::relu(etch::nn::dense<"hidden", 1024>(etch::nn::flatten(second))));
  }
  static constexpr double flops() { return 4.10e9; }
};

template <class Network>
class training {
 public:
  static constexpr auto loss = etch::mean(etch::nn::sparse_softmax_cross_entropy(Network::logits(), Network::labels));
  static constexpr auto train = etch::optimizers::adam(1e-3_c).minimize(loss);
  static constexpr auto plan = etch::plan_of(loss, train, Network::x, Network::labels);

  training() : session_(loss, train), step_(bind()) {}
  float step() { return step_(); }
  /// The same weights in all languages: kernel k of a network has the elements of array 10 + k, of variance 1 / inputs; all else 0.
  void start() {
    session_.initialize();
    std::uint32_t array = 10;
    for (const std::string& name : Network::kernels()) {
      const auto shape = session_.variables().at(name.c_str()).shape();
      double inputs = 1;
      for (std::size_t d = 0; d + 1 < shape.size(); ++d) inputs *= static_cast<double>(shape[d]);
      set_weight(session_, {name.c_str(), array++, static_cast<float>(std::sqrt(3 / inputs))});
    }
  }

 private:
  using session_type = decltype(etch::session(loss, train));
  auto bind() {
    session_.set_executor(pool());
    start();
    for (std::uint32_t i = 0; i < Network::batch; ++i) labels_(i) = label(i, 10);
    return session_.bind(loss, train, Network::x = images_.values, Network::labels = labels_);
  }
  session_type session_;
  typename Network::images images_{1u, 0.5f, 0.5f};
  xt::xtensor<std::int32_t, 1> labels_ = xt::zeros<std::int32_t>({static_cast<std::size_t>(Network::batch)});
  decltype(std::declval<training&>().bind()) step_;
};

}  // namespace bench::suite
