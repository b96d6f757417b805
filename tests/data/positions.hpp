// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include <etch/data.hpp>

template <class Dataset>
std::vector<std::int64_t> all(Dataset&& d) {
  std::vector<std::int64_t> values;
  for (auto v : d) values.push_back(v);
  return values;
}

/// Every position of three rounds of make()'s dataset of numbers, restored in another: it goes on with what would have come.
template <class Make>
void check_positions(Make make) {
  using numbers = std::vector<std::int64_t>;
  auto whole = make();
  std::vector<numbers> rounds;
  for (int r = 0; r < 3; ++r) rounds.push_back(all(whole));
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t n = 0; n <= rounds[r].size(); ++n) {
      auto before = make();
      for (std::size_t k = 0; k < r; ++k) all(before);
      std::size_t seen = 0;
      etch::data::position p = before.position();
      if (n > 0)
        for (auto v : before) {
          (void)v;
          p = before.position();
          if (++seen == n) break;
        }
      auto resumed = make();
      resumed.restore(p);
      CHECK(resumed.position() == p);
      numbers rest = all(resumed);
      CHECK(rest == numbers(rounds[r].begin() + static_cast<std::ptrdiff_t>(n), rounds[r].end()));
      if (r + 1 < 3) CHECK(all(resumed) == rounds[r + 1]);
    }
}
