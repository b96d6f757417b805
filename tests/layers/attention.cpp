// SPDX-License-Identifier: MIT
#include <etch/layers/attention.hpp>
#include "agrees.hpp"

/// Attention gives what Keras's gives with the same weights, under the same names, and so do its gradients.
namespace {

using namespace etch;
using namespace etch::literals;
using layers_test::agrees;
using layers_test::keras;

constexpr placeholder<"x", float, any<"batch">, 4, 6> x;
constexpr placeholder<"two", float, 2, 4, 6> two;
constexpr auto heads = layers::multi_head_attention<2, 3>;

/// As `filled`, as a constant.
template <int Count>
constexpr auto wave(auto k) {
  return astype<float>(0.4_c * etch::sin(0.37_c * arange<double>(shape<Count>{}) + k));
}

}  // namespace

TEST_CASE("layers: multi_head_attention is Keras's, to itself and causal") {
  agrees(heads(x), x, keras("attention_itself"));
  agrees(heads(etch::causal)(x), x, keras("attention_causal"));
}
TEST_CASE("layers: multi_head_attention with a mask and to another sequence is Keras's") {
  // Both are arrays of constants here: `agrees` feeds x alone.
  constexpr auto k = arange<std::int32_t>(shape<4>{});
  constexpr auto q = expand_dims(k, axis<-1>);
  constexpr auto b = reshape(arange<std::int32_t>(shape<2>{}), shape<2, 1, 1>{});
  constexpr auto mask = logical_and((b + 2_c * q + 3_c * k) % 4_c != 0_c, logical_not(logical_and(b == 1_c, q == 2_c)));
  agrees(heads(etch::causal)(two, mask), two, keras("attention_masked"));
  constexpr auto value = reshape(wave<40>(60_c), shape<2, 5, 4>{});
  constexpr auto key = reshape(wave<30>(61_c), shape<2, 5, 3>{});
  agrees(heads(two, value, key), two, keras("attention_crossed"));
}
TEST_CASE("layers: multi_head_attention decodes step by step what it gives for all steps") {
  constexpr auto causal_heads = layers::multi_head_attention<2, 4>(etch::causal, layers::rotary_positions);
  constexpr auto all = causal_heads(x);
  constexpr placeholder<"part", float, 2, any<"steps">, 6> part;
  constexpr placeholder<"keys", float, 2, 2, 5, 4> keys;
  constexpr placeholder<"values", float, 2, 2, 5, 4> values;
  constexpr placeholder<"position", std::int32_t> position;
  constexpr auto step = causal_heads(part, layers::attention_cache(keys, values, position));
  session s(all, step);
  s.initialize(3);
  xt::xtensor<float, 3> sequence = xt::zeros<float>({2, 4, 6});
  const auto numbers = layers_test::filled(sequence.size(), 100, 1);
  std::copy(numbers.begin(), numbers.end(), sequence.begin());
  const xt::xtensor<float, 3> whole = s.run(all, x = sequence);
  xt::xtensor<float, 4> kept_keys = xt::zeros<float>({2, 2, 5, 4}), kept_values = kept_keys;
  std::size_t first = 0;
  for (const std::size_t count : {std::size_t{2}, std::size_t{1}, std::size_t{1}}) {
    xt::xtensor<float, 3> now = xt::zeros<float>({std::size_t{2}, count, std::size_t{6}});
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t f = 0; f < 6; ++f) now(b, i, f) = sequence(b, first + i, f);
    const auto [y, new_keys, new_values] =
        s.run(step, part = now, keys = kept_keys, values = kept_values, position = static_cast<std::int32_t>(first));
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t f = 0; f < 6; ++f) CHECK(y(b, i, f) == doctest::Approx(whole(b, first + i, f)).epsilon(1e-5));
    kept_keys = new_keys;
    kept_values = new_values;
    first += count;
  }
}
TEST_CASE("layers: multi_head_attention drops weights in training only") {
  constexpr auto dropping = heads(layers::dropout(0.5_c));
  constexpr auto trained = dropping(x, nn::training);
  static_assert(std::is_same_v<decltype(dropping(x)), decltype(heads(x))>);
  session s(trained);
  s.initialize(3);
  const xt::xtensor<float, 3> in = xt::ones<float>({2, 4, 6});
  CHECK(s.run(trained, x = in) != s.run(trained, x = in));
}
