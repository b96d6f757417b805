// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <cstring>

#include <doctest/doctest.h>

#include <etch/eager.hpp>
#include <etch/eager/xtensor.hpp>
#include <etch/etch.hpp>
#include <reference/run.hpp>

/// How far normal draws go: seeds were searched whose first draws lie where 24 bits of a uniform number do not reach, beyond 5.77
/// deviations. What they are follows from Philox's words in closed form.
namespace {

constexpr auto drawn = etch::random_normal<"tail">(etch::shape<8>{});
constexpr auto in_double = etch::random_normal<"tail", double>(etch::shape<8>{});

/// Element i of the first run's draw by the formula of Box and Muller, in double, with all 64 bits of the first number.
double expected(std::uint64_t seed, std::uint64_t i, int bits_of_angle) {
  const etch::draw_key key = etch::draw_key::of(seed, 1, etch::name_of<"tail">::hash);
  const etch::philox::block b = etch::philox::generate(i / 2, 1, key.key);
  const std::uint64_t first = b.word[0] | std::uint64_t{b.word[1]} << 32, second = b.word[2] | std::uint64_t{b.word[3]} << 32;
  const double left = std::ldexp(static_cast<double>(0 - first), -64);
  const double turns = std::ldexp(static_cast<double>(second >> (64 - bits_of_angle)), -bits_of_angle);
  const double radius = std::sqrt(-2 * std::log(left)), angle = 6.283185307179586 * turns;
  return i % 2 == 0 ? radius * std::cos(angle) : radius * std::sin(angle);
}

template <class Draw>
void check_draws(Draw draw, std::uint64_t seed, double relative, int bits_of_angle) {
  using T = typename Draw::value_type;
  etch::session s(draw);
  s.initialize(seed);
  etch::eager::seed(seed);
  const xt::xtensor<T, 1> first = s.run(draw);
  const etch::tensor<T, 1> now = draw;
  CHECK(std::memcmp(first.data(), now.array().data(), sizeof(T) * 8) == 0);
  etch::draw_key key = etch::draw_key::of(seed, 1, etch::name_of<"tail">::hash);
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(first(i) == etch::normal_at<T>(key, i));  // the source that all backends share
    CHECK(std::abs(double{first(i)} - expected(seed, i, bits_of_angle)) <= relative * (1 + std::abs(double{first(i)})));
  }
}

}  // namespace

TEST_CASE("draws: normal numbers beyond 5.77 deviations, of a session, at once and by the reference") {
  // The largest of 24 bits: sqrt(-2 log(2^-24)).
  CHECK(expected(73346325, 6, 24) > 6.08);
  CHECK(expected(8642484, 5, 24) > 5.97);
  for (const std::uint64_t seed : {73346325u, 8642484u, 51391720u, 1u, 2u, 3u}) {
    check_draws(drawn, seed, 3e-6, 24);
    check_draws(in_double, seed, 1e-8, 53);  // of 53 bits, of which 29 are left where the first 24 are 1
  }
}

TEST_CASE("draws: normal numbers end at 9.42 deviations, and begin at 0") {
  const auto radius = [](auto of) {
    using T = decltype(of);
    return [](std::uint64_t bits) { return std::sqrt(T(-2) * std::log(etch::detail::complement_of<T>(bits))); };
  };
  const double end = std::sqrt(128 * std::log(2.0));
  CHECK(radius(1.f)(~0ull) == doctest::Approx(end).epsilon(1e-6));
  CHECK(radius(1.0)(~0ull) == doctest::Approx(end).epsilon(1e-12));
  CHECK(radius(1.f)(0) == 0);
  CHECK(radius(1.0)(0) == 0);
  // No step is larger where more bits begin, and the order of the bits is that of the radius.
  float last = 0;
  for (std::uint64_t high = 0xfffc00; high <= 0xffffff; ++high)
    for (std::uint64_t low : {0ull, 0x8000000000ull, 0xffffffffffull}) {
      const float r = radius(1.f)(high << 40 | low);
      CHECK(r >= last);
      last = r;
    }
  for (int zeros = 24; zeros < 64; ++zeros)
    CHECK(radius(1.f)(~0ull - (1ull << (63 - zeros)) + 1) ==
          doctest::Approx(std::sqrt(2 * (zeros + 1) * std::log(2.0))).epsilon(1e-6));
}
