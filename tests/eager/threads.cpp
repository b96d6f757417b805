// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <etch/eager.hpp>

#include "contents.hpp"

// What docs/threads.md says of tensors, variables and draws of eager code; under ThreadSanitizer a race is an error.

namespace {

using namespace etch::literals;
using vector = etch::tensor<float, 1>;
using contents::text;

template <class Call>
void in_four_threads(const Call& call) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back([&call, t] { call(t); });
  for (std::thread& t : threads) t.join();
}

}  // namespace

TEST_SUITE("threads") {
  TEST_CASE("EAG-02: threads that change their copies of a tensor do not see each other's") {
    const vector shared = {1, 2, 3};
    int wrong[4] = {};
    in_four_threads([&](int t) {
      for (int i = 0; i < 200; ++i) {
        vector mine = shared;
        mine += static_cast<float>(t);
        mine *= 2.f;
        wrong[t] += mine(2) == 2 * (3 + static_cast<float>(t)) ? 0 : 1;
      }
    });
    for (const int w : wrong) CHECK(w == 0);
    CHECK(text(shared) == "etch.tensor([1. 2. 3.], shape=(3,), dtype=float32)");
  }

  TEST_CASE("EAG-08: threads read a variable and what it was, and let go of it") {
    etch::eager::variable v(vector{1, 2, 3});
    const vector before = v.read();
    v.assign(vector{4, 5, 6});
    int wrong[4] = {};
    in_four_threads([&](int t) {
      for (int i = 0; i < 200; ++i) {
        const etch::eager::variable copy = v;
        wrong[t] += etch::sum(copy * before).item() == 4 + 10 + 18 ? 0 : 1;
      }
    });
    for (const int w : wrong) CHECK(w == 0);
    v.assign_add(1_c);
    CHECK(etch::sum(v).item() == 18);
  }

  TEST_CASE("identities of values are others in each thread, also where a thread has made a million") {
    std::vector<std::uint64_t> seen[4];
    in_four_threads([&](int t) {
      vector mine = {1};
      for (int i = 0; i < (1 << 20) + 100; ++i) {
        mine.becomes_another();
        if (i < 100 || i >= 1 << 20) seen[t].push_back(mine.identity());
      }
    });
    std::vector<std::uint64_t> all;
    for (const auto& s : seen) all.insert(all.end(), s.begin(), s.end());
    std::sort(all.begin(), all.end());
    CHECK(all.front() > 0);
    CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
  }

  TEST_CASE("a thread that makes one value takes a million of 2^64 identities, so that no number of threads uses them up") {
    constexpr int threads = 16;
    std::vector<std::uint64_t> made(threads);
    for (std::uint64_t& m : made) std::thread([&] { m = vector{1}.identity(); }).join();
    for (int t = 1; t < threads; ++t) CHECK(made[static_cast<std::size_t>(t)] - made[static_cast<std::size_t>(t) - 1] <= 1 << 20);
  }

  TEST_CASE("EAG-02: a thread's draws are its own, and begin as if it had called seed(0)") {
    const auto draw = [] { return text(vector(etch::random_normal<"draw">(etch::shape<3>{}))); };
    etch::eager::seed(0);
    const std::string first = draw(), second = draw();
    etch::eager::seed(0);
    std::string drawn[4][2];
    in_four_threads([&](int t) {
      for (std::string& d : drawn[t]) d = draw();
    });
    for (const auto& d : drawn) {
      CHECK(d[0] == first);
      CHECK(d[1] == second);
    }
    CHECK(draw() == first);
  }
}
