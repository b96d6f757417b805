// SPDX-License-Identifier: MIT
#include "compare.hpp"

#include <etch/eager.hpp>
#include <etch/eager/xtensor.hpp>

/// "However long, a sum of floats is within its bound": sums of up to 2^31 elements that are made as they are summed. A total
/// of ones that is kept in one float ends at 2^24, and with 32 such totals the sum at 2^29.
namespace {

using namespace etch;

/// Without optimisation these sums would take minutes: there they are short, and only compile and give the right numbers.
#ifdef __OPTIMIZE__
constexpr bool optimised = true;
#else
constexpr bool optimised = false;
#endif
constexpr int times(int n) { return optimised ? n : 2; }

constexpr placeholder<"x", float> x;
constexpr placeholder<"d", double> d;
constexpr placeholder<"byte", std::uint8_t> byte;
constexpr placeholder<"row", float, 4> row;
constexpr placeholder<"columns", float, 3, 4> columns;

template <class E, class... B>
auto run(E e, B&&... bindings) {
  session s(e);
  return s.run(e, std::forward<B>(bindings)...);
}

/// Whether all elements are this number.
bool all_are(const xt::xtensor<float, 1>& got, float expected) {
  for (const float g : got)
    if (g != expected) return false;
  return true;
}

/// The error of `got` in units of what one rounding of the sum of the magnitudes may be.
template <class T>
double roundings(T got, double expected, double magnitudes) {
  return std::abs(static_cast<double>(got) - expected) / magnitudes * 2 / std::numeric_limits<T>::epsilon();
}

}  // namespace

TEST_CASE("law: sums of very many ones are exact") {
  CHECK(run(sum(broadcast_to(x, shape<1000, 1000, times(1000)>{})), x = 1.f) == 1e6f * times(1000));
  CHECK(run(sum(broadcast_to(d, shape<1000, 1000, times(1000)>{})), d = 1.) == 1e6 * times(1000));
  CHECK(run(sum(broadcast_to(x, shape<1024, 1024, times(2048)>{})), x = 1.f) == 1048576.f * times(2048));
  CHECK(run(mean(broadcast_to(x, shape<1000, 1000, times(1000)>{})), x = 1.f) == 1);
}

TEST_CASE("law: sums of very many ones along the last axis and along the first are exact") {
  const xt::xtensor<float, 1> ones = xt::ones<float>({4});
  constexpr auto rows =
      sum(broadcast_to(expand_dims(expand_dims(row, axis<1>), axis<1>), shape<4, 1 << 20, times(512)>{}), axis<1, 2>);
  CHECK(all_are(run(rows, row = ones), 1048576.f * times(512)));
  constexpr auto down = sum(broadcast_to(row, shape<1 << 20, times(256), 4>{}), axis<0, 1>);
  CHECK(all_are(run(down, row = ones), 1048576.f * times(256)));
  constexpr auto short_rows = sum(broadcast_to(expand_dims(row, axis<1>), shape<1000, 4, 16>{}), axis<2>);
  const auto of_rows = run(short_rows, row = ones);
  CHECK(std::all_of(of_rows.begin(), of_rows.end(), [](float s) { return s == 16; }));
}

TEST_CASE("law: sums of very many ones over axes that do not become one are exact") {
  const xt::xtensor<float, 2> ones = xt::ones<float>({3, 4});
  // Rows of 4 elements, 2^26 times; and 3 rows of 4 columns, of which the columns stay, 2^26 times.
  CHECK(run(sum(broadcast_to(row, shape<1 << 18, times(256), 4>{})), row = xt::xtensor<float, 1>(xt::ones<float>({4}))) ==
        1048576.f * times(256));
  constexpr auto kept = sum(broadcast_to(columns, shape<1 << 18, times(256), 3, 4>{}), axis<0, 1, 2>);
  CHECK(all_are(run(kept, columns = ones), 3 * 262144.f * times(256)));
  // 300 columns are several tiles, and the last is not full.
  constexpr placeholder<"wide", float, 1, 300> wide;
  constexpr auto far = sum(broadcast_to(wide, shape<times(1 << 20), 300>{}), axis<0>);
  CHECK(all_are(run(far, wide = xt::xtensor<float, 2>(xt::ones<float>({1, 300}))), static_cast<float>(times(1 << 20))));
}

TEST_CASE("law: sums of very many elements that are computed one at a time are exact") {
  // Bytes beside floats are no vectors.
  CHECK(run(sum(astype<float>(broadcast_to(byte, shape<1 << 18, times(256)>{}))), byte = std::uint8_t{1}) == 262144.f * times(256));
  // Two sums and an extreme of the same elements.
  constexpr auto ones = broadcast_to(x, shape<1 << 18, times(4096)>{});
  constexpr auto several = sum(ones) + 2_c * sum(ones * ones) + max(ones);
  CHECK(run(several, x = 1.f) == 3 * 262144.f * times(4096) + 1);
}

TEST_CASE("law: long sums with known values are within a few roundings") {
  constexpr int n = times(100'000'000);
  constexpr auto numbers = arange<std::int32_t>(shape<n>{});
  const double harmonic = optimised ? 18.997896413853898 : 1.5;
  // 1 + 1/2 + 1/3 + ...: a single float would stay at 15.403683.
  const float single = run(sum(1_c / (astype<float>(numbers) + 1_c)));
  CHECK(roundings(single, harmonic, harmonic) < 16);
  constexpr auto reciprocals = 1_c / (arange<double>(shape<n>{}) + 1_c);
  CHECK(roundings(run(sum(reciprocals)), harmonic, harmonic) < 16);
  // 1 - 1/2 + 1/3 - ... is log 2 - 1 / (2 n) but for less than 1 / n^2, 1 - 1/3 + 1/5 - ... pi / 4 - 1 / (4 n).
  constexpr auto alternating = 1_c - 2_c * astype<double>(numbers % 2_c);
  const double log_of_2 = optimised ? 0.6931471755599453 : 0.5;
  CHECK(roundings(run(sum(alternating / (astype<double>(numbers) + 1_c))), log_of_2, harmonic) < 16);
  constexpr auto alternating_floats = 1_c - 2_c * astype<float>(numbers % 2_c);
  CHECK(roundings(run(sum(alternating_floats / (astype<float>(numbers) + 1_c))), log_of_2, harmonic) < 16);
  const double quarter_pi = optimised ? 0.7853981608974483 : 1 - 1. / 3;
  CHECK(roundings(run(sum(alternating / (astype<double>(numbers) * 2_c + 1_c))), quarter_pi, harmonic) < 16);
}

TEST_CASE("law: long sums of one number are the product but for the roundings of a block, along either axis, also at once") {
  // Equal terms err alike: 59 roundings were measured, 800 are allowed. With one total for each lane there were 165,479 and more.
  constexpr double most = 130;
  constexpr int n = times(1 << 27);
  const double tenth = static_cast<double>(0.1f);
  CHECK(roundings(run(sum(broadcast_to(x, shape<n>{})), x = 0.1f), n * tenth, n * tenth) < most);
  constexpr auto down = sum(broadcast_to(row, shape<n, 4>{}), axis<0>);
  const xt::xtensor<float, 1> tenths = 0.1f * xt::ones<float>({4});
  CHECK(roundings(run(down, row = tenths)(3), n * tenth, n * tenth) < most);
  CHECK(roundings(run(sum(broadcast_to(d, shape<n>{})), d = 0.1), n * 0.1, n * 0.1) < most);
  const xt::xtensor<float, 2> memory = 0.1f * xt::ones<float>({1 << 14, 64});
  const double all = (1 << 20) * tenth;
  CHECK(roundings(sum(tensor<float, 2>(memory)).item(), all, all) < most);
  CHECK(roundings(sum(tensor<float, 2>(memory), axis<0>).array()(63), (1 << 14) * tenth, (1 << 14) * tenth) < most);
}
