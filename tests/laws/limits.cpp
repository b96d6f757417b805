// SPDX-License-Identifier: MIT
#include "compare.hpp"

/// Programs at the limits of what a kernel holds, and past them: the CPU agrees with the reference backend, which has no kernels.
/// The limits of programs' bits, which sessions never reach, are tested in schedule/limits.cpp.
namespace {

using namespace etch::literals;
using etch::axis;
using etch::keep_dims;
using laws::check_equal;

/// Round by round less the largest of its row.
template <int rounds>
constexpr auto centred(auto h) {
  if constexpr (rounds > 0)
    return centred<rounds - 1>(h - etch::max(h, axis<1>, keep_dims));
  else
    return h;
}
template <int length>
constexpr auto chain(auto y) {
  if constexpr (length > 0)
    return chain<length - 1>(etch::abs(y) - 0.5_c);
  else
    return y;
}

template <class E, class Slot, class Array>
void check(const char* what, E e, Slot slot, const Array& array) {
  etch::session s(e);
  check_equal(std::tuple(s.run(e, slot = array)), std::tuple(etch::reference::run(e, slot = array)), what);
}

TEST_CASE("LIM-01: the largest of each row subtracted 14 times, and as often as takes several kernels") {
  constexpr etch::placeholder<"x", float, 3, 70> x;
  constexpr etch::placeholder<"y", float, etch::any<"rows">, etch::any<"columns">> y;
  static_assert(etch::plan_of(centred<8>(x), x).kernel_count == 1);
  static_assert(etch::plan_of(centred<14>(x), x).kernel_count == 2);
  std::mt19937 generator(5);
  const auto a = laws::random_array<float>(generator, 3, 70), b = laws::random_array<float>(generator, 21, 7);
  check("8 rounds", centred<8>(x), x, a);
  check("9 rounds", centred<9>(x), x, a);
  check("14 rounds", centred<14>(x), x, a);
  check("40 rounds", centred<40>(x), x, a);
  check("14 rounds of named extents", centred<14>(y), y, b);
  // In closed form: after one round the largest is 0, and no further round changes anything.
  etch::session s(centred<14>(x));
  const auto r = s.run(centred<14>(x), x = a);
  for (std::size_t i = 0; i < 3; ++i) {
    float most = a(i, 0);
    for (std::size_t j = 1; j < 70; ++j) most = std::max(most, a(i, j));
    for (std::size_t j = 0; j < 70; ++j) CHECK(r(i, j) == a(i, j) - most);
  }
}

TEST_CASE("LIM-01: kernels of as many nodes as there may be, and one more") {
  constexpr etch::placeholder<"x", float, 37> x;
  std::mt19937 generator(6);
  const auto a = laws::random_array<float>(generator, 37);
  static_assert(etch::plan_of(chain<20>(x), x).kernel_count == 1);
  static_assert(etch::plan_of(etch::abs(chain<20>(x)), x).kernel_count == 2);
  check("40 nodes", chain<20>(x), x, a);
  check("41 nodes", etch::abs(chain<20>(x)), x, a);
  check("130 nodes", chain<65>(x), x, a);
}

TEST_CASE("LIM-03: rows about as long as are swept side by side") {
  constexpr etch::placeholder<"a", float, etch::any<"n">, 15> a;
  constexpr etch::placeholder<"b", float, etch::any<"n">, 16> b;
  constexpr etch::placeholder<"c", float, etch::any<"n">, 17> c;
  static_assert(etch::cpu::target::description.short_row == 16);
  std::mt19937 generator(7);
  for (int rows : {1, 15, 16, 17, 40}) {
    const auto of = [&](int columns) {
      auto x = laws::random_array<float>(generator, rows, columns);
      for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = std::rint(x.data()[i] * 4);
      return x;
    };
    check("15", centred<2>(a) + etch::sum(a, axis<1>, keep_dims), a, of(15));
    check("16", centred<2>(b) + etch::sum(b, axis<1>, keep_dims), b, of(16));
    check("17", centred<2>(c) + etch::sum(c, axis<1>, keep_dims), c, of(17));
  }
}

TEST_CASE("LIM-03: eight axes") {
  constexpr etch::placeholder<"x", double, 2, 3, 2, 1, 2, 2, 3, etch::any<"n">> x;
  constexpr auto backwards = etch::transpose(x);
  std::mt19937 generator(8);
  auto a = laws::random_array<double>(generator, 2, 3, 2, 1, 2, 2, 3, 5);
  for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = std::rint(a.data()[i] * 8);
  check("transposed", etch::abs(backwards) + 1_c, x, a);
  check("some axes", etch::sum(backwards, axis<0, 2, 5>), x, a);
  check("others kept", x - etch::max(x, axis<1, 3, 6>, keep_dims), x, a);
  check("all", etch::sum(backwards), x, a);
  check("products of a stack of matrices", etch::matmul(x, etch::matrix_transpose(x)), x, a);
  check("backwards along each", etch::flip(x) + x, x, a);
  check("running sums", etch::cumsum(backwards, axis<4>), x, a);
}

TEST_CASE("LIM-04: eight named extents") {
  using etch::any;
  constexpr etch::placeholder<"x", float, any<"a">, any<"b">, any<"c">, any<"d">, any<"e">, any<"f">, any<"g">, any<"h">> x;
  std::mt19937 generator(9);
  const auto a = laws::random_array<float>(generator, 2, 1, 3, 2, 1, 2, 2, 3);
  check("the largest along some", x - etch::max(x, axis<1, 2, 7>, keep_dims), x, a);
  check("as one axis", etch::abs(etch::reshape(x, etch::shape<etch::inferred>{})), x, a);
}

}  // namespace
