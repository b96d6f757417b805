// SPDX-License-Identifier: MIT
// P7 (e): a training step of a transformer of ETCH_BLOCKS blocks (attention of 4 heads, feed forward), by gradient descent.
// ETCH_PLAN_ONLY: the plan alone, no kernels.
#include <etch/etch.hpp>

using namespace etch::literals;

constexpr int batch = 8, length = 32, width = 64, heads = 4;

template <etch::fixed_string Norm>
constexpr auto norm(auto x) {
  constexpr auto scale = etch::detail::make_variable<etch::join<etch::name_of<Norm>, etch::name_of<"/scale">>, true>(
      etch::ones(etch::shape<width>{}));
  constexpr auto offset = etch::detail::make_variable<etch::join<etch::name_of<Norm>, etch::name_of<"/offset">>, true>(
      etch::zeros(etch::shape<width>{}));
  return etch::layer_norm(x) * scale + offset;
}
constexpr auto split(auto x) {
  return etch::transpose(etch::reshape(x, etch::shape<batch, length, heads, width / heads>{}), etch::axis<0, 2, 1, 3>);
}

template <std::size_t N>
consteval auto numbered(const char (&text)[N], int i) {
  char name[N + 3] = {};
  for (std::size_t k = 0; k + 1 < N; ++k) name[k] = text[k];
  name[N - 1] = static_cast<char>('0' + i / 10);
  name[N] = static_cast<char>('0' + i % 10);
  name[N + 1] = '/';
  return etch::fixed_string<N + 3>(name);
}
#define ETCH_NAMED(TEXT) numbered(TEXT, I)

template <int I>
constexpr auto block(auto x) {
  const auto h = norm<ETCH_NAMED("attention_norm")>(x);
  const auto q = split(etch::nn::dense<ETCH_NAMED("query"), width>(h));
  const auto k = split(etch::nn::dense<ETCH_NAMED("key"), width>(h));
  const auto v = split(etch::nn::dense<ETCH_NAMED("value"), width>(h));
  const auto scores = etch::softmax(etch::matmul(q, etch::matrix_transpose(k)) * 0.25_c);
  const auto mixed = etch::reshape(etch::transpose(etch::matmul(scores, v), etch::axis<0, 2, 1, 3>),
                                   etch::shape<batch, length, width>{});
  const auto a = x + etch::nn::dense<ETCH_NAMED("mixed"), width>(mixed);
  const auto f = etch::gelu(etch::nn::dense<ETCH_NAMED("wide"), 4 * width>(norm<ETCH_NAMED("feed_norm")>(a)));
  return a + etch::nn::dense<ETCH_NAMED("narrow"), width>(f);
}
template <int I>
constexpr auto blocks(auto x) {
  if constexpr (I == 0)
    return x;
  else
    return block<I>(blocks<I - 1>(x));
}

int main() {
  constexpr etch::placeholder<"x", float, batch, length, width> x;
  constexpr etch::placeholder<"y", float, batch, length, width> y;
  constexpr auto loss = etch::nn::mean_squared_error(blocks<ETCH_BLOCKS>(x), y);
  constexpr auto train = etch::optimizers::sgd(1e-2_c).minimize(loss);
#ifdef ETCH_PLAN_ONLY
  constexpr auto plan = etch::plan_of(loss, train, x, y);
  static_assert(plan.nodes_before < 0);
#else
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
#endif
}
