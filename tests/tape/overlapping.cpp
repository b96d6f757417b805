// SPDX-License-Identifier: MIT
#include <tuple>

#include <doctest/doctest.h>

#include <etch/etch.hpp>
#include <etch/tape.hpp>

// Gradients with respect to sources that share values: a variable which was assigned to between reads, and what it was read as.

namespace {

using namespace etch;
using namespace etch::literals;
using number = tensor<float, 0>;

}  // namespace

TEST_SUITE("sources that overlap") {
  TEST_CASE("TAPE-02: a variable and its first value, in any order") {
    eager::variable w(number(2.f));
    tape tape(persistent);
    const number a = w.read();
    const number y = w * w;
    w.assign(number(3.f));
    const number b = w.read(), z = y + w * 5_c;
    CHECK(tape.gradient(z, w).item() == 9);
    const auto [dw, da] = tape.gradient(z, w, a);
    CHECK(std::tuple(dw.item(), da.item()) == std::tuple(9, 4));
    const auto [first, whole] = tape.gradient(z, a, w);
    CHECK(std::tuple(first.item(), whole.item()) == std::tuple(4, 9));
    const auto [one, two, all, again] = tape.gradient(z, a, b, w, w);
    CHECK(std::tuple(one.item(), two.item(), all.item(), again.item()) == std::tuple(4, 5, 9, 9));
  }

  TEST_CASE("TAPE-02: two variables that have had one tensor as their value") {
    const number three = 3.f;
    eager::variable u(three), v(number(1.f));
    tape tape;
    const number y = u * u + v;
    v.assign(u.read());
    const auto [du, dv] = tape.gradient(y + v * 4_c, u, v);
    CHECK(std::tuple(du.item(), dv.item()) == std::tuple(6, 5));
  }

  TEST_CASE("TAPE-02: of three values one has no gradient, and one is the result") {
    eager::variable w(number(2.f));
    tape tape(persistent);
    const number a = w.read(), zero = etch::floor(w);
    w.assign(number(5.f));
    const number b = w.read(), y = w + zero;
    const auto [da, dw, db] = tape.gradient(y, a, w, b);
    CHECK(std::tuple(da.item(), dw.item(), db.item()) == std::tuple(0, 1, 1));
    const auto [whole, itself] = tape.gradient(b, w, b);
    CHECK(std::tuple(whole.item(), itself.item()) == std::tuple(1, 1));
  }

  TEST_CASE("TAPE-05: the second derivative with respect to both values together") {
    eager::variable w(number(2.f));
    tape outer;
    number first;
    {
      tape inner;
      const number y = w * w * w;
      w.assign(number(3.f));
      first = inner.gradient(y + w * w * w, w);
    }
    CHECK(first.item() == 12 + 27);
    CHECK(outer.gradient(first, w).item() == 12 + 18);
  }

  TEST_CASE("the sum over values of bfloat16 is rounded once an addition") {
    const bfloat16 tiny(1.0f / 512);
    eager::variable w(tensor<bfloat16, 0>(bfloat16(1.f)));
    tape tape;
    const number y = astype<float>(w);
    w.assign(tensor<bfloat16, 0>(bfloat16(2.f)));
    const auto dw = tape.gradient(y + astype<float>(w) * number(float(tiny)), w);
    CHECK(float(dw.item()) == float(bfloat16(1 + float(tiny))));
  }
}
