// SPDX-License-Identifier: MIT
#include <cmath>

#include "sharing.hpp"

/// Steps of one program and of different extents in one plan: sweeps, maps, kernels of their own, products whose rows are known only to the
/// run, training steps.
namespace {

using namespace etch;
using namespace etch::literals;

template <fixed_string Name, int... E>
constexpr auto drawn = variable<Name>(random_uniform<Name>(shape<E...>{}) - 0.5_c);

/// What f makes of arrays of different extents.
template <class F, class... X>
void check_all(const F& f, const X&... x) {
  session s{f(x)...};
  s.initialize();
  laws::check_sharing(s, std::tuple{f(x)...});
}

TEST_CASE("reductions of short, long and single rows have the same bits alone and in one plan") {
  const auto all = [](const auto& f) {
    check_all(f, drawn<"one", 1, 1>, drawn<"few", 64, 7>, drawn<"row", 1, 300>, drawn<"rows", 40, 300>, drawn<"long", 2, 70000>,
              drawn<"many_long", 20, 70000>, drawn<"odd", 3, 33>);
  };
  all([](auto x) { return sum(x, axis<1>); });
  all([](auto x) { return etch::max(x, axis<0>); });
  all([](auto x) { return softmax(x, axis<1>); });
}

TEST_CASE("elements one by one, many, along and across rows have the same bits alone and in one plan") {
  const auto all = [](const auto& f) {
    check_all(f, drawn<"one", 1, 1>, drawn<"few", 3, 5>, drawn<"some", 40, 30>, drawn<"many", 64, 70>, drawn<"big", 1200, 1100>);
  };
  all([](auto x) { return etch::exp(x) / (1_c + square(x)); });
  all([](auto x) { return etch::tanh(transpose(x)) * 3_c; });
  all([](auto x) { return transpose(x); });
}

TEST_CASE("kernels of their own have the same bits alone and in one plan") {
  const auto all = [](const auto& f) {
    check_all(f, drawn<"one", 1, 1>, drawn<"few", 1, 5>, drawn<"column", 37, 1>, drawn<"rows", 64, 300>, drawn<"cube", 3, 4, 5>,
              astype<std::int32_t>(drawn<"rows", 64, 300> * 99_c));
  };
  all([](auto x) { return argmax(x, axis<1>); });
  all([](auto x) { return sort(x, axis<1>); });
  all([](auto x) { return cumsum(x, axis<1>); });
  all([](auto x) { return argsort(x, axis<0>); });
  all([](auto x) {
    if constexpr (decltype(x)::rank == 2)
      return pad(x, padding<1>, padding<2, 1>);
    else
      return pad(x, padding<0>, padding<1>, padding<2, 1>);
  });
  all([](auto x) { return gather(x, argmax(x, axis<0>)); });
  all([](auto x) { return concat(axis<0>, x, flip(x)); });
  all([](auto x) { return roll<2>(x, axis<1>); });
}

/// Rows that only the run knows, once one of them, once several.
TEST_CASE("products whose rows are known to the run have the same bits alone and beside products of known rows") {
  constexpr placeholder<"x", float, any<"n">, 512> x;
  constexpr auto open = matmul(x, drawn<"w", 512, 512>);
  constexpr auto turned = matmul(x, transpose(drawn<"w", 512, 512>));
  constexpr auto first = matmul(drawn<"one", 1, 512>, drawn<"v", 512, 300>);
  constexpr auto second = matmul(drawn<"some", 64, 512>, drawn<"v", 512, 300>);
  constexpr auto third = matmul(drawn<"some", 64, 512>, transpose(drawn<"w", 512, 512>));
  constexpr auto few = matmul(x, transpose(drawn<"u", 3, 512>));
  for (const std::size_t n : {1u, 3u, 40u}) {
    session s(open, turned, first, second, third, few);
    s.initialize();
    xt::xtensor<float, 2> rows = xt::zeros<float>({n, std::size_t{512}});
    for (std::size_t i = 0; i < rows.size(); ++i) rows.data()[i] = static_cast<float>(static_cast<int>(i * 37 % 101) - 50) / 64;
    laws::check_sharing(s, std::tuple{second, open, first, turned, few, third}, x = rows);
  }
}

TEST_CASE("a query of one row beside a context of many, by two layers, is what each is alone") {
  constexpr auto q = nn::dense<"q", 256>(drawn<"x", 1, 256>);
  constexpr auto k = nn::dense<"k", 256>(drawn<"c", 32, 256>);
  session s(q, k);
  s.initialize();
  laws::check_sharing(s, std::tuple{q, k});
}

TEST_CASE("the gradient of a softmax's sum is 0, though its product reads the weights transposed") {
  constexpr auto x = drawn<"x", 1, 257>;
  constexpr auto slope = gradient(softmax(matmul(x, drawn<"w", 257, 512>), axis<1>), x);
  session s(slope);
  s.initialize();
  const xt::xtensor<float, 2> got = s.run(slope);
  float most = 0;
  for (const float g : got) most = std::max(most, g == g ? std::abs(g) : 1.0f);
  CHECK(most < 1e-6f);
}

/// A network with layers named after Name, and its training step with so many samples.
template <fixed_string Name, int Samples, int In, int Hidden>
constexpr auto train_step() {
  constexpr auto hidden = etch::tanh(nn::dense<Name / "hidden", Hidden>(drawn<Name / "x", Samples, In>));
  return optimizers::sgd(0.1_c).minimize(mean(square(nn::dense<Name / "out", 3>(hidden) - 1_c)));
}

/// The variables of two networks after some steps, apart and in one session.
template <class First, class Second>
void check_training(First first, Second second) {
  const auto values_after = [](auto... steps) {
    session s(steps...);
    s.initialize(7);
    for (int i = 0; i < 3; ++i) s.run(steps...);
    laws::values all;
    for (const auto& v : s.variables()) {
      const std::vector<float> values = v.template get<float>();
      all.push_back(laws::bytes_of(values));
    }
    return all;
  };
  laws::values apart = values_after(first);
  const laws::values others = values_after(second), together = values_after(first, second), exchanged = values_after(second, first);
  laws::values back = others;
  back.insert(back.end(), apart.begin(), apart.end());
  apart.insert(apart.end(), others.begin(), others.end());
  laws::compare(together, apart, false, " of two networks");
  laws::compare(exchanged, back, false, " of two networks, exchanged");
}

TEST_CASE("networks trained in one session end where they end apart") {
  check_training(train_step<"a", 1, 257, 130>(), train_step<"b", 1, 140, 270>());
  check_training(train_step<"a", 1, 257, 130>(), train_step<"c", 20, 257, 130>());
}

}  // namespace
