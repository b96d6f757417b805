// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/eager.hpp>
#include <etch/tape.hpp>

TEST_CASE("VAR-06: a tape does not watch a variable that is not trainable") {
  etch::eager::variable<float, 0> w(etch::tensor(3.f)), kept(etch::tensor(2.f), etch::not_trainable);
  CHECK(w.trainable());
  CHECK(!kept.trainable());
  etch::tape tape(etch::persistent);
  const auto y = w.read() * w.read() * kept.read();
  const auto z = kept.read() * kept.read();
  CHECK(tape.gradient(y, w).item() == 12.f);
  CHECK_THROWS_AS(tape.gradient(z, kept), etch::error);
}
