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

/// Of numbers below three, calls the step with the next one, or runs the session with it.
step<std::string(const std::int32_t*)>* called = nullptr;
std::string (*run_with)(std::int32_t) = nullptr;
constexpr auto made_before = host_call<"made before">([](std::int32_t k) { return long_text() + std::to_string(k); }, n);
constexpr auto calls_itself = host_call<"calls itself">(
    [](const std::string& text, std::int32_t number) {
      static const std::int32_t numbers[] = {0, 1, 2, 3};
      if (number < 3 && called != nullptr) (*called)(&numbers[number + 1]);
      return number < 3 && run_with != nullptr ? text + " " + run_with(number + 1) : text;
    },
    made_before, n);
constexpr auto both = strings::join<" ">(made_before, calls_itself);
session runs_itself(both);

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

TEST_CASE("EAG-14: a function of the host that calls the bound step that it is called by is refused") {
  step<std::string(const std::int32_t*)> bound = runs_itself.bind(both, n = 1);
  called = &bound;
  const char* const sentence = "step: a function of the host calls the step that has called it; have it call session.run instead";
  CHECK_THROWS_WITH_AS(bound(&one), sentence, error);
  const std::int32_t three = 3;
  CHECK(bound(&three) == long_text() + "3 " + long_text() + "3");
  called = nullptr;
  CHECK(bound(&one) == long_text() + "1 " + long_text() + "1");
}

TEST_CASE("EAG-14: it may run the session") {
  run_with = [](std::int32_t number) { return runs_itself.run(both, n = number); };
  step<std::string(const std::int32_t*)> bound = runs_itself.bind(both, n = 1);
  const auto text = [](const char* number) { return long_text() + number; };
  CHECK(bound(&one) == text("1") + " " + text("1") + " " + text("2") + " " + text("2") + " " + text("3") + " " + text("3"));
  run_with = nullptr;
}

namespace {

step<float(const float*)>* numbers_called = nullptr;
bool caught_it = false;
constexpr placeholder<"x", float> x;
constexpr auto ten_times = host_call<"ten times", float>([](float k) { return 10 * k; }, x);
constexpr auto tries_again = host_call<"tries again", float>(
    [](float k) {
      static const float another = 7;
      try {
        (*numbers_called)(&another);
      } catch (const error&) {
        caught_it = true;
      }
      return k;
    },
    x);
constexpr auto numbers = ten_times + tries_again + x;

}  // namespace

TEST_CASE("EAG-14: where it is refused, the run that is going on keeps its feeds and values") {
  session s(numbers);
  step<float(const float*)> bound = s.bind(numbers, x = 1.f);
  numbers_called = &bound;
  const float two = 2, three = 3;
  CHECK(bound(&two) == 24);
  CHECK(caught_it);
  CHECK(bound(&three) == 36);
}
