// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include <etch/etch.hpp>
#include <etch/strings.hpp>

/// Ranges of strings that are fed: of strings that lie in the range, and of such as are made when they are read.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"names", std::string, any<"n">> names;
constexpr auto called = strings::join<"">(names, "!"_c);

/// Too long to lie in the std::string itself.
std::string long_text(int i) { return std::string(30, static_cast<char>('a' + i)); }

/// Whether a run and a bound step that are fed the range give what they give where the strings themselves are fed.
template <class Texts>
bool gives_the_same(const Texts& texts) {
  session s(called);
  std::vector<std::string> expected;
  for (auto&& text : texts) expected.push_back(std::string(text) + '!');
  const auto is_expected = [&](const tensor<std::string, 1>& got) {
    if (got.size() != static_cast<std::int64_t>(expected.size())) return false;
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (got(i) != expected[i]) return false;
    return true;
  };
  auto step = s.bind(called, names = texts);
  return is_expected(s.run(called, names = texts)) && is_expected(step());
}

/// Gives numbers as texts; one is in the iterator until it moves on.
class texts_in_turn {
 public:
  struct iterator {
    using iterator_concept = std::input_iterator_tag;
    using value_type = std::string;
    using difference_type = std::ptrdiff_t;
    int at;
    std::string text = long_text(at);
    const std::string& operator*() const { return text; }
    iterator& operator++() {
      text = long_text(++at);
      return *this;
    }
    iterator operator++(int) { return {at++}; }
    bool operator==(const iterator& other) const { return at == other.at; }
  };
  iterator begin() const { return {0}; }
  iterator end() const { return {3}; }
  std::size_t size() const { return 3; }
};

}  // namespace

TEST_CASE("STR-01: a range whose strings are made when they are read is fed") {
  const std::vector<int> numbers = {1, 2, 3};
  const std::vector<std::string> texts = {long_text(4), "", long_text(5)};
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  CHECK(gives_the_same(texts));
  CHECK(gives_the_same(views));
  CHECK(gives_the_same(numbers | std::views::transform(long_text)));
  CHECK(gives_the_same(texts | std::views::transform([](const std::string& t) -> const std::string& { return t; })));
  CHECK(gives_the_same(texts | std::views::reverse));
  CHECK(gives_the_same(texts_in_turn()));
}

TEST_CASE("strings that lie in a range are not copied for a run") {
  using vector = std::vector<std::string>;
  static_assert(etch::detail::keeps_strings<vector::const_iterator> && etch::detail::keeps_strings<const std::string*>);
  static_assert(!etch::detail::keeps_strings<texts_in_turn::iterator>);
  static_assert(!etch::detail::keeps_strings<const std::string_view*>);
}
