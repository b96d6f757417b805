// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/etch.hpp>
#include <etch/print.hpp>

// The code of docs/int8.md.
namespace {

using namespace etch::literals;

constexpr etch::placeholder<"x", std::uint8_t, etch::any<"batch">, 784> x;
constexpr etch::placeholder<"w", std::int8_t, 100, 784> w;
constexpr etch::placeholder<"scale", float, 100> scale;
constexpr etch::placeholder<"bias", float, 100> bias;

constexpr auto wide = [](auto e) { return etch::astype<std::int32_t>(e); };
constexpr auto sums = etch::matmul(wide(x), etch::transpose(wide(w)));
constexpr auto y = etch::relu(etch::astype<float>(sums) * scale + bias);

}  // namespace

TEST_CASE("docs/int8.md: a product of bytes is one kernel, and a zero point is subtracted behind it") {
  CHECK(etch::to_text(etch::plan_of(y, x, w, scale, bias)) ==
        "0 contraction [batch, 100 x 784] widening_matmul cast multiply add maximum : x w scale bias -> fetch0\n");
  constexpr auto centred = sums - 128_c * etch::sum(wide(w), etch::axis<1>);
  static_assert(etch::plan_of(centred, x, w).kernel_count == 2);
  xt::xtensor<std::uint8_t, 2> vx = xt::zeros<std::uint8_t>({3, 784});
  xt::xtensor<std::int8_t, 2> vw = xt::zeros<std::int8_t>({100, 784});
  for (std::size_t i = 0; i < vx.size(); ++i) vx.data()[i] = static_cast<std::uint8_t>(i * 37);
  for (std::size_t i = 0; i < vw.size(); ++i) vw.data()[i] = static_cast<std::int8_t>(i * 91);
  etch::session s(centred);
  const auto got = s.run(centred, x = vx, w = vw);
  int wrong = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 100; ++j) {
      int dot = 0;
      for (std::size_t p = 0; p < 784; ++p) dot += (vx(i, p) - 128) * vw(j, p);
      wrong += got(i, j) == dot ? 0 : 1;
    }
  CHECK(wrong == 0);
}
