// SPDX-License-Identifier: MIT
// P8: explicit steps of the heat equation on 128 x 128 floats with fixed borders, as a bound step, against the loop from one array to
// another that are exchanged, with extents known and vectorised by the compiler. Ten steps are compared first.
#include <utility>
#include <vector>

#include <etch/etch.hpp>
#include <etch/print.hpp>

#include "measure.hpp"

using namespace etch::literals;

namespace {

constexpr int n = 128;

__attribute__((noinline)) void step_by_hand(const float* __restrict u, float* __restrict to) {
  for (int i = 1; i < n - 1; ++i)
    for (int j = 1; j < n - 1; ++j) {
      const float* const x = u + i * n + j;
      to[i * n + j] = x[0] + 0.125f * (x[-n] + x[n] + x[-1] + x[1] - 4 * x[0]);
    }
}

constexpr auto u = etch::variable<"u">(etch::zeros(etch::shape<n, n>{}), etch::not_trainable);
constexpr auto inner = etch::slice(u, etch::section<1, -1>, etch::section<1, -1>);
constexpr auto around =
    etch::slice(u, etch::section<0, -2>, etch::section<1, -1>) + etch::slice(u, etch::section<2>, etch::section<1, -1>) +
    etch::slice(u, etch::section<1, -1>, etch::section<0, -2>) + etch::slice(u, etch::section<1, -1>, etch::section<2>);
constexpr auto change = 0.125_c * (around - 4_c * inner);
/// The part that changes is assigned; or all, padded.
constexpr auto part = etch::group(etch::assign(inner, inner + change));
constexpr auto whole = etch::group(etch::assign(u, u + etch::pad(change, etch::padding<1>, etch::padding<1>)));

template <class Step>
std::vector<float> after_ten(Step step, const xt::xtensor<float, 2>& begin) {
  etch::session session(step, u);
  session.initialize();
  session.set(u, begin);
  for (int i = 0; i < 10; ++i) session.run(step);
  const xt::xtensor<float, 2> end = session.run(u);
  return {end.begin(), end.end()};
}

}  // namespace

int main() {
  bench::heading("P8: a step of heat on 128 x 128 floats");
  xt::xtensor<float, 2> begin(std::array<std::size_t, 2>{n, n});
  bench::fill(begin.data(), begin.size(), 0, 1, 1);

  // In double precision.
  std::vector<double> expected(begin.begin(), begin.end()), next = expected;
  for (int step = 0; step < 10; ++step) {
    for (std::size_t i = 1; i < n - 1; ++i)
      for (std::size_t j = 1; j < n - 1; ++j) {
        const double* const x = expected.data() + i * n + j;
        next[i * n + j] = x[0] + 0.125 * (x[-n] + x[n] + x[-1] + x[1] - 4 * x[0]);
      }
    std::swap(expected, next);
  }
  std::vector<float> from(begin.begin(), begin.end()), to = from;
  for (int step = 0; step < 10; ++step) {
    step_by_hand(from.data(), to.data());
    std::swap(from, to);
  }
  bench::check("hand", from.data(), expected, 1e-5, 1);
  bench::check("part", after_ten(part, begin).data(), expected, 1e-5, 1);
  bench::check("whole", after_ten(whole, begin).data(), expected, 1e-5, 1);

  etch::session session(part, whole);
  session.initialize();
  session.set(u, begin);
  auto a = session.bind(part);
  auto b = session.bind(whole);
  float *x = from.data(), *y = to.data();
  bench::print("P8 heat", bench::measure({{"etch, a part", [&] { a(); }},
                                          {"hand",
                                           [&] {
                                             step_by_hand(x, y);
                                             std::swap(x, y);
                                           }},
                                          {"etch, padded", [&] { b(); }}}));
  std::puts(etch::to_text(etch::plan_of(part)).c_str());
}
