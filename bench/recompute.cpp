// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>

#include <etch/control.hpp>
#include <etch/etch.hpp>

#include "measure.hpp"

/// A training step of 16 residual blocks of two dense layers, with what their gradients need kept, and with each block computed again:
/// bytes, and time.
using namespace etch;
using namespace etch::literals;

namespace {

constexpr placeholder<"x", float, 512, 64> x;

template <int I>
struct block {
  template <class H>
  constexpr auto operator()(H h) const {
    constexpr char text[] = {'b', static_cast<char>('a' + I), 0};
    constexpr fixed_string name(text);
    return h + nn::dense<name / "second", 64>(etch::relu(nn::dense<name / "first", 256>(h)));
  }
};
template <bool Again, int I = 0, class H>
constexpr auto loss(H h) {
  if constexpr (I == 16)
    return mean(square(h));
  else if constexpr (Again)
    return loss<Again, I + 1>(recompute(block<I>{}, h));
  else
    return loss<Again, I + 1>(block<I>{}(h));
}
template <bool Again>
constexpr auto train = optimizers::sgd(literal<0.01>).minimize(loss<Again>(x));

}  // namespace

int main() {
  constexpr auto kept = plan_of(train<false>, x);
  constexpr auto again = plan_of(train<true>, x);
  xt::xtensor<float, 2> points = xt::zeros<float>({512, 64});
  for (std::size_t i = 0; i < points.size(); ++i) points.data()[i] = static_cast<float>(i * 7919 % 1000) / 1000 - 0.5f;
  session first(train<false>);
  session second(train<true>);
  first.initialize(1);
  second.initialize(1);
  auto step = first.bind(train<false>, x = points);
  auto step_again = second.bind(train<true>, x = points);
  const std::vector<bench::timing> t = bench::measure({{"kept", [&] { step(); }}, {"computed again", [&] { step_again(); }}});
  std::printf("%-16s %10s %10s %10s\n", "", "arena", "workspace", "us");
  std::printf("%-16s %10lld %10lld %10.0f\n", "kept", static_cast<long long>(kept.arena_bytes),
              static_cast<long long>(kept.workspace_bytes), 1e6 * t[0].median);
  std::printf("%-16s %10lld %10lld %10.0f\n", "computed again", static_cast<long long>(again.arena_bytes),
              static_cast<long long>(again.workspace_bytes), 1e6 * t[1].median);
}
