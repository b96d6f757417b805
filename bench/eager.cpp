// SPDX-License-Identifier: MIT
// P4b: what an op of eager mode costs, small and large, beside the same op in a session; ten ops in a row and a training step of the
// 784-100-10 network, batch 50, gradient descent, eagerly, as a traced function and in a session. bench/eager_pytorch.py times the same in
// PyTorch.
#include <cstdint>
#include <string>
#include <vector>

#include <etch/etch.hpp>
#include <etch/function.hpp>
#include <etch/tape.hpp>

#include "measure.hpp"

using namespace etch::literals;

namespace {

using scalar = etch::tensor<float, 0>;
using vector = etch::tensor<float, 1>;
using matrix = etch::tensor<float, 2>;

void time_ops() {
  const scalar a = 1.5f, b = 2.25f;
  const vector x = {1, 2, 3, 4}, y = {5, 6, 7, 8};
  const matrix m = etch::random_uniform<"m">(etch::shape<100, 100>{}), n = etch::random_uniform<"n">(etch::shape<100, 100>{});
  const vector row = etch::random_uniform<"row">(etch::shape<100>{});
  constexpr etch::placeholder<"x", float, etch::any<"n">> px;
  constexpr etch::placeholder<"y", float, etch::any<"n">> py;
  constexpr auto sum = px + py;
  etch::session session(sum);
  std::vector<float> vx(x.data(), x.data() + 4), vy(y.data(), y.data() + 4), to(4);
  auto step = session.bind(sum, px = vx, py = vy);

  scalar s;
  vector v;
  matrix r;
  const auto print = [](const char* work, const std::vector<bench::candidate>& candidates) {
    bench::print(work, bench::measure(candidates));
  };
  print("scalar + scalar", {{"eager", [&] { s = a + b; }}});
  print("4 + 4", {{"eager", [&] { v = x + y; }}, {"bound", [&] { step(); }}});
  bench::check("4 + 4", v.data(), {6, 8, 10, 12}, 0, 1);
  print("4 + 1", {{"eager", [&] { v = x + 1.f; }}});
  print("tanh of 4", {{"eager", [&] { v = etch::tanh(x); }}});
  print("sum of 4", {{"eager", [&] { s = etch::sum(x); }}});
  bench::check("sum of 4", s.data(), {10}, 0, 1);
  print("row of 100 x 100", {{"eager", [&] { v = m[7]; }}});
  print("100 x 100 + 100 x 100", {{"eager", [&] { r = m + n; }}});
  print("100 x 100 + 100", {{"eager", [&] { r = m + row; }}});
  print("sum of 100 x 100, axis 0", {{"eager", [&] { v = etch::sum(m, etch::axis<0>); }}});
  print("matmul 100 x 100", {{"eager", [&] { r = etch::matmul(m, n); }}});
  print("4 + 4 on a tape", {{"eager", [&] {
                               etch::tape tape;
                               v = x + y;
                             }}});
}

/// Ten ops in a row on arrays of n elements: what a graph saves where ops are small, and where arrays pass through the caches.
void time_chain(int n) {
  const auto chain = [](const auto& x, const auto& y) {
    auto a = x * y + x;
    auto b = a * a - y;
    auto c = etch::maximum(b, x) * 0.5_c;
    return (c + a) * b - c;
  };
  etch::function traced(chain);
  constexpr etch::placeholder<"x", float, etch::any<"n">> px;
  constexpr etch::placeholder<"y", float, etch::any<"n">> py;
  const auto expression = chain(px, py);
  etch::session session(expression);
  xt::xtensor<float, 1> xs = xt::zeros<float>({n}), ys = xs;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    xs(i) = static_cast<float>(i % 13) / 13.f;
    ys(i) = static_cast<float>(i % 7) / 7.f - 0.5f;
  }
  const vector x = xs, y = ys;
  auto bound = session.bind(expression, px = xs, py = ys);
  vector eager = chain(x, y), called = traced(x, y);
  bench::check("ten ops", called.data(), {eager.data(), eager.data() + eager.size()}, 1e-6, 1);
  bench::check("ten ops", bound().data(), {eager.data(), eager.data() + eager.size()}, 1e-6, 1);
  const std::string work = "ten ops on " + std::to_string(n);
  bench::print(work.c_str(), bench::measure({{"bound", [&] { bound(); }},
                                             {"function", [&] { called = traced(x, y); }},
                                             {"eager", [&] { eager = chain(x, y); }}}));
}

void time_step() {
  constexpr etch::placeholder<"images", float, etch::any<"batch">, 784> images;
  constexpr etch::placeholder<"labels", std::int32_t, etch::any<"batch">> labels;
  constexpr auto hidden = etch::relu(etch::nn::dense<"hidden", 100>(images));
  constexpr auto logits = etch::nn::dense<"logits", 10>(hidden);
  constexpr auto loss = etch::mean(etch::nn::sparse_softmax_cross_entropy(logits, labels));
  constexpr auto train = etch::optimizers::sgd(0.01_c).minimize(loss);
  etch::session session(loss, train);
  session.initialize(42);

  const matrix x = etch::random_uniform<"x">(etch::shape<50, 784>{});
  const etch::tensor<std::int32_t, 1> y = etch::arange<std::int32_t>(etch::shape<50>{}) % 10_c;
  const xt::xtensor<float, 2> fed_images = x;
  const xt::xtensor<std::int32_t, 1> fed_labels = y;
  const auto start = [&](auto slot) { return etch::eager::variable(etch::tensor(session.get(slot))); };
  const auto w1 = start(etch::find_variable<"hidden/kernel">(loss)), w2 = start(etch::find_variable<"logits/kernel">(loss));
  const auto b1 = start(etch::find_variable<"hidden/bias">(loss)), b2 = start(etch::find_variable<"logits/bias">(loss));
  auto bound = session.bind(loss, train, images = fed_images, labels = fed_labels);
  float in_session = 0, eager = 0;
  const auto by_tape = [&] {
    etch::tape tape;
    const auto h = etch::relu(etch::matmul(x, w1) + b1);
    const auto now = etch::mean(etch::nn::sparse_softmax_cross_entropy(etch::matmul(h, w2) + b2, y));
    const auto [dw1, db1, dw2, db2] = tape.gradient(now, w1, b1, w2, b2);
    const auto descend = [](auto w, const auto& slope) { w.assign_sub(0.01_c * slope); };
    descend(w1, dw1);
    descend(b1, db1);
    descend(w2, dw2);
    descend(b2, db2);
    eager = now.item();
  };
  etch::function traced(
      [](auto a, auto b) {
        const auto l = etch::nn::dense<"logits", 10>(etch::relu(etch::nn::dense<"hidden", 100>(a)));
        const auto of_batch = etch::mean(etch::nn::sparse_softmax_cross_entropy(l, b));
        return std::tuple{of_batch, etch::optimizers::sgd(0.01_c).minimize(of_batch)};
      },
      etch::input_signature<etch::tensor_spec<float, etch::any<"batch">, 784>,
                            etch::tensor_spec<std::int32_t, etch::any<"batch">>>);
  traced.initialize(42);
  float called = 0;
  const auto by_function = [&] { called = std::get<0>(traced(x, y)).item(); };
  for (int i = 0; i < 20; ++i) {
    by_tape();
    by_function();
    in_session = bound();
  }
  bench::check("training step by a tape", &eager, {in_session}, 1e-4, 1);
  bench::check("training step as a function", &called, {in_session}, 1e-6, 1);
  bench::print("784-100-10, batch 50",
               bench::measure({{"session", [&] { in_session = bound(); }}, {"function", by_function}, {"tape", by_tape}}));
}

}  // namespace

int main() {
  bench::heading("P4b: eager mode");
  time_ops();
  for (const int n : {4, 1'000, 1'000'000}) time_chain(n);
  time_step();
}
