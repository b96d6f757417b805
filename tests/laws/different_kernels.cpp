// SPDX-License-Identifier: MIT
#include "compare.hpp"
#include "sharing.hpp"

/// Transposes, long elementwise programs, scans, and products of few and many rows and of bytes, in one plan: none leaves the processor, or memory,
/// so that another has other bits.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float, 70, 300> x;
constexpr placeholder<"w", float, 300, 260> w;
constexpr placeholder<"u", std::uint8_t, 70, 96> u;
constexpr placeholder<"i", std::int8_t, 96, 80> i;

constexpr auto far = etch::log(etch::exp(x) + 1.5_c) * etch::tanh(x);
constexpr auto across = transpose(x) * 2_c + 1_c;
constexpr auto far_across = etch::tanh(transpose(x)) * etch::exp(transpose(far));
constexpr auto running = cumsum(x, axis<1>);
constexpr auto running_across = cumsum(transpose(x), axis<1>);
constexpr auto many = relu(matmul(x, w));
constexpr auto several = relu(matmul(slice(x, section<0, 2>), w));
constexpr auto turned = matmul(transpose(w), transpose(x));
constexpr auto bytes = matmul(astype<std::int32_t>(u), astype<std::int32_t>(i));

}  // namespace

TEST_CASE("law: kernels of all kinds in one plan have the bits that each has alone") {
  std::mt19937 generator(3);
  // Integers, so that sums are exact in any order.
  const auto integers = [&](auto... extents) {
    return xt::xtensor<float, 2>(xt::rint(laws::random_array<float>(generator, extents...)));
  };
  const xt::xtensor<float, 2> vx = integers(70, 300), vw = integers(300, 260);
  const auto vu = laws::random_array<std::uint8_t>(generator, 70, 96);
  const auto vi = laws::random_array<std::int8_t>(generator, 96, 80);
  static constexpr std::int64_t ulps[] = {16, 0, 64, 0, 0, 0, 0, 0, 0};  // of exp, log and tanh
  const auto check = [&](auto... e) {
    session s(e...);
    laws::check_sharing(s, std::tuple(e...), x = vx, w = vw, u = vu, i = vi);
    const auto got = s.run(e..., x = vx, w = vw, u = vu, i = vi), wanted = reference::run(e..., x = vx, w = vw, u = vu, i = vi);
    laws::check_agreement(got, wanted, nullptr, ulps, "all of them");
  };
  check(far, across, far_across, running, running_across, many, several, turned, bytes);
}
