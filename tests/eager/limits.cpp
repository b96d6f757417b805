// SPDX-License-Identifier: MIT
#include <cstdint>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include <etch/eager.hpp>

// What is too large for any memory, or has too many axes, is refused where it is asked for.

using namespace etch::literals;

namespace {
using vector = etch::tensor<float, 1>;
}  // namespace

TEST_CASE("EAG-02: shapes whose elements no memory holds are refused, also where their count is beyond 64 bits") {
  const etch::tensor<float, 0> one = 1.f;
  const auto kept = etch::eager::live_bytes();
  CHECK_THROWS_WITH_AS(etch::broadcast_to(one, etch::shape<4294967296, 4294967296>{}),
                       "eager: a value float32[4294967296, 4294967296] would need 7.38e+19 bytes", etch::error);
  CHECK_THROWS_WITH_AS(etch::broadcast_to(one, etch::shape<1073741824, 2147483648>{}),
                       "eager: a value float32[1073741824, 2147483648] would need 9.22e+18 bytes", etch::error);
  CHECK_THROWS_WITH_AS(etch::broadcast_to(one, etch::shape<35184372088833>{}),
                       "eager: a value float32[35184372088833] would need 1.41e+14 bytes", etch::error);
  CHECK(etch::eager::live_bytes() == kept);
}

TEST_CASE("EAG-02: operands that broadcast to a count beyond 64 bits are refused") {
  const vector a = etch::broadcast_to(etch::tensor<float, 0>(1.f), etch::shape<4194304>{});
  const etch::tensor<bool, 1> c = a > 0_c;
  CHECK_THROWS_WITH_AS(
      etch::where(etch::reshape(c, etch::shape<etch::inferred, 1, 1>{}), etch::reshape(a, etch::shape<1, etch::inferred, 1>{}),
                  etch::reshape(a, etch::shape<1, 1, etch::inferred>{})),
      "eager: a value float32[4194304, 4194304, 4194304] would need 2.95e+20 bytes", etch::error);
}

TEST_CASE("EAG-02: a value that is refused leaves what it was to be written to") {
  vector a = {1, 2, 3};
  etch::tensor_type large = a.described();
  large.rank = 2;
  large.extents[0] = large.extents[1] = std::int64_t{1} << 32;
  CHECK_THROWS_AS(a.reset(large), etch::error);
  CHECK(a.size() == 3);
  CHECK(a(2) == 3);
}
