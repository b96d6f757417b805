// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include <etch/data.hpp>
#include <etch/thread_pool.hpp>

#include "results.hpp"

/// What random pipelines of datasets share.
namespace etch::random_tests {

inline thread_pool one(1), two(2), five(5);

using numbers = std::vector<std::int64_t>;

template <class Dataset>
numbers all(Dataset&& d) {
  numbers values;
  for (const std::int64_t v : d) values.push_back(v);
  return values;
}

/// Appends the places of two rounds behind which a dataset does not go on with what comes where nothing was restored.
template <class Make>
void add_wrong_positions(const Make& make, numbers& wrong) {
  auto whole = make();
  const std::vector<numbers> rounds = {all(whole), all(whole)};
  for (std::size_t r = 0; r < 2; ++r)
    for (std::size_t n = 0; n <= rounds[r].size(); n = n < 4 ? n + 1 : n + 1 + rounds[r].size() / 7) {
      auto before = make();
      if (r > 0) all(before);
      std::size_t seen = 0;
      data::position p = before.position();
      if (n > 0)
        for ([[maybe_unused]] const std::int64_t v : before) {
          p = before.position();
          if (++seen == n) break;
        }
      auto resumed = make();
      resumed.restore(p);
      const bool is_same = resumed.position() == p;
      if (!is_same || all(resumed) != numbers(rounds[r].begin() + static_cast<std::ptrdiff_t>(n), rounds[r].end()) ||
          (r == 0 && all(resumed) != rounds[1]))
        wrong.push_back(static_cast<std::int64_t>(1000 * r + n));
    }
}

/// Two rounds in order, one shuffled, and the positions of both.
template <class Make>
void run_pipeline(int number, std::int64_t buffer, const Make& make) {
  attempt(number, "order", [&] {
    auto d = make();
    for (int round = 0; round < 2; ++round) write_numbers(number, "order", round, all(d));
  });
  const auto shuffled = [&] { return make().shuffle(buffer, 3); };
  attempt(number, "shuffled", [&] {
    numbers values = all(shuffled());
    std::ranges::sort(values);
    write_numbers(number, "shuffled", 0, values);
  });
  attempt(number, "positions", [&] {
    numbers wrong;
    add_wrong_positions(make, wrong);
    write_numbers(number, "positions", 0, wrong);
    wrong.clear();
    add_wrong_positions(shuffled, wrong);
    write_numbers(number, "positions", 1, wrong);
  });
}

}  // namespace etch::random_tests
