// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/tape.hpp>

// What is recorded after `watch` where ops and reads of variables came before it.

namespace {

using namespace etch;
using namespace etch::literals;
using number = tensor<float, 0>;

}  // namespace

TEST_SUITE("watching") {
  TEST_CASE("TAPE-05: what follows from a variable that was read before") {
    eager::variable w(number(3.f));
    const number x(1.f);
    tape t(persistent);
    const auto p = w * 2_c;
    t.watch(x);
    const auto q = p * 3_c;
    const auto y = q + w * x;
    CHECK(t.gradient(y, w).item() == 7);
    CHECK(t.gradient(y, x).item() == 3);
  }

  TEST_CASE("TAPE-05: the value of a variable that was read before") {
    eager::variable w(number(3.f));
    const number x(1.f);
    tape t(persistent);
    const number read = w.read();
    t.watch(x);
    const auto y = read * read * x;
    CHECK(t.gradient(y, w).item() == 6);
  }

  TEST_CASE("TAPE-05: what follows from the watched tensor through ops that came before") {
    const number x(5.f);
    tape t;
    const auto p = x * 2_c;
    const auto q = p + 1_c;
    t.watch(x);
    const auto y = p * q + x;  // (2x)(2x + 1) + x
    CHECK(t.gradient(y, x).item() == 43);
  }

  TEST_CASE("TAPE-05: what follows from no watched tensor is not recorded, though its operand was before") {
    const number x(5.f), z(2.f);
    tape t(persistent);
    const auto of_z = z * 2_c;
    t.watch(x);
    CHECK(t.gradient(of_z * x, z).item() == 10);
    CHECK_THROWS_AS(t.gradient(of_z * 3_c, z), etch::error);
  }

  TEST_CASE("TAPE-05: a tensor that is watched later") {
    const number x(5.f), z(2.f);
    tape t(persistent);
    t.watch(x);
    const auto both = x * z;
    const auto of_z = z * 2_c;
    t.watch(z);
    CHECK(t.gradient(both * both * z, z).item() == doctest::Approx(3 * 25 * 4));
    CHECK_THROWS_AS(t.gradient(of_z * 3_c, z), etch::error);
  }
}
