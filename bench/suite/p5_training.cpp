// SPDX-License-Identifier: MIT
// P5 and P6: steps of training with Adam: dense networks, and the convolutional network of 3,274,634 parameters.
#include <cmath>
#include <memory>

#include <etch/convolution.hpp>

#include "session.hpp"

using namespace bench::suite;
using namespace etch::literals;

namespace {

/// The same weights in all languages: kernel k of a network has the elements of array 10 + k, of variance 1 / inputs; all else 0.
template <class Session>
void start(Session& s, const std::vector<std::string>& kernels) {
  s.initialize();
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    auto variable = s.variables().at(kernels[k].c_str());
    const auto shape = variable.shape();
    double inputs = 1;
    for (std::size_t d = 0; d + 1 < shape.size(); ++d) inputs *= static_cast<double>(shape[d]);
    std::vector<float> values(static_cast<std::size_t>(variable.elements()));
    fill(static_cast<std::uint32_t>(10 + k), values.data(), values.size(), static_cast<float>(std::sqrt(3 / inputs)));
    variable.copy_from(values.data());
  }
}

/// A step of training; its results are the losses of the first four.
template <class Logits, class X, class Labels, class Images>
job training(const Logits& logits, const X& x, const Labels& labels, std::shared_ptr<Images> images, int batch,
             const std::vector<std::string>& kernels) {
  const auto loss = etch::mean(etch::nn::sparse_softmax_cross_entropy(logits, labels));
  const auto train = etch::optimizers::adam(1e-3_c).minimize(loss);
  using session_type = decltype(etch::session(loss, train));
  const auto s = std::make_shared<session_type>(loss, train);
  s->set_executor(pool());
  start(*s, kernels);
  const auto classes = std::make_shared<xt::xtensor<std::int32_t, 1>>(xt::zeros<std::int32_t>({static_cast<std::size_t>(batch)}));
  for (int i = 0; i < batch; ++i) (*classes)(static_cast<std::size_t>(i)) = label(static_cast<std::uint32_t>(i), 10);
  const auto step = std::make_shared<decltype(s->bind(loss, train, x = images->values, labels = *classes))>(
      s->bind(loss, train, x = images->values, labels = *classes));
  return make_job([step] { (*step)(); },
                  [s, step, kernels, images, classes] {
                    start(*s, kernels);
                    std::vector<float> losses;
                    for (int i = 0; i < 4; ++i) losses.push_back((*step)());
                    return losses;
                  });
}

template <int Batch, bool Deep>
struct dense_network {
  static constexpr etch::placeholder<"x", float, Batch, 784> x{};
  static constexpr etch::placeholder<"labels", std::int32_t, Batch> labels{};
  static void add(worker& w) {
    // Each weight of the first layer serves a product forward and one for its gradient; of the others one more, for that of what they read.
    const double first_layer = Deep ? 784.0 * 512 : 784.0 * 100, others = Deep ? 512.0 * 512 + 512 * 10 : 100.0 * 10;
    w.add(std::string(Deep ? "P5 784-512-512-10" : "P5 784-100-10") + ", batch " + std::to_string(Batch), "etch",
          (4 * first_layer + 6 * others) * Batch, 0, [] {
            const auto images = std::make_shared<filled<float, Batch, 784>>(1u, 0.5f, 0.5f);
            if constexpr (Deep) {
              const auto first = etch::relu(etch::nn::dense<"first", 512>(x));
              const auto second = etch::relu(etch::nn::dense<"second", 512>(first));
              return training(etch::nn::dense<"logits", 10>(second), x, labels, images, Batch,
                              {"first/kernel", "second/kernel", "logits/kernel"});
            } else {
              const auto hidden = etch::relu(etch::nn::dense<"hidden", 100>(x));
              return training(etch::nn::dense<"logits", 10>(hidden), x, labels, images, Batch, {"hidden/kernel", "logits/kernel"});
            }
          });
  }
};

constexpr etch::placeholder<"images", float, 50, 28, 28, 1> images;
constexpr etch::placeholder<"labels", std::int32_t, 50> labels;

void add_convolutional(worker& w) {
  w.add("P6 CNN of 3,274,634 parameters, batch 50", "etch", 4.10e9, 0, [] {
    const auto pixels = std::make_shared<filled<float, 50, 28, 28, 1>>(1u, 0.5f, 0.5f);
    const auto first = etch::max_pool2d(etch::relu(etch::nn::conv2d<"first", 32, 5>(images, etch::same_padding)), etch::window<2>);
    const auto second = etch::max_pool2d(etch::relu(etch::nn::conv2d<"second", 64, 5>(first, etch::same_padding)), etch::window<2>);
    const auto hidden = etch::relu(etch::nn::dense<"hidden", 1024>(etch::nn::flatten(second)));
    return training(etch::nn::dense<"logits", 10>(hidden), images, labels, pixels, 50,
                    {"first/kernel", "second/kernel", "hidden/kernel", "logits/kernel"});
  });
}

}  // namespace

int main() {
  worker w;
  dense_network<1, false>::add(w);
  dense_network<50, false>::add(w);
  dense_network<128, false>::add(w);
  dense_network<1024, false>::add(w);
  dense_network<128, true>::add(w);
  dense_network<1024, true>::add(w);
  add_convolutional(w);
  return w.serve();
}
