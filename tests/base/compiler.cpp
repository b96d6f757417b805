// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>

#include <doctest/doctest.h>

/// Faults of compilers that the flags of `etch::etch` keep from programs.
namespace {

/// g++ 12.2 with AVX-512 joins the stores into one constant of 32 bytes, loses its zeros, and broadcasts the first word.
[[gnu::noinline]] void store_and_copy(std::int64_t* to) {
  std::int64_t words[4];
  words[0] = words[1] = words[2] = 3;
  words[3] = 0;
  std::copy(words, words + 4, to);
}
[[gnu::noinline]] void store_and_copy(double* to) {
  double words[8];
  for (int i = 0; i < 7; ++i) words[i] = 2;
  words[7] = 0;
  std::copy(words, words + 8, to);
}

}  // namespace

TEST_CASE("constants that end in zeros are copied with their zeros") {
  std::int64_t integers[4];
  store_and_copy(integers);
  CHECK(integers[2] == 3);
  CHECK(integers[3] == 0);
  double numbers[8];
  store_and_copy(numbers);
  CHECK(numbers[6] == 2);
  CHECK(numbers[7] == 0);
}
