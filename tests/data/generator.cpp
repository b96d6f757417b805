// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <stdexcept>

#include <etch/data/generator.hpp>
#include <etch/thread_pool.hpp>

namespace {

using namespace etch;

auto count_to(int last) {
  return data::generator([last] {
    return [last, i = 0]() mutable -> std::optional<int> {
      if (i == last) return std::nullopt;
      return i++;
    };
  });
}
template <class Dataset>
std::vector<int> all(Dataset&& d) {
  std::vector<int> values;
  for (int v : d) values.push_back(v);
  return values;
}

}  // namespace

TEST_CASE("a generator's elements, anew in each round") {
  auto d = count_to(3);
  for (int round = 0; round < 2; ++round) CHECK(all(d) == std::vector{0, 1, 2});
  CHECK(all(d.repeat(2).skip(1)) == std::vector{1, 2, 0, 1, 2});
  CHECK(all(count_to(0)).empty());

  auto pairs = data::generator([] {
    return [i = 0]() mutable -> std::optional<std::tuple<xt::xtensor<float, 1>, std::string>> {
      if (i == 2) return std::nullopt;
      ++i;
      return std::tuple(xt::xtensor<float, 1>{1.f * static_cast<float>(i), 5}, "n" + std::to_string(i));
    };
  });
  std::string text;
  for (auto [x, name] : pairs) {
    CHECK(x.size() == 2);
    text += name + "=" + std::to_string(static_cast<int>(x(0))) + ",";
  }
  CHECK(text == "n1=1,n2=2,");
}

TEST_CASE("a generator's function is not called behind its end, and made once for each turn of a repeat") {
  // It would begin again.
  const auto counted = data::generator([] {
    return [i = 0]() mutable -> std::optional<int> {
      if (i == 5) {
        i = 0;
        return std::nullopt;
      }
      return i++;
    };
  });
  const auto sizes = [](auto d) {
    std::vector<std::int64_t> rows;
    for (const auto& b : d.take(9)) rows.push_back(static_cast<std::int64_t>(b.size()));
    return rows;
  };
  CHECK(sizes(counted.batch(3)) == std::vector<std::int64_t>{3, 2});
  CHECK(sizes(counted.padded_batch(3)) == std::vector<std::int64_t>{3, 2});
  CHECK(sizes(counted.repeat(2).batch(3)) == std::vector<std::int64_t>{3, 3, 3, 1});
  thread_pool pool(2);
  CHECK(all(counted.map([](int i) { return i; }, pool).take(9)) == std::vector{0, 1, 2, 3, 4});

  int made = 0;
  auto twice = data::generator([&made] {
                 ++made;
                 return [i = 0]() mutable { return i < 2 ? std::optional(i++) : std::nullopt; };
               }).repeat(2);
  CHECK(all(twice) == std::vector{0, 1, 0, 1});
  CHECK(made == 2);
}

TEST_CASE("positions of generators: the round is read again up to there") {
  const auto shuffled = [] { return count_to(10).shuffle(4, 1); };
  const std::vector<int> whole = all(shuffled());
  auto before = shuffled();
  int seen = 0;
  data::position p;
  for ([[maybe_unused]] int v : before) {
    p = before.position();
    if (++seen == 6) break;
  }
  auto later = shuffled();
  later.restore(p);
  CHECK(all(later) == std::vector(whole.begin() + 6, whole.end()));
}

TEST_CASE("what a generator throws reaches the loop with the element's number") {
  auto d = data::generator([] {
    return [i = 0]() mutable -> std::optional<int> {
      if (i == 2) throw std::runtime_error("no more");
      return i++;
    };
  });
  std::vector<int> values;
  CHECK_THROWS_WITH_AS(
      [&] {
        for (int v : d) values.push_back(v);
      }(),
      "data: generator: element 2: no more", error);
  CHECK(values == std::vector{0, 1});
}
