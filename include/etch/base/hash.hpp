// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

/// 64-bit hashes for identities: names of ops and slots, contents of expressions and graph nodes.
namespace etch {

using hash_t = std::uint64_t;

/// FNV-1a over the characters of a text.
constexpr hash_t hash_of(const char* text, std::size_t size) {
  hash_t h = 14695981039346656037ull;
  for (std::size_t i = 0; i < size; ++i) h = (h ^ static_cast<unsigned char>(text[i])) * 1099511628211ull;
  return h;
}

constexpr hash_t hash_of(const char* text) {
  std::size_t size = 0;
  while (text[size] != 0) ++size;
  return hash_of(text, size);
}

/// Mixes `b` into `a`; the order counts. Different pairs of small numbers stay different before they are scrambled. The
/// multipliers are splitmix64's (Steele, Lea, Flood 2014).
constexpr hash_t mix(hash_t a, hash_t b) {
  a = (a + 1) * 0x9e3779b97f4a7c15ull + b;
  a = (a ^ (a >> 30)) * 0xbf58476d1ce4e5b9ull;
  a = (a ^ (a >> 27)) * 0x94d049bb133111ebull;
  return a ^ (a >> 31);
}

}  // namespace etch
