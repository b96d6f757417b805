// SPDX-License-Identifier: MIT
#include <laws/modes.hpp>

#include <xtensor/xview.hpp>

/// Layers that own their variables: what they compute, what they begin with, and that they are trained.
namespace {

using namespace etch;
using laws::check_described;
using laws::described;

constexpr placeholder<"x", double, any<"n">, 4> x;
constexpr placeholder<"ids", std::int32_t, any<"n">, 2> ids;

}  // namespace

TEST_CASE("layers: a layer norm begins as the plain one and has a scale and an offset of its own") {
  constexpr auto y = nn::layer_norm<"norm">(x);
  constexpr auto plain = layer_norm(x);
  constexpr auto scale = find_variable<"norm/scale">(y);
  constexpr auto offset = find_variable<"norm/offset">(y);
  static_assert(std::is_same_v<decltype(scale)::shape_type, shape<4>> && std::is_same_v<decltype(scale)::value_type, double>);
  session s(y, plain);
  s.initialize(1);
  const xt::xtensor<double, 2> at = {{1, 2, 3, 6}, {0, 0, 0, 0}};
  const auto [own, without] = s.run(y, plain, x = at);
  check_described(described(own), described(without), 1e-15, "at first");
  s.set(scale, xt::xtensor<double, 1>{1, 2, 3, 4});
  s.set(offset, xt::xtensor<double, 1>{0, 1, 0, -1});
  // mean 3, variance (4 + 1 + 0 + 9) / 4 = 3.5: deviations -2, -1, 0, 3 over sqrt(3.50001).
  const double root = std::sqrt(3.5 + 1e-5);
  check_described(described(s.run(y, x = at)), {{2, 4}, {-2 / root, -2 / root + 1, 0, 12 / root - 1, 0, 1, 0, -1}}, 1e-14,
                  "changed");
  constexpr auto wide = nn::layer_norm<"wide">(x, 0.5_c);
  session t(wide);
  t.initialize(1);
  check_described(described(t.run(wide, x = at)), {{2, 4}, {-1, -0.5, 0, 1.5, 0, 0, 0, 0}}, 1e-14, "another epsilon");
}

TEST_CASE("layers: an embedding gives rows of its table, and gradients to the rows that were asked for") {
  constexpr auto y = nn::embedding<"words", 5, 3>(ids);
  static_assert(std::is_same_v<decltype(y)::shape_type, shape<any<"n">, 2, 3>> && std::is_same_v<decltype(y)::value_type, float>);
  constexpr auto table = find_variable<"words/table">(y);
  constexpr auto slope = gradient(sum(y), table);
  session s(y, slope);
  s.initialize(7);
  const xt::xtensor<float, 2> begin = s.get(table);
  for (const float v : begin) CHECK((v >= -0.05f && v < 0.05f && v != 0));
  xt::xtensor<float, 2> rows = xt::xtensor<float, 2>::from_shape({5, 3});
  for (std::size_t i = 0; i < 15; ++i) rows.data()[i] = static_cast<float>(i);
  s.set(table, rows);
  const xt::xtensor<std::int32_t, 2> at = {{1, 4}, {4, 9}};
  const auto [value, by_table] = s.run(y, slope, ids = at);
  check_described(described(value), {{2, 2, 3}, {3, 4, 5, 12, 13, 14, 12, 13, 14, 12, 13, 14}}, 0, "rows");
  check_described(described(by_table), {{5, 3}, {0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 3, 3, 3}}, 0, "gradient");
}

TEST_CASE("layers: an embedding and a layer norm learn which of two classes a word is of") {
  constexpr placeholder<"word", std::int32_t, any<"n">> word;
  constexpr placeholder<"class", std::int32_t, any<"n">> label;
  constexpr auto logits = nn::dense<"logits", 2>(nn::layer_norm<"norm">(nn::embedding<"words", 6, 4>(word)));
  constexpr auto loss = mean(nn::sparse_softmax_cross_entropy(logits, label));
  constexpr auto train = optimizers::adam(0.05_c).minimize(loss);
  session s(loss, train);
  s.initialize(3);
  const xt::xtensor<std::int32_t, 1> words = {0, 1, 2, 3, 4, 5}, classes = {0, 1, 1, 0, 1, 0};
  const float before = s.run(loss, word = words, label = classes);
  for (int i = 0; i < 100; ++i) s.run(train, word = words, label = classes);
  CHECK(before > 0.3f);
  CHECK(s.run(loss, word = words, label = classes) < 0.02f);
}
