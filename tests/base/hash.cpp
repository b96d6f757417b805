// SPDX-License-Identifier: MIT
#include <cstdint>
#include <set>

#include <doctest/doctest.h>

#include <etch/base/hash.hpp>

/// Identities are hashes: they must be the published functions, depend on order, and not meet by accident.
namespace {

using etch::hash_of;
using etch::hash_t;
using etch::mix;

TEST_CASE("hash: hash_of is FNV-1a with 64 bits") {
  // Test vectors of Fowler, Noll and Vo (draft-eastlake-fnv).
  static_assert(hash_of("") == 0xcbf29ce484222325ull);
  static_assert(hash_of("a") == 0xaf63dc4c8601ec8cull);
  static_assert(hash_of("foobar") == 0x85944171f73967e8ull);
  CHECK(hash_of("foobar") == 0x85944171f73967e8ull);
}

TEST_CASE("hash: a text and its length give the hash of that many characters") {
  CHECK(hash_of("foobarbaz", 6) == hash_of("foobar"));
  CHECK(hash_of("a\0b", 3) != hash_of("a"));
  CHECK(hash_of("\xff") == (14695981039346656037ull ^ 0xff) * 1099511628211ull);  // bytes are not sign-extended
}

TEST_CASE("hash: the order of what is mixed counts") {
  static_assert(mix(1, 2) != mix(2, 1));
  CHECK(mix(mix(0, 1), 2) != mix(mix(0, 2), 1));
  CHECK(mix(0, 0) != 0);
}

TEST_CASE("hash: small numbers mixed into small numbers do not meet") {
  std::set<hash_t> seen;
  for (hash_t a = 0; a < 300; ++a)
    for (hash_t b = 0; b < 300; ++b) seen.insert(mix(a, b));
  CHECK(seen.size() == 300 * 300);
}

TEST_CASE("hash: one bit of the input changes about half of the output") {
  int changed = 0, trials = 0;
  for (int bit = 0; bit < 64; ++bit)
    for (hash_t a = 1; a < 40; a += 3) {
      hash_t difference = mix(a, 7) ^ mix(a ^ (hash_t{1} << bit), 7);
      for (; difference != 0; difference &= difference - 1) ++changed;
      ++trials;
    }
  const double mean = static_cast<double>(changed) / trials;
  CHECK(mean > 30);
  CHECK(mean < 34);
}

}  // namespace
