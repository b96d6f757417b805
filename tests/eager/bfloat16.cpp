// SPDX-License-Identifier: MIT
#include <random>
#include <vector>

#include <doctest/doctest.h>
#include <xtensor/xtensor.hpp>

#include <etch/eager.hpp>

#include "contents.hpp"

// Tensors of bfloat16: what moves them, casts, variables, text. The texts of arrays are those of ml_dtypes 0.6 in NumPy 2.4, which
// TensorFlow prints.

using namespace etch::literals;

namespace {
using contents::floats;
using contents::text;
using etch::bfloat16;

}  // namespace

TEST_CASE("tensors of bfloat16 print as in TensorFlow: six digits, in no columns") {
  CHECK(text(etch::tensor<bfloat16, 1>{1, 2.5f, 0.3f}) == "etch.tensor([1 2.5 0.300781], shape=(3,), dtype=bfloat16)");
  CHECK(text(etch::tensor<bfloat16, 2>{{1, 2.5f}, {100, 0.1f}}) ==
        "etch.tensor(\n[[1 2.5]\n [100 0.100098]], shape=(2, 2), dtype=bfloat16)");
  CHECK(text(etch::tensor<bfloat16, 0>(bfloat16(0.3f))) == "etch.tensor(0.300781, shape=(), dtype=bfloat16)");
  constexpr float far = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(etch::elements_text(etch::tensor<bfloat16, 1>{1, 2.5f, 0.3f, 1e30f, nan, far, -far, 1e-40f, -0.f}) ==
        "[1 2.5 0.300781 1.00026e+30 nan inf -inf 9.18355e-41 -0]");
  const etch::tensor<bfloat16, 1> many =
      etch::astype<bfloat16>(etch::tensor<float, 1>(etch::arange<float>(etch::shape<40>{})) * 1.1_c);
  CHECK(etch::elements_text(many) ==
        "[0 1.10156 2.20312 3.29688 4.40625 5.5 6.59375 7.6875 8.8125 9.875 11\n"
        " 12.125 13.1875 14.3125 15.375 16.5 17.625 18.75 19.75 20.875 22 23.125\n"
        " 24.25 25.25 26.375 27.5 28.625 29.75 30.75 31.875 33 34 35.25 36.25 37.5\n"
        " 38.5 39.5 40.75 41.75 43]");
}

TEST_CASE("eager casts to and from bfloat16 are those of floats, of sizes with and without tails") {
  std::mt19937 generator(4);
  for (const std::size_t n : {0u, 1u, 3u, 16u, 67u, 1000u}) {
    CAPTURE(n);
    std::vector<float> x(n);
    for (float& v : x) v = static_cast<float>(generator() % 100000) / 300 - 150;
    const etch::tensor<float, 1> a = x;
    const etch::tensor<bfloat16, 1> b = etch::astype<bfloat16>(a);
    const auto back = etch::astype<float>(b);
    const auto whole = etch::astype<std::int32_t>(b);
    const auto wide = etch::astype<double>(b);
    const auto small = etch::astype<std::int8_t>(b);
    const auto truth = etch::astype<bool>(b);
    const auto from_integers = etch::astype<bfloat16>(whole);
    bool right = true;
    for (std::size_t i = 0; i < n; ++i) {
      const float expected = bfloat16(x[i]);
      right = right && b.data()[i].bits == bfloat16(x[i]).bits && back.data()[i] == expected && wide.data()[i] == expected;
      right = right && whole.data()[i] == static_cast<int>(expected) && truth.data()[i] == (expected != 0);
      right = right && (std::abs(expected) >= 128 || small.data()[i] == static_cast<std::int8_t>(expected));
      right = right && from_integers.data()[i].bits == bfloat16(static_cast<int>(expected)).bits;
    }
    CHECK(right);
  }
}

TEST_CASE("eager tensors of bfloat16 are moved, joined, picked and compared by their elements") {
  const etch::tensor<bfloat16, 2> x = {{1, 2, 3}, {4, 5, 6}};
  CHECK(floats(etch::transpose(x)) == std::vector<float>{1, 4, 2, 5, 3, 6});
  CHECK(floats(etch::reshape(x, etch::shape<3, 2>{})) == std::vector<float>{1, 2, 3, 4, 5, 6});
  CHECK(floats(etch::slice(x, etch::section<>, etch::section<1, 3>)) == std::vector<float>{2, 3, 5, 6});
  CHECK(floats(etch::concat(etch::axis<1>, x, x)) == std::vector<float>{1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6});
  CHECK(floats(etch::pad(x, etch::padding<0, 1>, etch::padding<1, 0>)) == std::vector<float>{0, 1, 2, 3, 0, 4, 5, 6, 0, 0, 0, 0});
  CHECK(floats(etch::gather(x, etch::tensor<std::int32_t, 1>{1, 1, 0})) == std::vector<float>{4, 5, 6, 4, 5, 6, 1, 2, 3});
  CHECK(floats(x[1]) == std::vector<float>{4, 5, 6});
  CHECK(float(x(1, 2)) == 6.f);
  // With a float it is a float.
  const etch::tensor<float, 1> row = {0.5f, 0.25f, 0.125f};
  const auto sum = x + row;
  static_assert(std::is_same_v<decltype(sum)::value_type, float>);
  CHECK(floats(sum) == std::vector<float>{1.5f, 2.25f, 3.125f, 4.5f, 5.25f, 6.125f});
}

TEST_CASE("eager variables of bfloat16 are assigned, copied from arrays and handed back") {
  etch::eager::variable v(etch::tensor<bfloat16, 1>{1, 2, 3});
  v.assign(etch::astype<bfloat16>(etch::astype<float>(v) * 2_c));
  CHECK(text(v) == "etch.variable([2 4 6], shape=(3,), dtype=bfloat16)");
  const xt::xtensor<bfloat16, 1> array = v.read();
  CHECK(array(2) == bfloat16(6));
  const etch::tensor<bfloat16, 1> again = array;
  CHECK(floats(again) == std::vector<float>{2, 4, 6});
}
