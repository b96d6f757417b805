// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include <data/positions.hpp>
#include <etch/data.hpp>

/// Shuffles with a small buffer, as TensorFlow's: of the elements held each is as likely, and the source's next one takes its place; and what
/// seeds are.
namespace {

using namespace etch;

using numbers = std::vector<std::int64_t>;
using counts = std::vector<double>;

constexpr std::int64_t size = 12, held_at_once = 4;
constexpr std::size_t rounds = 4000;

/// Of each draw of a round of range(size): which of the elements held, counted in the order of the source, comes.
std::vector<std::size_t> places_drawn(const numbers& order) {
  REQUIRE(static_cast<std::int64_t>(order.size()) == size);
  std::vector<std::size_t> places;
  numbers held;
  std::int64_t next = 0;
  for (const std::int64_t value : order) {
    while (next < size && static_cast<std::int64_t>(held.size()) < held_at_once) held.push_back(next++);
    const auto found = std::ranges::find(held, value);
    REQUIRE(found != held.end());
    places.push_back(static_cast<std::size_t>(found - held.begin()));
    held.erase(found);
  }
  return places;
}
/// How far counts are from those of equally likely cells.
double chi_square(const counts& found, const counts& likelihoods) {
  const double total = std::accumulate(found.begin(), found.end(), 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double expected = total * likelihoods[i];
    sum += (found[i] - expected) * (found[i] - expected) / expected;
  }
  return sum;
}
counts equal(std::size_t cells) { return counts(cells, 1 / static_cast<double>(cells)); }
/// What is above by chance once in 10^6 times: scipy.stats.chi2.isf(1e-6, degrees of freedom).
constexpr double limit_1 = 23.93, limit_2 = 27.63, limit_3 = 30.66, limit_8 = 42.70, limit_15 = 56.49;

/// orders: as many rounds.
void check_draws(const std::vector<numbers>& orders) {
  REQUIRE(orders.size() == rounds);
  std::vector<std::vector<std::size_t>> drawn;
  for (const numbers& order : orders) drawn.push_back(places_drawn(order));
  // Up to draw 8 four elements are held, then those that are left.
  const std::size_t full = static_cast<std::size_t>(size - held_at_once) + 1;
  for (std::size_t k = 0; k < full; ++k) {
    counts one(4), pairs(16);
    for (const auto& places : drawn) {
      ++one[places[k]];
      if (k + 1 < full) ++pairs[4 * places[k] + places[k + 1]];
    }
    CAPTURE(k);
    CHECK(chi_square(one, equal(4)) < limit_3);
    // A draw says nothing of the next one.
    if (k + 1 < full) CHECK(chi_square(pairs, equal(16)) < limit_15);
  }
  counts of_three(3), of_two(2);
  for (const auto& places : drawn) {
    ++of_three[places[full]];
    ++of_two[places[full + 1]];
    REQUIRE(places[full + 2] == 0);
  }
  CHECK(chi_square(of_three, equal(3)) < limit_2);
  CHECK(chi_square(of_two, equal(2)) < limit_1);

  // The first element stays with 3 of 4 in each draw: it comes as draw k with the likelihood (3/4)^k / 4. Rare ones are one cell.
  counts found(9), likelihoods;
  for (const numbers& order : orders) {
    const auto k = static_cast<std::size_t>(std::ranges::find(order, 0) - order.begin());
    ++found[std::min<std::size_t>(k, 8)];
  }
  double left = 1;
  for (std::size_t k = 0; k < 8; ++k) {
    likelihoods.push_back(left / 4);
    left *= 0.75;
  }
  likelihoods.push_back(left);
  CHECK(chi_square(found, likelihoods) < limit_8);
}
constexpr auto all_of_them = [](std::int64_t) { return true; };

}  // namespace

TEST_CASE("AT-22: of a small buffer each element held is as likely as the next, of many seeds") {
  std::vector<numbers> indexed, streams;
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    indexed.push_back(all(data::range(size).shuffle(held_at_once, seed)));
    streams.push_back(all(data::range(size).filter(all_of_them).shuffle(held_at_once, seed)));
  }
  check_draws(indexed);
  check_draws(streams);
}
TEST_CASE("AT-22: of a small buffer each element held is as likely as the next, of many rounds") {
  auto indexed = data::range(size).shuffle(held_at_once, 3);
  auto stream = data::range(size).filter(all_of_them).shuffle(held_at_once, 3);
  std::vector<numbers> of_indexed, of_stream;
  for (std::size_t r = 0; r < rounds; ++r) {
    of_indexed.push_back(all(indexed));
    of_stream.push_back(all(stream));
  }
  check_draws(of_indexed);
  check_draws(of_stream);
}
TEST_CASE("AT-22: sorted labels in a small buffer are zeros as long as it holds no one") {
  numbers labels(40);
  std::fill(labels.begin() + 20, labels.end(), 1);
  // Element 20 is held from draw 11 on, where 1 of 10 comes.
  std::vector<int> ones(40);
  constexpr int seeds = 2000;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    std::size_t k = 0;
    std::int64_t total = 0;
    for (auto batch : data::slices(labels).shuffle(10, seed).batch(4))
      for (const std::int64_t label : batch) {
        total += label;
        ones[k++] += static_cast<int>(label);
      }
    REQUIRE(k == 40);
    REQUIRE(total == 20);
  }
  for (std::size_t k = 0; k < 11; ++k) CHECK(ones[k] == 0);
  CHECK(std::abs(ones[11] - seeds / 10) < 68);  // five standard deviations
  CHECK(ones[39] > ones[20]);
}
TEST_CASE("AT-22: shuffle(1) changes nothing, whatever its seed") {
  for (const std::uint64_t seed : {0u, 1u, 77u}) {
    CHECK(all(data::range(30).shuffle(1, seed)) == all(data::range(30)));
    CHECK(all(data::range(30).filter(all_of_them).shuffle(1, seed)) == all(data::range(30)));
  }
}

TEST_CASE("two seeds give two orders, one seed gives one") {
  for (const std::int64_t held : {5, 30, 100}) {
    std::vector<numbers> orders;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      orders.push_back(all(data::range(30).shuffle(held, seed)));
      CHECK(all(data::range(30).shuffle(held, seed)) == orders.back());
      CHECK(all(data::range(30).filter(all_of_them).shuffle(held, seed)) ==
            all(data::range(30).filter(all_of_them).shuffle(held, seed)));
    }
    std::ranges::sort(orders);
    CHECK(std::ranges::adjacent_find(orders) == orders.end());
  }
}
TEST_CASE("positions: one of another seed is refused, and the dataset goes on as it would have") {
  const auto refuses = [](auto make, const std::string& description) {
    auto of_seed_1 = make(1), of_seed_2 = make(2);
    const numbers expected = all(make(2));
    numbers seen;
    for (auto v : of_seed_1)
      if (seen.push_back(v); seen.size() == 3) break;
    seen.clear();
    for (auto v : of_seed_2)
      if (seen.push_back(v); seen.size() == 4) break;
    const data::position here = of_seed_2.position();
    const std::string of_1 = description + "seed 1)\"", of_2 = description + "seed 2)\"";
    CHECK_THROWS_WITH_AS(of_seed_2.restore(of_seed_1.position()),
                         ("data: a position of \"" + of_1 + " is no position of \"" + of_2).c_str(), error);
    CHECK_THROWS_WITH_AS(of_seed_1.restore(here), ("data: a position of \"" + of_2 + " is no position of \"" + of_1).c_str(),
                         error);
    CHECK(of_seed_2.position() == here);
    of_seed_2.restore(here);
    for (auto v : of_seed_2) seen.push_back(v);
    CHECK(seen == expected);
  };
  refuses([](std::uint64_t seed) { return data::range(9).shuffle(9, seed); }, "range(0, 9, 1).shuffle(9, ");
  refuses([](std::uint64_t seed) { return data::range(9).shuffle(4, seed); }, "range(0, 9, 1).shuffle(4, ");
  refuses([](std::uint64_t seed) { return data::range(9).filter(all_of_them).shuffle(4, seed); },
          "range(0, 9, 1).filter(f).shuffle(4, ");
}
