// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <stdexcept>

#include <etch/data/generator.hpp>

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
