// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/convolution.hpp>
#include <etch/data.hpp>
#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/tape.hpp>
#include <etch/thread_pool.hpp>

// The code of README.md, and of the pages concepts, control_flow, convolution, how_it_works, names, threads and training in docs/.

using namespace etch::literals;

namespace readme {

constexpr etch::placeholder<"images", float, etch::any<"batch">, 784> images;
constexpr etch::placeholder<"labels", std::int32_t, etch::any<"batch">> labels;
constexpr auto hidden = etch::relu(etch::nn::dense<"hidden", 100>(images));
constexpr auto logits = etch::nn::dense<"logits", 10>(hidden);
constexpr auto loss = etch::mean(etch::nn::sparse_softmax_cross_entropy(logits, labels));
constexpr auto train = etch::optimizers::adam(1e-3_c).minimize(loss);
static_assert(etch::plan_of(loss, train, images, labels).kernel_count == 15);

constexpr auto plan = etch::plan_of(loss, train, images, labels);
static_assert(plan.kernel_count == 15 && plan.arena_bytes(50) <= 48 * 1024);

class model {
 public:
  model() { session_.initialize(42); }
  float loss_of(const xt::xtensor<float, 2>& x, const xt::xtensor<std::int32_t, 1>& y) {
    return session_.run(loss, images = x, labels = y);
  }

 private:
  using session_type = decltype(etch::session(loss, train));
  session_type session_{loss, train};
};

}  // namespace readme

TEST_CASE("README.md: what it shows trains") {
  using namespace readme;
  xt::xtensor<float, 2> pixels = xt::zeros<float>({200, 784});
  xt::xtensor<std::int32_t, 1> classes = xt::zeros<std::int32_t>({200});
  for (std::size_t i = 0; i < 200; ++i) {
    classes(i) = static_cast<std::int32_t>(i % 10);
    for (std::size_t k = 0; k < 78; ++k) pixels(i, 78 * (i % 10) + k) = 1;
  }
  etch::session session(loss, train);
  session.initialize(/*seed*/ 42);
  const float before = session.run(loss, images = pixels, labels = classes);
  CHECK(model().loss_of(pixels, classes) == before);
  for (auto [x, y] : etch::data::slices(pixels, classes).shuffle(60'000).batch(50)) session.run(train, images = x, labels = y);
  CHECK(session.run(loss, images = pixels, labels = classes) < before);

  etch::thread_pool two(2);
  session.set_executor(&two);
  session.set_executor(nullptr);
}

TEST_CASE("docs/concepts.md: a variable that is kept in float and read as bfloat16") {
  constexpr etch::placeholder<"x", float, etch::any<"batch">, 784> x;
  constexpr auto w = etch::variable<"w">(etch::zeros(etch::shape<784, 10>{}));
  constexpr auto y = etch::matmul(x, etch::astype<float>(etch::astype<etch::bfloat16>(w)));
  static_assert(y.rank == 2);
}

namespace control_flow {

constexpr etch::placeholder<"xs", float, etch::any<"n">> xs;

constexpr auto filtered = etch::scan(
    [](auto state, auto x) {
      auto next = 0.9_c * state + 0.1_c * x;
      return std::pair{next, next};
    },
    0.0_c, xs);
constexpr auto last = std::get<0>(filtered);
constexpr auto outputs = std::get<1>(filtered);

template <int I>
constexpr auto block = [](auto h) { return h + etch::tanh(etch::nn::dense<etch::fixed_string("block") + etch::digits<I>, 8>(h)); };

}  // namespace control_flow

TEST_CASE("docs/control_flow.md: a filter, in graphs and at once; blocks that are equal, or computed again") {
  using namespace control_flow;
  etch::session session(last, outputs);
  const auto [end, all] = session.run(last, outputs, xs = {1, 1, 1});
  CHECK(end == doctest::Approx(0.271));
  CHECK(all(1) == doctest::Approx(0.19));

  const auto decayed = [](auto first, auto sequence) {
    return etch::scan([](auto state, auto x) { return 0.9_c * state + x; }, first, sequence);
  };
  constexpr auto in_graph = decayed(0.0_c, xs);
  const auto now = decayed(0.0_c, etch::tensor<float, 1>{1, 2, 3, 4});
  etch::session graph(in_graph);
  CHECK(graph.run(in_graph, xs = {1, 2, 3, 4}) == doctest::Approx(now.item()));

  {
    constexpr etch::placeholder<"x", float, etch::any<"batch">, 64> x;
    const auto y =
        etch::repeat<12, "block">([](auto in, auto h) { return h + etch::tanh(etch::nn::dense<in / "dense", 64>(h)); }, x);
    etch::session blocks(y);
    blocks.initialize();
    CHECK(blocks.get<"block/dense/kernel">().shape()[0] == 12);
  }
  {
    constexpr etch::placeholder<"x", float, etch::any<"batch">, 8> first_layer;
    auto h = first_layer;
    const auto a = etch::recompute(block<1>, h);
    const auto b = etch::recompute(block<2>, a);
    static_assert(decltype(b)::rank == 2);
  }
}

TEST_CASE("docs/convolution.md: the shapes of a convolution, a pool and what is flat") {
  constexpr etch::placeholder<"images", float, etch::any<"batch">, 28, 28, 1> images;

  constexpr auto first = etch::nn::conv2d<"first", 32, 5>(images, etch::same_padding);
  constexpr auto smaller = etch::max_pool2d(etch::relu(first), etch::window<2>);
  constexpr auto flat = etch::nn::flatten(smaller);
  static_assert(std::is_same_v<decltype(flat)::shape_type, etch::shape<etch::any<"batch">, 6272>>);
}

TEST_CASE("docs/names.md: two calls of one scope share variables") {
  constexpr etch::placeholder<"x1", float, etch::any<"n">, 4> x1;
  constexpr etch::placeholder<"x2", float, etch::any<"n">, 4> x2;
  constexpr auto two_layers = [](auto in, auto x) {
    auto h = etch::relu(etch::nn::dense<in / "h1", 50>(x));
    return etch::nn::dense<in / "h2", 10>(h);
  };
  auto a = etch::scope<"two_layers">(two_layers, x1);
  auto b = etch::scope<"two_layers">(two_layers, x2);
  etch::session session(a, b);
  session.initialize();
  int count = 0;
  for ([[maybe_unused]] auto v : session.variables()) ++count;
  CHECK(count == 4);
}

TEST_CASE("docs/training.md: gradients that are clipped, a penalty") {
  constexpr etch::placeholder<"x", float, etch::any<"n">, 4> x;
  constexpr etch::placeholder<"rate", float> rate;
  constexpr auto logits = etch::nn::dense<"first", 3>(x);
  constexpr auto data_loss = etch::mean(etch::square(logits));
  {
    constexpr auto kernel = etch::find_variable<"first/kernel">(logits);
    constexpr auto loss = data_loss + 1e-4_c * etch::sum(etch::square(kernel));
    static_assert(loss.rank == 0);
  }
  constexpr auto loss = data_loss;
  constexpr auto kernel = etch::find_variable<"first/kernel">(logits);
  constexpr auto bias = etch::find_variable<"first/bias">(logits);
  constexpr auto gradients = etch::optimizers::clip_by_global_norm(etch::gradients(loss, kernel, bias), 1_c);
  constexpr auto train = etch::optimizers::momentum(rate).apply_gradients(gradients, kernel, bias);
  etch::session session(train);
  session.initialize(1);
  const auto before = session.get(kernel);
  session.run(train, x = {{1, 2, 3, 4}}, rate = 0.1f);
  CHECK(session.get(kernel) != before);
}
