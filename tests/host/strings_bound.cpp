// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <tuple>
#include <utility>

#include <etch/etch.hpp>
#include <etch/host_call.hpp>
#include <etch/strings.hpp>

/// What a bound step that gives strings has where a call of it threw, before the first call, and where a function of the host calls
/// it.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"n", std::int32_t> n;
const std::int32_t one = 1, bad = -1;

/// Too long to lie in the std::string itself.
std::string long_text() { return std::string(40, 'a'); }

constexpr auto said = host_call<"said">(
    [](std::int32_t number) {
      if (number < 0) throw error("a negative number");
      return long_text();
    },
    n);
constexpr auto whole = strings::join<"">(said, "!"_c);

/// Of numbers below three, calls the step with the next one.
step<std::string(const std::int32_t*)>* called = nullptr;
constexpr auto made_before = host_call<"made before">([](std::int32_t k) { return long_text() + std::to_string(k); }, n);
constexpr auto calls_itself = host_call<"calls itself">(
    [](const std::string& text, std::int32_t number) {
      static const std::int32_t numbers[] = {0, 1, 2, 3};
      if (number < 3) (*called)(&numbers[number + 1]);
      return text + text;
    },
    made_before, n);

}  // namespace

TEST_CASE("EAG-14: a bound step whose call threw gives empty strings until it is called again") {
  session s(whole, n);
  auto bound = s.bind(whole, n = 1);
  CHECK(bound.value() == "");
  CHECK(bound(&one) == long_text() + "!");
  CHECK_THROWS_WITH_AS(bound(&bad), "a negative number", error);
  CHECK(bound.value() == "");
  CHECK(bound(&one) == long_text() + "!");
  CHECK(bound.value() == long_text() + "!");
}

TEST_CASE("strings in a structure of fetches, beside numbers") {
  static constexpr placeholder<"names", std::string, 2> names;
  const std::pair fetched(std::tuple(whole, n + 1_c), strings::join<" ">(names, said));
  session s(fetched);
  xt::xtensor<std::int32_t, 0> fed(1);
  auto bound = s.bind(fetched, n = fed, names = {"x", "y"});
  const auto check_empty = [&] {
    const auto got = bound.value();
    CHECK(std::get<0>(got.first) == "");
    CHECK(got.second.size() == 2);
    for (const std::string& text : got.second) CHECK(text == "");
  };
  check_empty();
  const auto first = bound();
  CHECK(std::get<0>(first.first) == long_text() + "!");
  CHECK(std::get<1>(first.first) == 2);
  CHECK(first.second(1) == "y " + long_text());
  fed() = -1;
  CHECK_THROWS_AS(bound(), error);
  check_empty();
}

TEST_CASE("EAG-14: a function of the host may call the bound step that it is called by") {
  constexpr auto both = strings::join<" ">(made_before, calls_itself);
  session s(both);
  step<std::string(const std::int32_t*)> bound = s.bind(both, n = 1);
  called = &bound;
  const std::string got = bound(&one);
  called = nullptr;
  CHECK(got.substr(0, 40) == long_text());
}
