// SPDX-License-Identifier: MIT
// P7 (e): a training step of a transformer of ETCH_BLOCKS blocks (attention of 4 heads, feed forward), by gradient descent.
// ETCH_REPEAT: the blocks by `repeat`.
#ifdef ETCH_REPEAT
#include <etch/control.hpp>
#endif
#include <etch/etch.hpp>

using namespace etch::literals;

constexpr int batch = 8, length = 32, width = 64, heads = 4;

template <etch::fixed_string Name>
constexpr auto norm(auto x) {
  const auto scale = etch::variable<Name / "scale">(etch::ones(etch::shape<width>{}));
  const auto offset = etch::variable<Name / "offset">(etch::zeros(etch::shape<width>{}));
  return etch::layer_norm(x) * scale + offset;
}
constexpr auto split(auto x) {
  return etch::transpose(etch::reshape(x, etch::shape<batch, length, heads, width / heads>{}), etch::axis<0, 2, 1, 3>);
}

template <etch::fixed_string name>
constexpr auto block(auto x) {
  const auto h = norm<name / "attention_norm">(x);
  const auto q = split(etch::nn::dense<name / "query", width>(h));
  const auto k = split(etch::nn::dense<name / "key", width>(h));
  const auto v = split(etch::nn::dense<name / "value", width>(h));
  const auto scores = etch::softmax(etch::matmul(q, etch::matrix_transpose(k)) * 0.25_c);
  const auto mixed =
      etch::reshape(etch::transpose(etch::matmul(scores, v), etch::axis<0, 2, 1, 3>), etch::shape<batch, length, width>{});
  const auto a = x + etch::nn::dense<name / "mixed", width>(mixed);
  const auto f = etch::gelu(etch::nn::dense<name / "wide", 4 * width>(norm<name / "feed_norm">(a)));
  return a + etch::nn::dense<name / "narrow", width>(f);
}
#ifdef ETCH_REPEAT
template <int Count>
constexpr auto blocks(auto x) {
  return etch::repeat<Count, "block">([](auto in, auto h) { return block<in / "part">(h); }, x);
}
#else
template <int Count>
constexpr auto blocks(auto x) {
  if constexpr (Count == 0)
    return x;
  else
    return block<"block" / etch::digits<Count>>(blocks<Count - 1>(x));
}
#endif

int main() {
  constexpr etch::placeholder<"x", float, batch, length, width> x;
  constexpr etch::placeholder<"y", float, batch, length, width> y;
  constexpr auto loss = etch::nn::mean_squared_error(blocks<ETCH_BLOCKS>(x), y);
  constexpr auto train = etch::optimizers::sgd(1e-2_c).minimize(loss);
  etch::session session(loss, train);
  session.initialize(42);
  xt::xtensor<float, 3> a = xt::xtensor<float, 3>::from_shape({batch, length, width}), b = a;
  for (std::size_t i = 0; i < a.size(); ++i) {
    a.flat(i) = static_cast<float>(i % 97) / 97.f - 0.5f;
    b.flat(i) = static_cast<float>(i % 89) / 89.f - 0.5f;
  }
  auto step = session.bind(loss, train, x = a, y = b);
  const float before = step();
  for (int i = 0; i < 10; ++i) step();
  return step() < before ? 0 : 1;
}
