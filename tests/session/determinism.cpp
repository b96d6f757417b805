// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <etch/etch.hpp>

// What docs/flags.md says is equal to the last bit for every compiler, optimisation and instruction set. The hashes were written
// down from one build: this program is built with many. What the values are is the business of other tests.

using namespace etch::literals;

namespace {

constexpr std::size_t count = 1003;  // no whole number of vectors

/// FNV-1a of the elements' bytes.
template <class Array>
std::uint64_t bits_of(const Array& a) {
  std::uint64_t h = 0xcbf29ce484222325;
  const auto* bytes = reinterpret_cast<const unsigned char*>(a.data());
  for (std::size_t i = 0; i < a.size() * sizeof(*a.data()); ++i) h = (h ^ bytes[i]) * 0x100000001b3;
  return h;
}

/// Multiples of 2^-18 in [-2, 2) from a congruence generator: exact in float and in double.
template <class T>
struct operands {
  xt::xtensor<T, 1> a = xt::zeros<T>({count}), b = a;
  operands() {
    std::uint32_t state = 12345;
    for (auto* array : {&a, &b})
      for (T& element : *array) {
        state = state * 1664525u + 1013904223u;
        element = static_cast<T>(state >> 12) / 262144 - 2;
      }
  }
};

struct bits {
  std::uint64_t uniform, normal, sum, product, quotient, root, remainder, largest, running_sum, dropped;
};

template <class T>
bits measured() {
  constexpr etch::placeholder<"a", T, etch::any<"n">> a;
  constexpr etch::placeholder<"b", T, etch::any<"n">> b;
  constexpr auto uniform = etch::random_uniform<"draw", T>(etch::shape<1003>{});
  constexpr auto normal = etch::random_normal<"draw", T>(etch::shape<1003>{});
  constexpr auto sum = a + b;
  constexpr auto product = a * b;
  constexpr auto quotient = a / b;
  constexpr auto root = etch::sqrt(etch::abs(a));
  constexpr auto remainder = etch::remainder(a, b);
  constexpr auto largest = etch::maximum(a, b);
  constexpr auto running_sum = etch::cumsum(a, etch::axis<0>);
  constexpr auto dropped = etch::dropout<"dropped">(a, 0.3_c);
  const operands<T> of;
  etch::session s(uniform, normal, sum, product, quotient, root, remainder, largest, running_sum, dropped);
  s.initialize(7);
  const auto pair = [&](auto y) { return bits_of(s.run(y, a = of.a, b = of.b)); };
  const auto one = [&](auto y) { return bits_of(s.run(y, a = of.a)); };
  return {bits_of(s.run(uniform)), bits_of(s.run(normal)), pair(sum),        pair(product), pair(quotient), one(root),
          pair(remainder),         pair(largest),          one(running_sum), one(dropped)};
}

template <class T>
void check(const bits& expected) {
  const bits got = measured<T>();
  CHECK(got.uniform == expected.uniform);
  CHECK(got.normal == expected.normal);
  CHECK(got.sum == expected.sum);
  CHECK(got.product == expected.product);
  CHECK(got.quotient == expected.quotient);
  CHECK(got.root == expected.root);
  CHECK(got.remainder == expected.remainder);
  CHECK(got.largest == expected.largest);
  CHECK(got.running_sum == expected.running_sum);
  CHECK(got.dropped == expected.dropped);
}

}  // namespace

TEST_SUITE("determinism") {
  TEST_CASE("draws, single operations and running sums have the same bits in every build") {
    check<float>({.uniform = 0x4958cba09b074bf8,
                  .normal = 0x481090ce7428d9d8,
                  .sum = 0x5cb196c07f30deb0,
                  .product = 0xb13c58c8eea50364,
                  .quotient = 0x183a10ae1d4a1772,
                  .root = 0xa26eb9abc7fb46cb,
                  .remainder = 0x77468e76e4857293,
                  .largest = 0x1ab6a5c69c0be6bb,
                  .running_sum = 0x47a1c8d9a2aa47b1,
                  .dropped = 0x5d64f1451cd47999});
    check<double>({.uniform = 0x761aa686bf9940a7,
                   .normal = 0x5cc5a0cc9cd304c7,
                   .sum = 0x97ccad682e4b87f1,
                   .product = 0x5c3f749d99477d70,
                   .quotient = 0x075eb8a412a24a31,
                   .root = 0xd6c60295497aa71f,
                   .remainder = 0xa6736151196d0297,
                   .largest = 0x76e506d3255f9a52,
                   .running_sum = 0x95ab024cd9188ba6,
                   .dropped = 0x899521a03cbd0df5});
  }

  TEST_CASE("a run, a bound step and another session give the same bits, wherever the arrays lie") {
    constexpr etch::placeholder<"a", float, etch::any<"n">> a;
    constexpr auto y = etch::softmax(etch::exp(a) * 0.3_c + etch::tanh(a));
    const operands<float> of;
    etch::session s(y), other(y);
    const std::uint64_t expected = bits_of(s.run(y, a = of.a));
    CHECK(bits_of(other.run(y, a = of.a)) == expected);
    for (std::size_t shift : {1u, 3u, 7u}) {
      std::vector<float> moved(count + shift);
      std::copy(of.a.begin(), of.a.end(), moved.begin() + static_cast<std::ptrdiff_t>(shift));
      auto step = s.bind(y, a = std::span<const float>(moved).subspan(shift));
      CHECK(bits_of(step()) == expected);
    }
  }
}
